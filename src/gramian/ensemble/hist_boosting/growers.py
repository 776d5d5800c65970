"""Native tree growers, configured by a model's parameters."""

from typing import TYPE_CHECKING, Any

import numpy as np

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.ensemble.common.bins import BinnedTable, Bins, Codes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.constraints import interaction_sets, monotone_signs

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting

_MAX_PARALLEL_ROWS = 2**17  # rows up to which the trees of several classes are grown in parallel


def local_grower(
    model: "HistGradientBoosting", coded: BinnedTable, loss: BoostingLoss
) -> _native.TreeGrower | _native.IterationGrower:
    """Return the grower for codes in this process."""
    columns, options = _columns_and_options(model, coded)
    parallel = coded.shape[0] <= _MAX_PARALLEL_ROWS and model.leaf_steps == 1
    if loss.n_scores > 1 and loss.leaf_quantile is None and parallel:
        return _native.IterationGrower(columns, options, loss.n_scores)
    return _native.TreeGrower(columns, options)


def distributed_grower(
    model: "HistGradientBoosting", bins: Bins, has_missing: Codes, n_rows: int, lookahead: float
) -> _native.DistributedGrower:
    """Return the grower for rows on several workers.

    Each message requests histograms for the fraction `lookahead` of the remaining splits.
    """
    no_codes = np.empty((len(bins.missing), 0, 8), dtype=np.uint8)
    columns, options = _columns_and_options(model, BinnedTable(bins, no_codes, has_missing))
    return _native.DistributedGrower(columns, n_rows, options, lookahead)


def native_rows(bins: Bins, codes: Codes) -> _native.WorkerRows:
    """Return the native rows of one worker; they need no parameters of the model."""
    d = len(bins.n_bins)
    none: Any = np.zeros(d, dtype=np.uint8)
    sets = interaction_sets(None, d, "")
    columns = _native.BinnedColumns(
        codes, bins.n_bins, bins.missing, none, none, none.view(np.int8), sets
    )
    return _native.WorkerRows(columns)


def _columns_and_options(
    model: "HistGradientBoosting", coded: BinnedTable
) -> tuple[_native.BinnedColumns, _native.BoostingOptions]:
    bins, d = coded.bins, coded.shape[1]
    names = getattr(model, "feature_names_in_", None)
    owner = type(model).__name__
    signs = monotone_signs(model.monotonic_cst, d, names, owner)
    categorical = np.array([levels is not None for levels in model._categories])
    if (signs[categorical] != 0).any():
        raise ParameterError(
            f"{owner}: monotonic_cst must be 0 for categorical features, which have no order."
        )
    if signs.any() and model.leaf_steps > 1:
        raise ParameterError(
            f"{owner}: leaf_steps must be 1 with monotonic_cst; got {model.leaf_steps}."
        )
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
