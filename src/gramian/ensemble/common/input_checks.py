"""Input checks for the members of an ensemble: arrays, CSR matrices, or frames.

Numeric input is checked once, in the ensemble. A table with categorical columns is passed on
unchanged: the members encode it, or raise if they cannot.
"""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.categorical import check_named_columns
from gramian.base.gate import check_fit, check_new
from gramian.base.members import Members, takes
from gramian.base.types import Data, Table


def check_fit_rows(estimator: Members, X: Table) -> Data:
    """Check parameters and training rows; a table with categories stays unchanged."""
    named = check_named_columns(estimator, X, reset=True)
    if named is not None:
        return named
    unable = [learner for learner in estimator._learners() if not takes(learner, "sparse")]
    if sp.issparse(X) and not estimator.takes_sparse and unable:
        raise TypeError(
            f"{type(estimator).__name__}: X is sparse, but {type(unable[0]).__name__} takes dense "
            "rows only; take another learner, or give X.toarray()."
        )
    return _as_given(X, check_fit(estimator, X))


def check_new_rows(estimator: Members, X: Table) -> Data:
    """Check rows given to a fitted ensemble: the same columns as in fit."""
    named = check_named_columns(estimator, X, reset=False)
    return _as_given(X, check_new(estimator, X)) if named is None else named


def _as_given(X: Any, checked: Data) -> Data:
    """Return sparse floats in the format of the caller, which the members may prefer."""
    kept = sp.issparse(X) and X.format in ("csr", "csc") and X.dtype.kind == "f"
    return X if kept else checked


def columns_of(table: Data, columns: npt.NDArray[np.intp]) -> Data:
    """Return some columns; from a frame each one only once, as names must be unique."""
    if isinstance(table, np.ndarray):
        return np.ascontiguousarray(table[:, columns])
    if sp.issparse(table):
        return table[:, columns]
    frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    return frame[:, np.unique(columns).tolist()].to_native()


def has_names(table: Data) -> bool:
    """Return whether a checked table has categorical columns."""
    return float_kind(table) is None


def prediction_dtype(table: Data) -> type[np.floating[Any]]:
    """Return the float type of predictions: float32 if the rows are float32."""
    return np.float32 if float_kind(table) == np.float32 else np.float64


def float_kind(table: Data) -> Any:
    """Return the float type of an array or of CSR; None for a table with categories."""
    dtype = getattr(table, "dtype", None)
    return dtype if getattr(dtype, "kind", "") == "f" else None
