"""Descriptions of the columns of a table: kind, missing values, distribution."""

from collections import Counter
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from gramian.data.columns import dates_of, labels_of, numbers_of
from gramian.data.imputation import scales_of
from gramian.data.tfidf import words_of
from gramian.study.problem.problem import LearningProblem, class_counts

_MOST_COLUMNS = 200
_BINS = 20
_LEVELS = 8
_COMMON = 0.5  # of the rows: a word that more of them have tells little


def describe_columns(problem: LearningProblem, target: str | None) -> dict[str, Any]:
    """Return a description of each column, at most two hundred, those used first."""
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    order = sorted(problem.columns, key=lambda n: (n != target, n not in problem.kinds))
    shown = order[:_MOST_COLUMNS]
    return {
        "shown": [_column(frame[name], name, problem, target) for name in shown],
        "left_out": len(order) - len(shown),
    }


def describe_target(problem: LearningProblem) -> dict[str, Any]:
    """Return the classes with their row counts, or a histogram."""
    if problem.task == "classification":
        counts = class_counts(problem)
        return {"classes": [{"label": k, "rows": n} for k, n in counts.items()]}
    return {"histogram": _histogram(problem.y)}


def _column(
    column: nw.Series[Any], name: str, problem: LearningProblem, target: str | None
) -> dict[str, Any]:
    found = problem.columns[name]
    known = column.drop_nulls()
    if known.dtype.is_float():
        known = known.filter(~known.is_nan())
    frame = column.to_frame()
    description: dict[str, Any] = {
        "name": name,
        "kind": found.kind,
        "reason": found.reason,
        "used": name in problem.kinds,
        "is_target": name == target,
        "missing": int(column.null_count()),
        "distinct": int(known.n_unique()),
    }
    if found.kind == "numeric":
        values = numbers_of(frame, [name])[:, 0]
        description["missing"] = int(np.isnan(values).sum())
        values = values[~np.isnan(values)]
        description["histogram"] = _histogram(values)
        low, middle, high = np.quantile(values, [0, 0.5, 1]).tolist()
        mean, deviation = scales_of(values[:, None])
        description |= {
            "mean": float(mean[0]), "deviation": float(deviation[0]),
            "least": low, "median": middle, "greatest": high,
        }  # fmt: skip
    elif found.kind == "date":
        days = dates_of(column)[:, 0]
        days = days[~np.isnan(days)]
        description["first"] = str(np.datetime64(int(days.min()), "D"))
        description["last"] = str(np.datetime64(int(days.max()), "D"))
    elif found.kind == "text":
        description["words"] = _words(labels_of(column))
    elif found.kind in ("categorical", "constant"):
        labels = [v for v in labels_of(column) if v is not None]
        values_, counts = np.unique(np.array(labels, dtype=object).astype(str), return_counts=True)
        top = np.argsort(-counts, kind="stable")[:_LEVELS]
        description["levels"] = [
            {"label": _cut(str(values_[i])), "rows": int(counts[i])} for i in top
        ]
    return description


def _words(texts: list[str | None]) -> list[dict[str, Any]]:
    """Return the words of the most rows, without those that are in most rows."""
    counts = Counter(word for text in texts for word in words_of(text))
    common = [(word, n) for word, n in counts.items() if n <= _COMMON * len(texts)]
    top = sorted(common, key=lambda item: (-item[1], item[0]))[:_LEVELS]
    return [{"label": _cut(word), "rows": n} for word, n in top]


def _histogram(values: npt.ArrayLike) -> dict[str, Any]:
    counts, edges = np.histogram(values, bins=_BINS)
    return {"edges": [float(f"{e:.6g}") for e in edges], "counts": counts.tolist()}


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."
