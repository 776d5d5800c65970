"""Data checks: copies of the target, leaks, empty or constant columns, rare classes."""

from dataclasses import replace
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import DataError
from gramian.base.types import RowNumbers
from gramian.data.columns import labels_of, numbers_of
from gramian.study.contents.checks import Issue
from gramian.study.problem.leaks import Leaks, check_leaks, listed_columns
from gramian.study.problem.problem import LearningProblem
from gramian.study.settings import Settings

FEW_ROWS = 100
_RARE = 5
_MOSTLY_MISSING = 0.5


def check_data(problem: LearningProblem, settings: Settings, rows: RowNumbers) -> Leaks:
    """Add issues of columns and target to the problem; check these rows for leaks."""
    leaks = check_leaks(problem, settings, rows)
    problem.issues.extend(check_columns(problem, settings.target))
    problem.issues.extend(check_target(problem))
    problem.issues.extend(leaks.issues)
    return leaks


def without_copies(problem: LearningProblem) -> LearningProblem:
    """Return the problem without columns that equal the target, which become an issue."""
    copies = copies_of_target(problem)
    if not copies:
        return problem
    names = ", ".join(map(repr, copies))
    kinds = {name: kind for name, kind in problem.kinds.items() if name not in copies}
    if not kinds:
        raise DataError(f"all columns ({names}) are copies of the target; add other columns.")
    verbs = ("equals", "was") if len(copies) == 1 else ("equal", "were")
    issue = Issue(
        "target-copy", "serious",
        f"{names} {verbs[0]} the target in every row and {verbs[1]} dropped.",
        "If it is known at prediction time, no model is needed.",
    )  # fmt: skip
    return replace(problem, kinds=kinds, issues=[*problem.issues, issue])


def check_columns(problem: LearningProblem, target: str | None) -> list[Issue]:
    """Check for uninformative columns."""
    found = []
    for kind in ("empty", "constant", "identifier"):
        names = [n for n, c in problem.columns.items() if c.kind == kind and n != target]
        if names:
            text = f"{kind.capitalize()} columns are left out: {listed_columns(names)}."
            remedy = f"To use one, set categorical={names[0]!r}." if kind == "identifier" else ""
            found.append(Issue(f"{kind}-columns", "note", text, remedy))
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    nulls = frame.select(nw.col(*problem.kinds).null_count()).row(0)
    gone = [
        name
        for name, count in zip(problem.kinds, nulls, strict=True)
        if count > _MOSTLY_MISSING * len(frame)
    ]
    if gone:
        found.append(
            Issue(
                "mostly-missing",
                "note",
                f"More than half of the values are missing in {listed_columns(gone)}.",
                "Check why these values are missing, and whether they will be missing in new data.",
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
                f"The table has only {len(problem.rows)} rows, so confidence intervals are wide "
                "and differences between models are hard to detect.",
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
                    f"Classes with fewer than {_RARE} rows: {listed_columns(rare)}.",
                    "Merge these classes, drop them, or collect more of their rows.",
                )
            )
        share = counts.max() / counts.sum()
        if share > 0.9:
            found.append(
                Issue(
                    "imbalance",
                    "warning",
                    f"{100 * share:.1f}% of the rows have class "
                    f"{problem.classes[counts.argmax()]!s}, so accuracy is not informative.",
                    "Choose the metric balanced_accuracy, or set costs.",
                )
            )
    return found


def copies_of_target(problem: LearningProblem) -> list[str]:
    """Return the columns that equal the target in every row, up to renaming of classes."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
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
