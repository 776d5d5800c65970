"""Histogram gradient boosting of rows in chunks: one byte of each number stays in memory.

The same bins, rows held out and codes as in memory, so the same trees to the bit.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from gramian.base.categorical import Categories, chosen_columns, coded_numbers
from gramian.base.errors import ParameterError
from gramian.base.gate import check_size
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.targets import check_labels, check_targets
from gramian.base.types import Matrix
from gramian.base.weights import unit_weights
from gramian.ensemble.common.bins import SAMPLE, Bins, CodedTable, Counts, sampled_rows
from gramian.ensemble.common.boosting_loss import HEAVIEST
from gramian.ensemble.common.units import exponent_of, in_units
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees
from gramian.ensemble.hist_boosting.boosting_rows import Rows, counting
from gramian.ensemble.hist_boosting.hist_parts import fit_parts
from gramian.ensemble.hist_boosting.part_targets import look

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


def fit_chunks(model: "HistGradientBoosting", chunks: Iterable[Any]) -> None:
    """Fit the model; see `HistGradientBoosting.fit_chunks`."""
    gate = Chunks.of(model, chunks)
    if gate.parted:
        fit_parts(model, gate)
    else:
        _fit_here(model, gate)


def _fit_here(model: "HistGradientBoosting", gate: Chunks) -> None:
    """Fit to chunks that this process reads."""
    _check_settings(model)
    rows = counting(_targets(model, gate))  # X holds the numbers of the rows
    d, loss = gate.n_features, model._loss()
    model._exponent = exponent_of(rows.y, loss, penalised=model.l2_regularization > 0)
    rows = rows._replace(y=in_units(rows.y, model._units))
    model._check_together(loss, rows.y)
    model._seed = seed_of(model.random_state)
    auto = len(rows.y) > 10_000 and model._has_value(loss)
    stops = auto if model.early_stopping == "auto" else bool(model.early_stopping)
    held_out = None
    if stops and model.validation_fraction is not None:
        rows, held_out = model._split(rows)

    numbers = rows.X[:, 0]
    drawn = sampled_rows(len(numbers), SAMPLE, model._seed)
    sample = rows.weights if rows.weights is None or not len(drawn) else rows.weights[drawn]
    wanted = numbers[drawn] if len(drawn) else numbers
    more = np.empty(0, dtype=np.int64) if held_out is None else held_out.X[:, 0]
    chosen = chosen_columns(model, model.categorical_features, d)
    model._categories = [None] * d
    if chosen.any():
        levels = look(gate, chosen).levels
        model._categories = [np.array(sorted(levels[j])) if chosen[j] else None for j in range(d)]
    found = coded_numbers(_gathered(gate, np.concatenate([wanted, more])), model._categories)
    bins = Bins.of(
        found[: len(wanted)],
        sample,
        model._categories,
        model.max_bins,
        model._seed,
        counts=_counts(gate, model._categories, numbers),
    )
    if held_out is not None:
        held_out = held_out._replace(X=found[len(wanted) :].copy())
    del found

    model.is_categorical_ = chosen if chosen.any() else None
    model.do_early_stopping_ = stops
    model.n_trees_per_iteration_ = loss.n_scores
    n_levels = np.array([0 if c is None else len(c) for c in model._categories], dtype=np.int32)
    trees = BoostedTrees.empty(loss.n_scores, n_levels)
    model._start = loss.start(rows.y, rows.weights)
    model.train_score_, model.validation_score_ = np.empty(0), np.empty(0)
    coded: Any = _coded(gate, bins, numbers, model._categories)
    model._boost(rows._replace(X=coded), held_out, loss, trees, stops)


def _check_settings(model: "HistGradientBoosting") -> None:
    name = type(model).__name__
    if model.warm_start or model.scoring != "loss":
        raise ParameterError(
            f"{name}: fit_chunks starts anew and stops by the loss; use warm_start=False and "
            "scoring='loss'."
        )


def _targets(model: "HistGradientBoosting", gate: Chunks) -> Rows:
    """First pass: targets and weights, with the numbers of their rows."""
    targets, weights, weighted = [], [], False
    check = check_labels if is_classifier(model) else check_targets
    for y, given, rows in gate.targets():
        gate.named(check, y, rows)
        targets.append(np.asarray(y).reshape(-1))
        weighted |= given is not None
        weights.append(np.ones(rows) if given is None else given)
    n = sum(map(len, targets))
    y = model._encode(np.concatenate(targets), n)
    omega = np.concatenate(weights) if weighted else None
    if model.l2_regularization == 0:
        omega = unit_weights(omega, HEAVIEST)
    check_size(model, "sample_weight", omega, HEAVIEST)
    return Rows(np.arange(n)[:, None], y, model._all_weights(omega, y))


def _numbered(gate: Chunks) -> Iterator[tuple[int, Matrix]]:
    at = 0
    for X, _, _ in gate:
        yield at, X
        at += X.shape[0]


def _gathered(gate: Chunks, numbers: npt.NDArray[np.int64]) -> Matrix:
    """Second pass: some rows, in the order of their numbers as given."""
    found: Matrix = np.empty((len(numbers), gate.n_features), dtype=gate.dtype)
    order = np.argsort(numbers, kind="stable")
    sorted_numbers = numbers[order]
    for at, X in _numbered(gate):
        first, last = np.searchsorted(sorted_numbers, [at, at + X.shape[0]])
        found[order[first:last]] = X[sorted_numbers[first:last] - at]
    return found


def _chosen_rows(
    gate: Chunks, numbers: npt.NDArray[np.int64], categories: Categories
) -> Iterator[tuple[slice, Matrix]]:
    """Make a pass over the rows with these numbers, which ascend: their places among them."""
    for at, X in _numbered(gate):
        first, last = np.searchsorted(numbers, [at, at + X.shape[0]])
        if first == last:
            continue
        here = numbers[first:last] - at
        rows = X if len(here) == X.shape[0] else np.ascontiguousarray(X[here])
        yield slice(first, last), coded_numbers(rows, categories)


def _counts(gate: Chunks, categories: Categories, numbers: npt.NDArray[np.int64]) -> Counts | None:
    """Count the rows of each category; None without categories."""
    if all(levels is None for levels in categories):
        return None
    counts = [np.zeros(0 if levels is None else len(levels), np.int64) for levels in categories]
    for _, rows in _chosen_rows(gate, numbers, categories):
        for j, levels in enumerate(categories):
            if levels is not None:
                known = rows[~np.isnan(rows[:, j]), j].astype(np.int64)
                counts[j] += np.bincount(known, minlength=len(levels))
    return counts


def _coded(
    gate: Chunks, bins: Bins, numbers: npt.NDArray[np.int64], categories: Categories
) -> CodedTable:
    """Third pass: the codes of the rows with these numbers."""
    d = gate.n_features
    codes = np.empty((-(-d // 8), len(numbers), 8), dtype=np.uint8)
    has_missing = np.zeros(d, dtype=np.uint8)
    for places, rows in _chosen_rows(gate, numbers, categories):
        codes[:, places], missing = bins.codes(rows)
        has_missing |= missing
    return CodedTable(bins, codes, has_missing)
