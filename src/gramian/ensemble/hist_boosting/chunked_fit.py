"""Histogram gradient boosting of rows in chunks: one byte per value stays in memory.

Bins, held-out rows and codes are the same as in memory, so the trees are identical.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from gramian.base.errors import ParameterError
from gramian.base.inputs.categorical import Categories, chosen_columns, coded_numbers
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_labels, check_targets
from gramian.base.inputs.weights import unit_weights
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.types import Matrix
from gramian.ensemble.common.bins import QUANTILE_ROWS, BinnedTable, Bins, Counts, sampled_rows
from gramian.ensemble.common.boosting_loss import MAX_WEIGHT
from gramian.ensemble.common.units import in_units, scale_exponent
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees
from gramian.ensemble.hist_boosting.boosting_rows import Rows, drop_zero_weights
from gramian.ensemble.hist_boosting.distributed_fit import fit_parts
from gramian.ensemble.hist_boosting.target_summary import summarize_targets

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


def fit_chunks(model: "HistGradientBoosting", chunks: Iterable[Any]) -> None:
    """Fit the model; see `HistGradientBoosting.fit_chunks`."""
    checked_chunks = Chunks.of(model, chunks)
    if checked_chunks.distributed:
        fit_parts(model, checked_chunks)
    else:
        _fit_local(model, checked_chunks)


def _fit_local(model: "HistGradientBoosting", chunks: Chunks) -> None:
    """Fit to chunks that this process reads."""
    _check_parameters(model)
    rows = drop_zero_weights(_targets(model, chunks))  # X contains row indices
    d, loss = chunks.n_features, model._loss()
    model._exponent = scale_exponent(rows.y, loss, penalised=model.l2_regularization > 0)
    rows = rows._replace(y=in_units(rows.y, model._units))
    model._check_targets_and_loss(loss, rows.y)
    model._seed = seed_of(model.random_state)
    auto_stops = len(rows.y) > 10_000 and model._can_score(loss)
    stops = auto_stops if model.early_stopping == "auto" else bool(model.early_stopping)
    held_out = None
    if stops and model.validation_fraction is not None:
        rows, held_out = model._split(rows)

    indices = rows.X[:, 0]
    drawn = sampled_rows(len(indices), QUANTILE_ROWS, model._seed)
    sample_weight = rows.weights if rows.weights is None or not len(drawn) else rows.weights[drawn]
    sample_indices = indices[drawn] if len(drawn) else indices
    held_out_indices = np.empty(0, dtype=np.int64) if held_out is None else held_out.X[:, 0]
    is_categorical = chosen_columns(model, model.categorical_features, d)
    model._categories = [None] * d
    if is_categorical.any():
        levels = summarize_targets(chunks, is_categorical).levels
        model._categories = [
            np.array(sorted(levels[j])) if is_categorical[j] else None for j in range(d)
        ]
    sampled = coded_numbers(
        _gather_rows(chunks, np.concatenate([sample_indices, held_out_indices])), model._categories
    )
    bins = Bins.of(
        sampled[: len(sample_indices)],
        sample_weight,
        model._categories,
        model.max_bins,
        model._seed,
        counts=_category_counts(chunks, model._categories, indices),
    )
    if held_out is not None:
        held_out = held_out._replace(X=sampled[len(sample_indices) :].copy())
    del sampled

    model.is_categorical_ = is_categorical if is_categorical.any() else None
    model.do_early_stopping_ = stops
    model.n_trees_per_iteration_ = loss.n_scores
    n_levels = np.array([0 if c is None else len(c) for c in model._categories], dtype=np.int32)
    trees = BoostedTrees.empty(loss.n_scores, n_levels)
    model._start = loss.initial_scores(rows.y, rows.weights)
    model.train_score_, model.validation_score_ = np.empty(0), np.empty(0)
    coded: Any = _encode_rows(chunks, bins, indices, model._categories)
    model._boost(rows._replace(X=coded), held_out, loss, trees, stops)


def _check_parameters(model: "HistGradientBoosting") -> None:
    name = type(model).__name__
    if model.warm_start or model.scoring != "loss":
        raise ParameterError(
            f"{name}: fit_chunks supports neither warm_start nor scoring other than 'loss'; set "
            "warm_start=False and scoring='loss'."
        )


def _targets(model: "HistGradientBoosting", chunks: Chunks) -> Rows:
    """First pass: targets, weights and row indices."""
    targets, weights, weighted = [], [], False
    check = check_labels if is_classifier(model) else check_targets
    for y, chunk_weights, rows in chunks.targets():
        chunks.named(check, y, rows)
        targets.append(np.asarray(y).reshape(-1))
        weighted |= chunk_weights is not None
        weights.append(np.ones(rows) if chunk_weights is None else chunk_weights)
    n = sum(map(len, targets))
    y = model._encode(np.concatenate(targets), n)
    all_weights = np.concatenate(weights) if weighted else None
    if model.l2_regularization == 0:
        all_weights = unit_weights(all_weights, MAX_WEIGHT)
    check_size(model, "sample_weight", all_weights, MAX_WEIGHT)
    return Rows(np.arange(n)[:, None], y, model._total_weights(all_weights, y))


def _with_offsets(chunks: Chunks) -> Iterator[tuple[int, Matrix]]:
    offset = 0
    for X, _, _ in chunks:
        yield offset, X
        offset += X.shape[0]


def _gather_rows(chunks: Chunks, indices: npt.NDArray[np.int64]) -> Matrix:
    """Second pass: return the rows with these indices, in this order."""
    gathered: Matrix = np.empty((len(indices), chunks.n_features), dtype=chunks.dtype)
    order = np.argsort(indices, kind="stable")
    sorted_indices = indices[order]
    for offset, X in _with_offsets(chunks):
        first, last = np.searchsorted(sorted_indices, [offset, offset + X.shape[0]])
        gathered[order[first:last]] = X[sorted_indices[first:last] - offset]
    return gathered


def _select_rows(
    chunks: Chunks, indices: npt.NDArray[np.int64], categories: Categories
) -> Iterator[tuple[slice, Matrix]]:
    """Yield, per chunk, the rows with these ascending indices and their positions among them."""
    for offset, X in _with_offsets(chunks):
        first, last = np.searchsorted(indices, [offset, offset + X.shape[0]])
        if first == last:
            continue
        chunk_indices = indices[first:last] - offset
        rows = X if len(chunk_indices) == X.shape[0] else np.ascontiguousarray(X[chunk_indices])
        yield slice(first, last), coded_numbers(rows, categories)


def _category_counts(
    chunks: Chunks, categories: Categories, indices: npt.NDArray[np.int64]
) -> Counts | None:
    """Count the rows of each category; None without categorical columns."""
    if all(levels is None for levels in categories):
        return None
    counts = [np.zeros(0 if levels is None else len(levels), np.int64) for levels in categories]
    for _, rows in _select_rows(chunks, indices, categories):
        for j, levels in enumerate(categories):
            if levels is not None:
                known = rows[~np.isnan(rows[:, j]), j].astype(np.int64)
                counts[j] += np.bincount(known, minlength=len(levels))
    return counts


def _encode_rows(
    chunks: Chunks, bins: Bins, indices: npt.NDArray[np.int64], categories: Categories
) -> BinnedTable:
    """Third pass: encode the rows with these indices."""
    d = chunks.n_features
    codes = np.empty((-(-d // 8), len(indices), 8), dtype=np.uint8)
    has_missing = np.zeros(d, dtype=np.uint8)
    for positions, rows in _select_rows(chunks, indices, categories):
        codes[:, positions], missing = bins.codes(rows)
        has_missing |= missing
    return BinnedTable(bins, codes, has_missing)
