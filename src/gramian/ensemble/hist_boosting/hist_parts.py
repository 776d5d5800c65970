"""Histogram gradient boosting of rows that lie in several places, as on the workers of a cluster.

Three passes: targets, a sample of rows for the bins, codes. The codes stay where the rows are; if a
place is lost, its rows are read again and walk down the trees that are grown already.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gramian.base.callbacks import Task
from gramian.base.categorical import chosen_columns
from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import Held, PlaceLostError
from gramian.base.types import Floats, Matrix, Weights
from gramian.ensemble.common.bins import SAMPLE, Bins, sampled_rows
from gramian.ensemble.common.boosting_loss import StartSums
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees, Grown
from gramian.ensemble.hist_boosting.boosting_place import BoostingPlace, CodedRows
from gramian.ensemble.hist_boosting.part_targets import Targets, look
from gramian.ensemble.hist_boosting.parted_trees import PartedStep

if TYPE_CHECKING:
    from collections.abc import Callable

    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_TIMES_LOST = 3  # places that may be lost before a fit gives up


def fit_parts(model: "HistGradientBoosting", gate: Chunks) -> None:
    """Fit the model to chunks that lie in several places."""
    if model.early_stopping is True or model.warm_start or model.leaf_steps > 1:
        raise ParameterError(
            f"{type(model).__name__}: where rows lie in several places, none are held out and "
            "leaves take one step; use early_stopping=False, warm_start=False and leaf_steps=1."
        )
    d = gate.n_features
    chosen = chosen_columns(model, model.categorical_features, d)
    seen = look(gate, chosen)
    model._categories = [np.array(sorted(seen.levels[j])) if chosen[j] else None for j in range(d)]
    targets = Targets.of(model, seen, model._categories)
    model._exponent, model._seed = targets.exponent, seed_of(model.random_state)

    sample = gate.total(partial(_sample, targets, model._seed, SAMPLE), _joined)
    counts = [np.array([n for _, n in sorted(levels.items())]) for levels in seen.levels]
    bins = Bins.of(
        sample.X, sample.weights, model._categories, model.max_bins, model._seed, counts=counts
    )
    model._start = targets.loss.start_of(sample.sums)
    model.is_categorical_ = chosen if chosen.any() else None
    model.do_early_stopping_ = False
    model.n_trees_per_iteration_ = targets.loss.n_scores
    model.train_score_, model.validation_score_ = np.empty(0), np.empty(0)
    _boost(model, gate, targets, bins)


class Sample(NamedTuple):
    """Rows for the bins, and the sums over all rows that the first scores depend on."""

    X: Matrix
    weights: Weights | None
    sums: StartSums


def _sample(targets: Targets, seed: int, size: int, gate: Chunks) -> Sample:
    """Second pass: the rows that `fit` would draw of all."""
    drawn = sampled_rows(sum(targets.kept), size, seed)
    at = sum(targets.kept[: gate.part])
    none = np.empty(0)
    weights = none if targets.weighted else None
    found = Sample(
        np.empty((0, gate.n_features), dtype=gate.dtype),
        weights,
        targets.loss.start_sums(none, weights),
    )
    for chunk in gate:
        rows = targets.rows(gate.estimator, chunk)
        here: Any = slice(None)
        if len(drawn):
            first, last = np.searchsorted(drawn, [at, at + len(rows.y)])
            here = drawn[first:last] - at
        at += len(rows.y)
        weights = None if rows.weights is None else rows.weights[here]
        sums = targets.loss.start_sums(rows.y, rows.weights)
        found = _joined(found, Sample(rows.X[here], weights, sums))
    return found


def _joined(left: Sample, right: Sample) -> Sample:
    weights = None
    if left.weights is not None and right.weights is not None:
        weights = np.concatenate([left.weights, right.weights])
    sums = [a + b for a, b in zip(left.sums, right.sums, strict=True)]
    return Sample(np.concatenate([left.X, right.X]), weights, sums)


def _code(
    targets: Targets, bins: Bins, start: Floats, trees: BoostedTrees, gate: Chunks
) -> CodedRows:
    """Third pass: codes, and the scores of the trees that are grown already."""
    d, none = gate.n_features, np.empty(0)
    parts = [
        CodedRows(
            np.empty((len(bins.missing), 0, 8), dtype=np.uint8),
            np.zeros(d, dtype=np.uint8),
            none,
            none if targets.weighted else None,
            np.empty((len(start), 0)),
        )
    ]
    for chunk in gate:
        rows = targets.rows(gate.estimator, chunk)
        score = np.tile(start[:, None], (1, len(rows.y)))
        trees.add_scores(rows.X, score)
        parts.append(CodedRows(*bins.codes(rows.X), rows.y, rows.weights, score))
    return CodedRows.joined(parts)


def _boost(model: "HistGradientBoosting", gate: Chunks, targets: Targets, bins: Bins) -> None:
    """Grow the trees; where a place is lost, go on with its rows in another."""
    loss, n = targets.loss, sum(targets.kept)
    bare: Any = gate.estimator  # with neither callbacks nor trees, to be sent
    bare._categories, bare._seed = model._categories, model._seed
    levels = np.array([0 if c is None else len(c) for c in model._categories], dtype=np.int32)
    trees = BoostedTrees.empty(loss.n_scores, levels)
    task = Task.of(model, steps=model.max_iter)
    grown: list[Grown] = []
    held: Held | None = None
    step: Callable[..., list[Grown]] | None = None
    lost = iteration = 0
    try:
        while iteration < model.max_iter:
            try:
                if held is None or step is None:
                    so_far = trees.joined(grown, bins)
                    code = partial(_code, targets, bins, model._start, so_far)
                    held = gate.hold(code, partial(BoostingPlace, loss, bins))
                    step = held.lead(partial(PartedStep, bare, loss, bins, n, targets.curved))
                grown.extend(step("take", iteration))
            except PlaceLostError:
                lost += 1
                if lost > _TIMES_LOST:
                    raise
                if held is not None:
                    held.close()
                held = step = None
                continue
            model._report(iteration, None)
            iteration += 1
            if task.iteration(lambda: model._state(trees.joined(grown, bins))):
                break
    finally:
        if held is not None:
            held.close()
    model._trees = trees.joined(grown, bins)
    model._check_finite_trees()
    task.done(lambda: model._state(model._trees))
