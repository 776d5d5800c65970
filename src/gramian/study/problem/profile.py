"""Descriptions of the columns of a table: kind, missing values, distribution."""

from collections import Counter
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.data.columns import dates_of, labels_of, numbers_of
from gramian.data.imputation import scales_of
from gramian.data.tfidf import words_of
from gramian.study.contents.columns import (
    CategoricalColumn,
    Column,
    Columns,
    DateColumn,
    Histogram,
    LabelCount,
    NumericColumn,
    TextColumn,
)
from gramian.study.contents.target import ClassTarget, NumericTarget
from gramian.study.problem.problem import LearningProblem, class_counts

_MOST_COLUMNS = 200
_BINS = 20
_LEVELS = 8
_COMMON = 0.5  # proportion of rows above which a word is too common to be informative


def describe_columns(problem: LearningProblem, target: str | None) -> Columns:
    """Return descriptions of at most two hundred columns, features first."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    order = sorted(problem.columns, key=lambda n: (n != target, n not in problem.kinds))
    shown = order[:_MOST_COLUMNS]
    return Columns(
        shown=tuple(_column(frame[name], name, problem, target) for name in shown),
        left_out=len(order) - len(shown),
    )


def describe_target(problem: LearningProblem) -> ClassTarget | NumericTarget:
    """Return the classes with their row counts, or a histogram."""
    if problem.task == "classification":
        counts = class_counts(problem)
        return ClassTarget(tuple(LabelCount(label, n) for label, n in counts.items()))
    return NumericTarget(_histogram(problem.y))


def _column(column: Any, name: str, problem: LearningProblem, target: str | None) -> Column:
    found = problem.columns[name]
    known = column.drop_nulls()
    if known.dtype.is_float():
        known = known.filter(~known.is_nan())
    about: dict[str, Any] = {
        "name": name,
        "kind": found.kind,
        "reason": found.reason,
        "used": name in problem.kinds,
        "is_target": name == target,
        "missing": int(column.null_count()),
        "distinct": int(known.n_unique()),
    }
    if found.kind == "numeric":
        return _numeric_column(numbers_of(column.to_frame(), [name])[:, 0], about)
    if found.kind == "date":
        days = dates_of(column)[:, 0]
        days = days[~np.isnan(days)]
        first, last = (str(np.datetime64(int(day), "D")) for day in (days.min(), days.max()))
        return DateColumn(**about, first=first, last=last)
    if found.kind == "text":
        return TextColumn(**about, words=_words(labels_of(column)))
    if found.kind in ("categorical", "constant"):
        labels = [v for v in labels_of(column) if v is not None]
        values, counts = np.unique(np.array(labels, dtype=object).astype(str), return_counts=True)
        top = np.argsort(-counts, kind="stable")[:_LEVELS]
        levels = tuple(LabelCount(_cut(str(values[i])), int(counts[i])) for i in top)
        return CategoricalColumn(**about, levels=levels)
    return Column(**about)


def _numeric_column(values: NDArray[np.float64], about: dict[str, Any]) -> NumericColumn:
    known = values[~np.isnan(values)]
    least, median, greatest = np.quantile(known, [0, 0.5, 1]).tolist()
    mean, deviation = scales_of(known[:, None])
    return NumericColumn(
        **about | {"missing": int(np.isnan(values).sum())},
        histogram=_histogram(known),
        mean=float(mean[0]),
        deviation=float(deviation[0]),
        least=least,
        median=median,
        greatest=greatest,
    )


def _words(texts: list[str | None]) -> tuple[LabelCount, ...]:
    """Return the most frequent words, except those in almost every text."""
    counts = Counter(word for text in texts for word in words_of(text))
    common = [(word, n) for word, n in counts.items() if n <= _COMMON * len(texts)]
    top = sorted(common, key=lambda item: (-item[1], item[0]))[:_LEVELS]
    return tuple(LabelCount(_cut(word), n) for word, n in top)


def _histogram(values: Any) -> Histogram:
    counts, edges = np.histogram(values, bins=_BINS)
    return Histogram(tuple(float(f"{e:.6g}") for e in edges), tuple(counts.tolist()))


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
