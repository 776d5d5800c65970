"""Explanation of the best model and its errors, on rows that it was not fitted to.

Importances are computed on held-out rows. If there are few test rows, the model is refitted to the
folds of the comparison, and each development row is predicted by the model not fitted to it.
"""

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from gramian.base.rows.taking import take
from gramian.base.types import RowNumbers
from gramian.data.columns import labels_of
from gramian.study.contents.errors import Slice, WorstRow
from gramian.study.contents.explanation import Coefficients, Effect, Importance, TreeRules
from gramian.study.findings.error_analysis import slices, worst_rows
from gramian.study.findings.importances import (
    coefficients,
    effect,
    effect_of_words,
    importances,
    sample_rows,
)
from gramian.study.findings.tree_rules import tree_rules
from gramian.study.problem.metrics import Predicted
from gramian.study.problem.problem import LearningProblem
from gramian.study.problem.splits import Splits
from gramian.study.search.trial import Candidate, FittedPipeline, Workbench
from gramian.study.settings import Settings

_MOST_COLUMNS, _MOST_EFFECTS = 40, 6  # columns with importances, and with effects
_FEWER_COLUMNS, _FEWER_EFFECTS = 10, 3  # the same for wide tables, where predictions are slow
_WIDE = 1000
_CELLS = 10_000_000  # maximum number of cells predicted at a time
_FEW_ROWS = 200  # with fewer test rows, importances are computed on out-of-fold rows


@dataclass(frozen=True)
class Explanation:
    """The parts of the report that explain the best model; see `SupervisedContents`."""

    importances: tuple[Importance, ...]
    effects: tuple[Effect, ...]
    coefficients: Coefficients | None
    structure: TreeRules | None
    worst_rows: tuple[WorstRow, ...]
    slices: tuple[Slice, ...]


def explanation(
    bench: Workbench,
    splits: Splits,
    settings: Settings,
    pipeline: FittedPipeline,
    candidate: Candidate,
    predicted: Predicted,
) -> Explanation:
    """Return importances, effects, coefficients or tree, the worst rows and subgroups."""
    problem, main = bench.problem, bench.main
    rows, parts = _held_out_pipelines(bench, splits, settings, pipeline, candidate)
    frame, y = take(problem.frame, rows), problem.y[rows]
    prepared = _Prepared(bench, pipeline, frame)
    weights = None if problem.weights is None else problem.weights[rows]

    def score(found: Predicted, some: RowNumbers) -> float:
        proba = None if found.proba is None else found.proba[some]
        weighed = None if weights is None else weights[some]
        return main.score(
            float(main.function(y[some], Predicted(found.values[some], proba), weighed))
        )

    def effect_of(name: str) -> Effect | None:
        if problem.kinds[name] != "text":
            means = partial(prepared.means_at, name)
            return effect(means, frame, name, problem.kinds[name])
        texts = labels_of(nw.from_native(frame, eager_only=True)[name])
        return effect_of_words(predictions, texts, name)

    many_columns = len(problem.kinds) > _WIDE
    most, most_drawn = (
        (_FEWER_COLUMNS, _FEWER_EFFECTS) if many_columns else (_MOST_COLUMNS, _MOST_EFFECTS)
    )
    held_out = _HeldOut(bench, parts, rows)
    ranked = importances(
        held_out.predicted,
        score,
        len(rows),
        _strongest_columns(pipeline, problem)[:most],
        alpha=settings.alpha,
        seed=settings.seed,
    )
    best = [each.column for each in ranked]
    drawn = [c for c in best if problem.kinds[c] != "date"][:most_drawn]
    predictions = prepared.outputs(prepared.X)
    classes = [str(c) for c in problem.classes.tolist()]
    return Explanation(
        importances=ranked,
        effects=tuple(found for found in map(effect_of, drawn) if found is not None),
        coefficients=coefficients(pipeline, classes),
        structure=tree_rules(pipeline, classes),
        worst_rows=worst_rows(problem, splits.test, predicted, best),
        slices=slices(problem, splits.test, predicted, best[:20], settings.alpha),
    )


