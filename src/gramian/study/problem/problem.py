"""The learning problem of a study: columns with their kinds, target and task."""

import re
from collections import Counter
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.errors import DataError
from gramian.base.randomness import stream
from gramian.data.columns import check_frame, labels_of, numbers_of
from gramian.data.formats.parsing import parse_columns
from gramian.data.kinds import USED, ColumnKind, kinds_of
from gramian.evaluate.task import describe_task
from gramian.study.contents.checks import Issue
from gramian.study.settings import Settings

if TYPE_CHECKING:
    from gramian.base.types import Matrix

LEAST_ROWS = 10
_TARGET_NAME = re.compile(
    r"(^|[_\W])(target|class|label|outcome|response|y|diagnosis|species|churn(ed)?|default|survived|"
    r"price|sold|bought|score|grade|quality|type)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class LearningProblem:
    """A learning problem.

    Attributes
    ----------
    frame
        The rows with a known target, all columns, of the same library as the input.
    columns
        The kind of every column and the reason for it.
    kinds
        The kinds of the feature columns.
    task, reason
        ``"classification"``, ``"regression"`` or ``"clustering"``, and why.
    y
        Class codes or numbers; empty for clustering.
    classes
        Sorted class labels.
    groups, weights
        One value for each row, or None.
    rows
        Index of each row in the table.
    issues
        The issues found.
    formats
        The formats of the columns that were read from strings.
    """

    frame: Any
    columns: dict[str, ColumnKind]
    kinds: dict[str, str]
    task: str
    reason: str
    y: NDArray[Any]
    classes: NDArray[Any]
    groups: NDArray[Any] | None
    weights: NDArray[np.float64] | None
    rows: NDArray[np.intp]
    rows_given: int
    issues: list[Issue] = field(default_factory=list)
    formats: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def labels(self) -> NDArray[Any]:
        """The target as class labels or numbers."""
        return self.classes[self.y] if self.task == "classification" else self.y


def pose_problem(
    table: Any, settings: Settings, formats: dict[str, dict[str, str]] | None = None
) -> LearningProblem:
    """Find target, task and kinds of the columns, and drop unusable rows and columns.

    `formats` are the formats of strings already parsed; None parses them now.
    """
    frame = check_frame("study.run", table)
    if formats is None:
        parsed = parse_columns(frame.to_native())
        frame, formats = check_frame("study.run", parsed.frame), parsed.formats
    n_given = len(frame)
    if n_given < LEAST_ROWS:
        raise DataError(
            f"the table has {n_given} row{'s' * (n_given != 1)}; at least {LEAST_ROWS} are needed."
        )
    for option in ("target", "groups", "time", "weights"):
        check_column(frame.columns, option, getattr(settings, option))
    for option in ("drop", "categorical"):
        for name in getattr(settings, option):
            check_column(frame.columns, option, name)
    _check_task(frame, settings)
    issues: list[Issue] = []
    rows = np.arange(n_given)
    if settings.target is not None:
        rows = _rows_with_target(frame, settings.target, issues)
    rows = _within_memory(frame, rows, settings, issues)
    if settings.time is not None:
        rows = rows[np.argsort(_order(frame[settings.time], issues)[rows], kind="stable")]
    if not np.array_equal(rows, np.arange(n_given)):
        frame = frame[rows]
    if len(frame) < LEAST_ROWS:
        raise DataError(
            f"only {len(frame)} rows have a value in {settings.target!r}; at least {LEAST_ROWS} "
            "are needed."
        )
    columns = kinds_of(frame)
    for name in settings.categorical:
        if columns[name].kind not in ("empty", "constant"):
            columns[name] = ColumnKind("categorical", "it was specified")
    special = {settings.target, settings.groups, settings.time, settings.weights}
    kinds = {
        name: str(found.kind)
        for name, found in columns.items()
        if found.kind in USED and name not in special and name not in settings.drop
    }
    task, reason, y, classes = _target(frame, settings, formats)
    if not kinds:
        raise DataError(
            "no feature columns are left; all others are constant, empty or identifiers."
        )
    return LearningProblem(
        frame=frame.to_native(),
        columns=columns,
        kinds=kinds,
        task=task,
        reason=reason,
        y=y,
        classes=classes,
        groups=_codes(frame, settings.groups),
        weights=_weights(frame, settings.weights),
        rows=rows,
        rows_given=n_given,
        issues=issues,
        formats={name: form for name, form in formats.items() if name in kinds},
    )


def check_column(columns: list[str], option: str, name: str | None) -> None:
    """Raise if a setting names a column that is not in the table."""
    if name is None or name in columns:
        return
    lower = {c.lower(): c for c in reversed(columns)}
    near = [lower[n] for n in get_close_matches(name.lower(), lower, n=3, cutoff=0.5)]
    hint = (
        f"did you mean {' or '.join(map(repr, near))}?"
        if near
        else (
            "the columns are "
            + ", ".join(map(repr, columns[:8]))
            + (", ..." if len(columns) > 8 else "")
            + "."
        )
    )
    raise DataError(f"{option}: there is no column {name!r}; {hint}")


def _check_task(frame: nw.DataFrame[Any], settings: Settings) -> None:
    """Raise if a target is missing, or set for clustering."""
    if settings.task == "clustering":
        if settings.target is not None:
            raise DataError("target must be None for task='clustering'; drop the column instead.")
    elif settings.target is None:
        likely = target_candidates(frame)
        raise DataError(
            f"target must name the column to predict, such as {' or '.join(map(repr, likely))}; "
            "task='clustering' finds clusters instead."
        )


def target_candidates(frame: nw.DataFrame[Any], most: int = 3) -> list[str]:
    """Return the most likely target columns, most likely first.

    Columns with typical target names come first, then the last and the first column, then columns
    with few values; never identifiers and constant columns.
    """
    kinds = kinds_of(frame)
    usable = [n for n, k in kinds.items() if k.kind in ("numeric", "categorical")]
    named = [n for n in usable if _TARGET_NAME.search(n)]
    few = [n for n in usable if kinds[n].kind == "categorical"]
    ends = [n for n in (frame.columns[-1], frame.columns[0]) if n in usable]
    return list(dict.fromkeys([*named, *ends, *few, *usable]))[:most] or frame.columns[-1:]


def _rows_with_target(
    frame: nw.DataFrame[Any], target: str, issues: list[Issue]
) -> NDArray[np.intp]:
    column = frame[target]
    known = ~column.is_null().to_numpy().astype(bool)
    if column.dtype.is_float():
        values = column.to_numpy().astype(np.float64)
        known &= np.isfinite(values)
    lost = int((~known).sum())
    if lost:
        issues.append(
            Issue(
                "target-missing",
                "note",
                f"{lost} of {len(known)} rows {'has' if lost == 1 else 'have'} no value in "
                f"{target!r} and {'was' if lost == 1 else 'were'} dropped.",
                "Check why they are missing; the model may not apply to such rows.",
            )
        )
    return np.flatnonzero(known)


def _within_memory(
    frame: nw.DataFrame[Any], rows: NDArray[np.intp], settings: Settings, issues: list[Issue]
) -> NDArray[np.intp]:
    if settings.memory is None:
        return rows
    # Numbers have 8 bytes; folds, their copies and models need about eight times the table.
    most = max(LEAST_ROWS, int(settings.memory / (8 * 8 * max(1, len(frame.columns)))))
    if len(rows) <= most:
        return rows
    kept = np.sort(stream(settings.seed, 2).permutation(len(rows))[:most])
    issues.append(
        Issue(
            "rows-sampled",
            "warning",
            f"{most} of {len(rows)} rows were sampled at random to stay within the memory limit.",
            "Raise the memory limit to use all rows.",
        )
    )
    return rows[kept]


def _order(column: nw.Series[Any], issues: list[Issue]) -> NDArray[Any]:
    """Return the values to order rows by: numbers, dates, or else strings."""
    values = column.to_numpy()
    if values.dtype.kind in "iufM":
        return values
    issues.append(
        Issue(
            "time-as-text",
            "warning",
            f"{column.name!r} has neither dates nor numbers, so rows are ordered alphabetically.",
            "Write dates as 2026-11-30, or times as 2026-11-30 17:05:00.",
        )
    )
    return np.array(["" if v is None else str(v) for v in column.to_list()])


def _target(
    frame: nw.DataFrame[Any], settings: Settings, formats: dict[str, dict[str, str]]
) -> tuple[str, str, NDArray[Any], NDArray[Any]]:
    none = np.empty(0)
    if settings.target is None:
        return "clustering", "it was specified", none, none
    column = frame[settings.target]
    numeric = column.dtype.is_numeric()
    values: Matrix = column.to_numpy() if numeric else np.array(labels_of(column), dtype=np.str_)
    if values.dtype.kind == "O":  # decimals
        values = numbers_of(frame, [settings.target])[:, 0]
    task: str
    if settings.task == "auto":
        found = describe_task(values)
        task, reason = found.kind, found.reason
    else:
        task, reason = settings.task, "it was specified"
    if task == "regression":
        numbers = numbers_of(frame, [settings.target])[:, 0]
        if np.isnan(numbers).any():
            raise DataError(
                f"the target {settings.target!r} is not numeric; use task='classification'."
            )
        if numbers.min() == numbers.max():
            raise DataError(
                f"the target {settings.target!r} is constant ({numbers[0]:g}); there is "
                "nothing to learn."
            )
        return "regression", reason, numbers, none
    if values.dtype.kind == "f" and (values != np.floor(values)).any():
        values = _written(values, formats.get(settings.target, {}).get("unit") == "%")
    classes, y = np.unique(values, return_inverse=True)
    if len(classes) < 2:
        raise DataError(
            f"the target {settings.target!r} has only one class, {classes.tolist()[0]!r}; "
            "there is nothing to learn."
        )
    if len(classes) > len(y) / 2:
        raise DataError(
            f"the target {settings.target!r} has {len(classes)} classes in {len(y)} rows, too many "
            "to learn; is it an identifier?"
        )
    return "classification", reason, y, classes


def target_labels(
    column: nw.Series[Any], problem: LearningProblem, form: dict[str, str] | None
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the targets of further rows, and a mask of those with a known class or number.

    `form` is the format of the column's strings.
    """
    frame = column.to_frame()
    if problem.task == "regression":
        numbers = numbers_of(frame, [column.name])[:, 0]
        return numbers, np.isfinite(numbers)
    known = ~column.is_null().to_numpy().astype(bool)
    if problem.classes.dtype.kind in "iuf":
        values: Matrix = numbers_of(frame, [column.name])[:, 0]
    elif column.dtype.is_numeric():
        values = _written(column.fill_null(0).to_numpy(), (form or {}).get("unit") == "%")
    else:
        values = np.array([str(v) for v in labels_of(column)], dtype=np.str_)
    known &= np.isin(values, problem.classes)
    return values.astype(problem.classes.dtype) if values.dtype.kind != "f" or known.all() else (
        np.where(known, values, problem.classes[0]).astype(problem.classes.dtype)
    ), known


def _written(values: NDArray[Any], percent: bool) -> NDArray[Any]:
    """Return numbers that name classes as strings, percentages with their sign."""
    distinct, codes = np.unique(values, return_inverse=True)
    names = [f"{100 * v:.10g}%" if percent else f"{v:.10g}" for v in distinct.tolist()]
    return np.array(names)[codes]


def _codes(frame: nw.DataFrame[Any], name: str | None) -> NDArray[Any] | None:
    if name is None:
        return None
    return np.unique([str(v) for v in labels_of(frame[name])], return_inverse=True)[1]


def _weights(frame: nw.DataFrame[Any], name: str | None) -> NDArray[np.float64] | None:
    if name is None:
        return None
    weights = numbers_of(frame, [name])[:, 0]
    if np.isnan(weights).any() or (weights < 0).any() or not weights.any():
        raise DataError(
            f"weights: column {name!r} must contain non-negative numbers, not all zero."
        )
    return weights


def class_counts(problem: LearningProblem) -> dict[str, int]:
    """Return the number of rows of each class."""
    counts = Counter(problem.y.tolist())
    return {str(label): counts[k] for k, label in enumerate(problem.classes.tolist())}
