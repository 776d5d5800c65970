"""Data checks: copies of the target, duplicates, empty or constant columns."""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.types import RowNumbers
from gramian.data.columns import labels_of, numbers_of
from gramian.study.problem.problem import Issue, LearningProblem

_NEAR_COPY = 0.995  # of the rows (or of the variance) that one column alone gets right
FEW_ROWS = 100
_RARE = 5
_MOSTLY_MISSING = 0.5


def check_columns(problem: LearningProblem, target: str | None) -> list[Issue]:
    """Check for uninformative columns."""
    found = []
    for kind, words, remedy in (
        ("empty", "are empty", ""),
        ("constant", "are constant", ""),
        ("identifier", "look like identifiers", "If one is informative, make it categorical."),
    ):
        names = [n for n, c in problem.columns.items() if c.kind == kind and n != target]
        if names:
            text = f"Columns that {words} were left out: {_listed(names)}."
            found.append(Issue(f"{kind}-columns", "note", text, remedy))
    frame = nw.from_native(problem.frame, eager_only=True)
    gone = [n for n in problem.kinds if frame[n].null_count() > _MOSTLY_MISSING * len(frame)]
    if gone:
        found.append(
            Issue(
                "mostly-missing",
                "note",
                f"More than half of the values are missing in {_listed(gone)}.",
                "Check why these values are missing, and whether they will be in future data.",
            )
        )
    return found


def check_target(problem: LearningProblem) -> list[Issue]:
    """Check for few rows, rare classes and imbalance."""
    found = []
    if len(problem.rows) < FEW_ROWS:
        found.append(
            Issue(
                "few-rows",
                "warning",
                f"The table has {len(problem.rows)} rows; confidence intervals are wide "
                "and differences between models hard to detect.",
                "Collect more rows before trusting small differences.",
            )
        )
    if problem.task == "classification":
        counts = np.bincount(problem.y, minlength=len(problem.classes))
        rare = [str(problem.classes[k]) for k in np.flatnonzero(counts < _RARE)]
        if rare:
            found.append(
                Issue(
                    "rare-classes",
                    "warning",
                    f"Fewer than {_RARE} rows have class {_listed(rare)}.",
                    "Merge rare classes, drop them, or collect more of their rows.",
                )
            )
        share = counts.max() / counts.sum()
        if share > 0.9:
            found.append(
                Issue(
                    "imbalance",
                    "warning",
                    f"{100 * share:.1f} % of the rows have class "
                    f"{problem.classes[counts.argmax()]!s}; accuracy is not informative.",
                    "Choose the metric balanced_accuracy, or give costs.",
                )
            )
    return found


def copies_of_target(problem: LearningProblem) -> list[str]:
    """Return the columns that equal the target in every row, up to renaming of classes."""
    frame = nw.from_native(problem.frame, eager_only=True)
    classify, K = problem.task == "classification", len(problem.classes)
    numbers = [n for n, kind in problem.kinds.items() if kind == "numeric"]
    found = [
        name
        for name, values in zip(numbers, numbers_of(frame, numbers).T, strict=True)
        if (_one_to_one(values, problem.y, K) if classify else np.array_equal(values, problem.y))
    ]
    for name, kind in problem.kinds.items():
        if kind == "categorical" and classify:
            labels = np.array([str(v) for v in labels_of(frame[name])])
            found += [name] if _one_to_one(labels, problem.y, K) else []
    return found


def _one_to_one(values: NDArray[Any], y: NDArray[Any], n_classes: int) -> bool:
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) != n_classes or len(y) < 30:
        return False
    pairs = np.unique(np.column_stack([codes, y]), axis=0)
    return len(pairs) == n_classes


def check_near_copies(problem: LearningProblem, rows: RowNumbers) -> list[Issue]:
    """Check for single columns that nearly determine the target."""
    if len(rows) < 50:
        return []
    frame = nw.from_native(problem.frame, eager_only=True)[rows]
    y = problem.y[rows]
    numbers = [n for n, kind in problem.kinds.items() if kind == "numeric"]
    suspects = []
    if problem.task == "regression" and numbers:
        values = numbers_of(frame, numbers)
        centred = np.nan_to_num(values - np.nanmean(values, axis=0))
        spread = np.sqrt((centred**2).sum(axis=0)) * np.sqrt(((y - y.mean()) ** 2).sum())
        with np.errstate(all="ignore"):
            r = np.abs((centred * (y - y.mean())[:, None]).sum(axis=0) / spread)
        suspects = [numbers[i] for i in np.flatnonzero(r**2 > _NEAR_COPY)]
    elif problem.task == "classification":
        most = np.bincount(y).max() / len(y)
        if most < _NEAR_COPY - 0.2:
            suspects = _leaking(frame, problem, y, numbers)
    if not suspects:
        return []
    return [
        Issue(
            "target-leak",
            "serious",
            f"{_listed(suspects)} alone nearly determines the target.",
            "If it is not known before the target, drop it.",
        )
    ]


def _leaking(
    frame: Any, problem: LearningProblem, y: NDArray[Any], numbers: list[str]
) -> list[str]:
    """Return the columns whose values, in runs or levels, belong to one class each."""
    found = []
    values = numbers_of(frame, numbers)
    for place, name in enumerate(numbers):
        order = np.argsort(values[:, place], kind="stable")
        runs = 1 + int((np.diff(y[order]) != 0).sum())
        ties = len(np.unique(values[:, place])) < 0.02 * len(y)
        if (not ties and runs <= len(problem.classes) + (1 - _NEAR_COPY) * len(y)) or (
            ties and _pure(values[:, place], y)
        ):
            found.append(name)
    for name, kind in problem.kinds.items():
        if kind == "categorical":
            labels = np.array([str(v) for v in labels_of(frame[name])])
            if len(np.unique(labels)) < 0.1 * len(y) and _pure(labels, y):
                found.append(name)
    return found


def _pure(values: NDArray[Any], y: NDArray[Any]) -> bool:
    codes = np.unique(values, return_inverse=True)[1]
    table = np.zeros((codes.max() + 1, y.max() + 1))
    np.add.at(table, (codes, y), 1)
    return bool(table.max(axis=1).sum() > _NEAR_COPY * len(y))


def duplicates_across(
    problem: LearningProblem, development: RowNumbers, test: RowNumbers
) -> NDArray[np.bool_]:
    """Return for each test row whether it duplicates a development row, target included."""
    keys = _row_keys(problem)
    seen = {keys[i] for i in development}
    return np.array([keys[i] in seen for i in test], dtype=bool)


def _row_keys(problem: LearningProblem) -> list[bytes]:
    frame = nw.from_native(problem.frame, eager_only=True)
    numbers = [n for n, kind in problem.kinds.items() if kind == "numeric"]
    block = np.column_stack([numbers_of(frame, numbers), problem.y.astype(np.float64)])
    keys = [row.tobytes() for row in np.ascontiguousarray(block)]
    for name, kind in problem.kinds.items():
        if kind != "numeric":
            texts = [str(v).encode() for v in labels_of(frame[name])]
            keys = [key + b"\0" + text for key, text in zip(keys, texts, strict=True)]
    return keys


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(n) for n in names[:6])
    return shown + (f" and {len(names) - 6} more" if len(names) > 6 else "")
