"""Histogram gradient boosting of rows in chunks: one byte of each number stays in memory.

The same bins, rows held out and codes as in memory, so the same trees to the bit.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_size
from gramian.base.randomness import seed_of
from gramian.base.rows.chunks import Chunks
from gramian.base.types import Matrix
from gramian.base.weights import unit_weights
from gramian.ensemble.common.bins import SAMPLE, Bins, CodedTable, sampled_rows
from gramian.ensemble.common.boosting_loss import HEAVIEST
from gramian.ensemble.common.units import exponent_of, in_units
from gramian.ensemble.hist_boosting.boosted_trees import BoostedTrees
from gramian.ensemble.hist_boosting.boosting_rows import Rows, counting

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


def fit_chunks(model: "HistGradientBoosting", chunks: Iterable[Any]) -> None:
    """Fit the model; see `HistGradientBoosting.fit_chunks`."""
    gate = Chunks.of(model, chunks)
    _check_settings(model, gate)
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
    found = _gathered(gate, np.concatenate([wanted, more]))
    model._categories = [None] * d
    bins = Bins.of(found[: len(wanted)], sample, model._categories, model.max_bins, model._seed)
    if held_out is not None:
        held_out = held_out._replace(X=found[len(wanted) :].copy())
    del found

    model.is_categorical_ = None
    model.do_early_stopping_ = stops
    model.n_trees_per_iteration_ = loss.n_scores
    trees = BoostedTrees.empty(loss.n_scores, np.zeros(d, dtype=np.int32))
    model._start = loss.start(rows.y, rows.weights)
    model.train_score_, model.validation_score_ = np.empty(0), np.empty(0)
    coded: Any = _coded(gate, bins, numbers)
    model._boost(rows._replace(X=coded), held_out, loss, trees, stops)


def _check_settings(model: "HistGradientBoosting", gate: Chunks) -> None:
    name = type(model).__name__
    if gate.parted:
        raise DataError(
            f"{name}: a tree is grown over the codes of all rows, in one place, and the chunks lie "
            "in several; fit on one machine, or to a sample."
        )
    if model.categorical_features not in (None, "from_dtype"):
        raise ParameterError(
            f"{name}: fit_chunks takes numbers in all columns; got categorical_features="
            f"{model.categorical_features!r}. Encode categories, or fit in memory."
        )
    if model.warm_start or model.scoring != "loss":
        raise ParameterError(
            f"{name}: fit_chunks starts anew and stops by the loss; use warm_start=False and "
            "scoring='loss'."
        )


def _targets(model: "HistGradientBoosting", gate: Chunks) -> Rows:
    """First pass: targets and weights, with the numbers of their rows."""
    targets, weights, weighted = [], [], False
    for X, y, given in gate:
        if y is None:
            raise DataError(f"{type(model).__name__}: chunks need targets; give (X, y).")
        targets.append(np.asarray(y))
        weighted |= given is not None
        weights.append(np.ones(X.shape[0]) if given is None else given)
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


def _coded(gate: Chunks, bins: Bins, numbers: npt.NDArray[np.int64]) -> CodedTable:
    """Third pass: the codes of the rows with these numbers, which ascend."""
    d = gate.n_features
    codes = np.empty((-(-d // 8), len(numbers), 8), dtype=np.uint8)
    has_missing = np.zeros(d, dtype=np.uint8)
    for at, X in _numbered(gate):
        first, last = np.searchsorted(numbers, [at, at + X.shape[0]])
        if first == last:
            continue
        here = numbers[first:last] - at
        rows = X if len(here) == X.shape[0] else np.ascontiguousarray(X[here])
        codes[:, first:last], missing = bins.codes(rows)
        has_missing |= missing
    return CodedTable(bins, codes, has_missing)
