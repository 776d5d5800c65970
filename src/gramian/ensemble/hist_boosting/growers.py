"""The native growers of trees, from a model's parameters."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.ensemble.common.bins import Bins, CodedTable, Codes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.constraints import interaction_sets, monotone_signs

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_SIDE_BY_SIDE = 2**17  # rows up to which the trees of several classes are grown in parallel


def grower_of(
    model: "HistGradientBoosting", coded: CodedTable, loss: BoostingLoss
) -> _native.TreeGrower | _native.IterationGrower:
    """Return the grower of trees over codes in this place."""
    columns, options = _settings(model, coded)
    few = coded.shape[0] <= _SIDE_BY_SIDE and model.leaf_steps == 1
    if loss.n_scores > 1 and loss.leaf_quantile is None and few:
        return _native.IterationGrower(columns, options, loss.n_scores)
    return _native.TreeGrower(columns, options)


def parted_grower(
    model: "HistGradientBoosting", bins: Bins, has_missing: Codes, n_rows: int, ahead: float
) -> _native.PartedGrower:
    """Return the grower of trees over rows that are elsewhere.

    One message asks for the share `ahead` of the splits that are left.
    """
    nowhere = np.empty((len(bins.missing), 0, 8), dtype=np.uint8)
    columns, options = _settings(model, CodedTable(bins, nowhere, has_missing))
    return _native.PartedGrower(columns, n_rows, options, ahead)


def placed_rows(bins: Bins, codes: Codes) -> _native.PlacedRows:
    """Return the rows of one place, which need no settings of the model."""
    d = len(bins.n_bins)
    none: Any = np.zeros(d, dtype=np.uint8)
    sets = interaction_sets(None, d, "")
    columns = _native.BinnedColumns(
        codes, bins.n_bins, bins.missing, none, none, none.view(np.int8), sets
    )
    return _native.PlacedRows(columns)


def _settings(
    model: "HistGradientBoosting", coded: CodedTable
) -> tuple[_native.BinnedColumns, _native.BoostingOptions]:
    bins, d = coded.bins, coded.shape[1]
    names = getattr(model, "feature_names_in_", None)
    owner = type(model).__name__
    signs = monotone_signs(model.monotonic_cst, d, names, owner)
    categorical = np.array([levels is not None for levels in model._categories])
    if (signs[categorical] != 0).any():
        raise ParameterError(
            f"{owner}: monotonic_cst must be 0 for categorical columns; categories have no order."
        )
    if signs.any() and model.leaf_steps > 1:
        raise ParameterError(f"{owner}: leaf_steps must be 1 where monotonic_cst is given.")
    sets = interaction_sets(model.interaction_cst, d, owner)
    categories = categorical.view(np.uint8)
    columns = _native.BinnedColumns(
        coded.codes, bins.n_bins, bins.missing, coded.has_missing, categories, signs, sets
    )
    options = _native.BoostingOptions(
        max_leaves=model.max_leaf_nodes or 0,
        max_depth=model.max_depth or 0,
        min_samples_leaf=model.min_samples_leaf,
        l2=float(model.l2_regularization),
        max_features=float(model.max_features),
    )
    return columns, options
