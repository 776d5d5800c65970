"""Histogram gradient boosting of rows on several workers, as on a cluster.

There are three passes: over the targets, over a sample of rows for the bins, and over all rows for
the codes. The codes stay on the workers; if a worker is lost, its rows are read and encoded again,
and their scores are computed from the trees grown so far.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gramian.base.callbacks import Task
from gramian.base.errors import ParameterError
from gramian.base.inputs.categorical import chosen_columns
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.rows.parts import RowsLostError, WorkerObjects
from gramian.base.types import Floats, Matrix, Weights
from gramian.ensemble.common.bins import QUANTILE_ROWS, Bins, sampled_rows
from gramian.ensemble.common.boosting_loss import InitialSums
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees, Grown
from gramian.ensemble.hist_boosting.distributed_iterations import DistributedIterations
from gramian.ensemble.hist_boosting.target_summary import RowEncoding, summarize_targets
from gramian.ensemble.hist_boosting.worker_rows import PartRows, WorkerRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_MAX_LOST_WORKERS = 3  # number of lost workers after which a fit fails


def fit_parts(model: "HistGradientBoosting", chunks: Chunks) -> None:
    """Fit the model to chunks on several workers."""
    if model.early_stopping is True or model.warm_start or model.leaf_steps > 1:
        raise ParameterError(
            f"{type(model).__name__}: fitting on a cluster supports neither early stopping, nor "
            "warm_start, nor several leaf steps; set early_stopping=False, warm_start=False and "
            "leaf_steps=1."
        )
    d = chunks.n_features
    categorical = chosen_columns(model, model.categorical_features, d)
    summary = summarize_targets(chunks, categorical)
    model._categories = [
        np.array(sorted(summary.levels[j])) if categorical[j] else None for j in range(d)
    ]
    encoding = RowEncoding.of(model, summary, model._categories)
    model._exponent, model._seed = encoding.exponent, seed_of(model.random_state)

    sample = chunks.total(partial(_sample, encoding, model._seed, QUANTILE_ROWS), _merge_samples)
    counts = [np.array([n for _, n in sorted(levels.items())]) for levels in summary.levels]
    bins = Bins.of(
        sample.X, sample.weights, model._categories, model.max_bins, model._seed, counts=counts
    )
    model._start = encoding.loss.initial_scores_from_sums(sample.sums)
    model.is_categorical_ = categorical if categorical.any() else None
    model.do_early_stopping_ = False
    model.n_trees_per_iteration_ = encoding.loss.n_scores
    model.train_score_, model.validation_score_ = np.empty(0), np.empty(0)
    _boost(model, chunks, encoding, bins)


class Sample(NamedTuple):
    """Rows for the bins, and the sums over all rows that determine the initial scores."""

    X: Matrix
    weights: Weights | None
    sums: InitialSums


def _sample(encoding: RowEncoding, seed: int, size: int, chunks: Chunks) -> Sample:
    """Second pass: draw the rows that `fit` would draw."""
    drawn = sampled_rows(sum(encoding.part_sizes), size, seed)
    offset = sum(encoding.part_sizes[: chunks.part])
    empty = np.empty(0)
    weights = empty if encoding.weighted else None
    sample = Sample(
        np.empty((0, chunks.n_features), dtype=chunks.dtype),
        weights,
        encoding.loss.initial_sums(empty, weights),
    )
    for chunk in chunks:
        rows = encoding.rows(chunks.estimator, chunk)
        selected: Any = slice(None)
        if len(drawn):
            first, last = np.searchsorted(drawn, [offset, offset + len(rows.y)])
            selected = drawn[first:last] - offset
        offset += len(rows.y)
        weights = None if rows.weights is None else rows.weights[selected]
        sums = encoding.loss.initial_sums(rows.y, rows.weights)
        sample = _merge_samples(sample, Sample(rows.X[selected], weights, sums))
    return sample


def _merge_samples(left: Sample, right: Sample) -> Sample:
    weights = None
    if left.weights is not None and right.weights is not None:
        weights = np.concatenate([left.weights, right.weights])
    sums = [a + b for a, b in zip(left.sums, right.sums, strict=True)]
    return Sample(np.concatenate([left.X, right.X]), weights, sums)


def _encode_part(
    encoding: RowEncoding, bins: Bins, start: Floats, trees: BoostedTrees, chunks: Chunks
) -> PartRows:
    """Third pass: encode the rows and compute the scores of the trees grown so far."""
    d, empty = chunks.n_features, np.empty(0)
    parts = [
        PartRows(
            np.empty((len(bins.missing), 0, 8), dtype=np.uint8),
            np.zeros(d, dtype=np.uint8),
            empty,
            empty if encoding.weighted else None,
            np.empty((len(start), 0)),
        )
    ]
    for chunk in chunks:
        rows = encoding.rows(chunks.estimator, chunk)
        score = np.tile(start[:, None], (1, len(rows.y)))
        trees.add_scores(rows.X, score)
        parts.append(PartRows(*bins.codes(rows.X), rows.y, rows.weights, score))
    return PartRows.joined(parts)


def _boost(
    model: "HistGradientBoosting", chunks: Chunks, encoding: RowEncoding, bins: Bins
) -> None:
    """Grow the trees; if a worker is lost, continue with its rows on another one."""
    loss, n = encoding.loss, sum(encoding.part_sizes)
    sent_model: Any = chunks.estimator  # without callbacks and trees, to be sent to workers
    sent_model._categories, sent_model._seed = model._categories, model._seed
    levels = np.array([0 if c is None else len(c) for c in model._categories], dtype=np.int32)
    trees = BoostedTrees.empty(loss.n_scores, levels)
    task = Task.of(model, steps=model.max_iter)
    grown: list[Grown] = []
    workers: WorkerObjects | None = None
    step: Callable[..., list[Grown]] | None = None
    lost_workers = iteration = 0
    try:
        while iteration < model.max_iter:
            try:
                if workers is None or step is None:
                    current_trees = trees.with_trees(grown, bins)
                    encode = partial(_encode_part, encoding, bins, model._start, current_trees)
                    workers = chunks.keep_on_workers(encode, partial(WorkerRows, loss, bins))
                    step = workers.start_coordinator(
                        partial(DistributedIterations, sent_model, loss, bins, n, encoding.curved)
                    )
                grown.extend(step("grow_trees", iteration))
            except RowsLostError:
                lost_workers += 1
                if lost_workers > _MAX_LOST_WORKERS:
                    raise
                if workers is not None:
                    workers.close()
                workers = step = None
                continue
            model._report(iteration, None)
            iteration += 1
            if task.iteration(lambda: model._state(trees.with_trees(grown, bins))):
                break
    finally:
        if workers is not None:
            workers.close()
    model._trees = trees.with_trees(grown, bins)
    model._check_finite_trees()
    task.done(lambda: model._state(model._trees))