def _held_out_pipelines(
    bench: Workbench,
    splits: Splits,
    settings: Settings,
    pipeline: FittedPipeline,
    candidate: Candidate,
) -> tuple[RowNumbers, list[tuple[FittedPipeline, int]]]:
    """Return held-out rows, and the pipelines that predict them, each with its number of rows."""
    if len(splits.test) >= _FEW_ROWS:
        rows = splits.test[sample_rows(len(splits.test), settings.seed)]
        return rows, [(pipeline, len(rows))]
    folds = splits.comparing[: splits.once]
    parts = [(bench.fold_pipeline(candidate, train), len(rest)) for train, rest in folds]
    return np.concatenate([rest for _, rest in folds]), parts


class _Prepared:
    """Rows prepared once by a pipeline, which predicts them with one column changed."""

    def __init__(self, bench: Workbench, pipeline: FittedPipeline, frame: Any) -> None:
        self.bench, self.frame = bench, frame
        self.preparer, self.model = pipeline[0], pipeline[-1]
        self.sources, self.X = self.preparer.get_sources(), self.preparer.transform(frame)

    def outputs(self, X: NDArray[Any]) -> NDArray[np.float64]:
        """Return probabilities or numbers for prepared rows."""
        found = self.bench.predicted_from(self.model, X)
        return np.asarray(found.values if found.proba is None else found.proba, dtype=np.float64)

    def means_at(self, name: str, values: list[Any]) -> list[Any]:
        """Return the mean output with a column set to one value in all rows, for each value."""
        some: nw.DataFrame[Any] = nw.from_native(
            take(self.frame, np.zeros(len(values), dtype=np.intp)), eager_only=True
        )
        column = nw.new_series(name, values, backend=some.implementation)
        changed = self.preparer.transform(some.with_columns(column).to_native())
        places = [place for place, source in enumerate(self.sources) if source == name]
        n, means = len(self.X), []
        at_once = max(1, _CELLS // self.X.size)
        for start in range(0, len(values), at_once):
            block = changed[start : start + at_once]
            table = np.tile(self.X, (len(block), 1))
            table[:, places] = np.repeat(block[:, places], n, axis=0)
            found = self.outputs(table)
            means += [found[k * n : (k + 1) * n].mean(axis=0).tolist() for k in range(len(block))]
        return means


class _HeldOut:
    """Rows, each prepared and predicted by the pipeline that was not fitted to it.

    Each prepared column is made from one column of the table, so shuffling a table column means
    shuffling the columns prepared from it. Every pipeline prepares all rows, since shuffled values
    come from all of them.
    """

    def __init__(
        self, bench: Workbench, parts: list[tuple[FittedPipeline, int]], rows: RowNumbers
    ) -> None:
        self.bench = bench
        ends: list[int] = np.cumsum([0, *(count for _, count in parts)]).tolist()
        self.parts = [
            (pipeline[-1], bench.sources(pipeline), bench.prepared(pipeline, rows), slice(a, b))
            for (pipeline, _), (a, b) in zip(parts, pairwise(ends), strict=True)
        ]

    def predicted(self, name: str | None, order: RowNumbers) -> Predicted:
        """Return the predictions with the values of one column in another order."""
        found = []
        for model, sources, X, own in self.parts:
            mixed = X[own].copy()
            columns = [place for place, source in enumerate(sources) if source == name]
            mixed[:, columns] = X[order[own]][:, columns]
            found.append(self.bench.predicted_from(model, mixed))
        probas = [part.proba for part in found if part.proba is not None]
        return Predicted(
            np.concatenate([part.values for part in found]),
            np.concatenate(probas) if probas else None,
        )


def _strongest_columns(pipeline: FittedPipeline, problem: LearningProblem) -> list[str]:
    """Return the columns, those with the largest coefficients or importances first."""
    names, model = list(problem.kinds), pipeline[-1]
    weight = getattr(model, "feature_importances_", None)
    if weight is None and hasattr(model, "coef_"):
        weight = np.abs(np.atleast_2d(model.coef_)).max(axis=0)
    made = pipeline[0].get_sources()
    if weight is None or len(weight) != len(made) or len(names) <= _MOST_COLUMNS:
        return names
    strength = dict.fromkeys(names, 0.0)
    for source, value in zip(made, np.asarray(weight).tolist(), strict=True):
        strength[source] = max(strength[source], value)
    return sorted(names, key=lambda n: -strength[n])
