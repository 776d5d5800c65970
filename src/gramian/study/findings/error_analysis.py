"""Error analysis: the worst test rows, and subgroups with a higher error."""

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.data.columns import labels_of, numbers_of
from gramian.evaluate.hypothesis_tests.multiple_testing import adjust_p_values
from gramian.evaluate.intervals.mean import t_interval, t_test
from gramian.evaluate.intervals.proportion import binomial_test, wilson_interval
from gramian.study.contents.errors import Slice, WorstRow
from gramian.study.contents.values import Scalar, defined
from gramian.study.problem.metrics import Predicted
from gramian.study.problem.problem import LearningProblem

if TYPE_CHECKING:
    from gramian.base.types import Matrix

_WORST = 10
_COLUMNS = 12
_LEAST_ROWS = 10
_MOST_SLICES = 12


def losses_of(
    problem: LearningProblem, y: NDArray[Any], predicted: Predicted
) -> NDArray[np.float64]:
    """Return the loss of each row: 1 - probability of the true class, or the absolute error."""
    if problem.task == "regression":
        return np.asarray(np.abs(y - predicted.values), dtype=np.float64)
    if predicted.proba is None:
        return np.asarray(predicted.values != y, dtype=np.float64)
    return np.asarray(1.0 - predicted.proba[np.arange(len(y)), y])


def worst_rows(
    problem: LearningProblem, rows: NDArray[Any], predicted: Predicted, columns: list[str]
) -> tuple[WorstRow, ...]:
    """Return the rows with the largest loss and some of their values; rows are numbered from 0."""
    y: Matrix = problem.y[rows]
    losses = losses_of(problem, y, predicted)
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    shown = columns[:_COLUMNS]
    found = []
    for i in np.argsort(-losses, kind="stable")[:_WORST]:
        if problem.task == "classification" and predicted.values[i] == y[i]:
            break
        cells = frame[[int(rows[i])]].select(shown).rows()[0]
        found.append(
            WorstRow(
                row=int(problem.rows[rows[i]]),
                truth=_label(problem, y[i]),
                predicted=_label(problem, predicted.values[i]),
                loss=float(losses[i]),
                values={n: _cell(v) for n, v in zip(shown, cells, strict=True)},
            )
        )
    return tuple(found)


def slices(
    problem: LearningProblem,
    rows: NDArray[Any],
    predicted: Predicted,
    columns: list[str],
    alpha: float,
) -> tuple[Slice, ...]:
    """Return subgroups with a higher mean error than all rows.

    Subgroups are levels of categorical columns and quartiles of numeric ones; p-values are adjusted
    for their number (Benjamini and Hochberg).
    """
    y: Matrix = problem.y[rows]
    classify = problem.task == "classification"
    error: Matrix = (
        (predicted.values != y).astype(float) if classify else np.abs(y - predicted.values)
    )
    frame: nw.DataFrame[Any] = nw.from_native(problem.frame, eager_only=True)
    frame = frame[rows]
    overall = float(error.mean())
    found: list[Slice] = []
    for name in columns:
        for label, part in _parts(frame, name, problem.kinds[name]):
            inside: Matrix = error[part]
            if not _LEAST_ROWS <= len(inside) < len(error):
                continue
            if classify:
                interval = wilson_interval(int(inside.sum()), len(inside), confidence=1 - alpha)
                rate = float(np.clip(overall, 1e-9, 1 - 1e-9))
                p = binomial_test(
                    int(inside.sum()), len(inside), rate, alternative="two-sided"
                ).p_value
            else:
                interval = t_interval(inside, confidence=1 - alpha)
                p = t_test(inside, overall).p_value
            found.append(
                Slice(
                    column=name,
                    part=label,
                    rows=len(inside),
                    error=float(interval.estimate),
                    low=defined(interval.low),
                    high=defined(interval.high),
                    overall=overall,
                    p=float(p),
                    p_adjusted=float(p),
                )
            )
    adjusted = adjust_p_values([each.p for each in found], "benjamini-hochberg").tolist()
    every = [replace(each, p_adjusted=p) for each, p in zip(found, adjusted, strict=True)]
    worse = [each for each in every if each.error > overall]
    return tuple(sorted(worse, key=lambda each: (each.p_adjusted, -each.error))[:_MOST_SLICES])


def _parts(frame: nw.DataFrame[Any], name: str, kind: str) -> list[tuple[str, NDArray[np.bool_]]]:
    if kind == "numeric":
        values = numbers_of(frame, [name])[:, 0]
        known = values[~np.isnan(values)]
        edges: list[float] = []
        if len(known):
            edges = np.unique(np.quantile(known, [0, 0.25, 0.5, 0.75, 1])).tolist()
        parts = [
            (
                f"{_edge(low)} to {_edge(high)}",
                (values >= low) & ((values < high) | (high == edges[-1])),
            )
            for low, high in pairwise(edges)
        ]
        return [*parts, ("missing", np.isnan(values))]
    if kind == "categorical":
        labels = np.array(["missing" if v is None else v for v in labels_of(frame[name])])
        levels, counts = np.unique(labels, return_counts=True)
        common = levels[np.argsort(-counts, kind="stable")[:10]]
        return [(str(level), labels == level) for level in common]
    return []


def _edge(value: float) -> str:
    """Return a number with four digits or all of its integer part, never as 1e+04."""
    return f"{value:.4g}" if abs(value) < 1000 or abs(value) >= 1e15 else f"{value:.0f}"


def _label(problem: LearningProblem, value: Any) -> str | float:
    return str(problem.classes[value]) if problem.task == "classification" else float(value)


def _cell(value: Any) -> Scalar:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
