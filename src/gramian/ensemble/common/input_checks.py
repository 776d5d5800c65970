"""Input checks for the members of an ensemble: arrays, CSR matrices, or frames.

Numeric input is checked once, in the ensemble. A table with categorical columns is passed on
unchanged: the members encode it or raise an error.
"""

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.inputs.categorical import check_named_columns
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.members import Members, takes
from gramian.base.types import Data, Table


def check_fit_rows(estimator: Members, X: Table) -> Data:
    """Check parameters and training rows; a table with categorical columns stays unchanged."""
    categorical_table = check_named_columns(estimator, X, reset=True)
    if categorical_table is not None:
        return categorical_table
    dense_only = [learner for learner in estimator._learners() if not takes(learner, "sparse")]
    if sp.issparse(X) and not estimator.takes_sparse and dense_only:
        raise TypeError(
            f"{type(estimator).__name__}: X is sparse, but {type(dense_only[0]).__name__} "
            "supports dense "
            "rows only; use another learner, or pass X.toarray()."
        )
    return _in_original_format(X, check_fit(estimator, X))


def check_new_rows(estimator: Members, X: Table) -> Data:
    """Check rows passed to a fitted ensemble: they must have the columns of fit."""
    categorical_table = check_named_columns(estimator, X, reset=False)
    return (
        _in_original_format(X, check_new(estimator, X))
        if categorical_table is None
        else categorical_table
    )


def _in_original_format(X: Any, checked: Data) -> Data:
    """Return sparse floats in the caller's format, which the members may prefer."""
    is_sparse_float = sp.issparse(X) and X.format in ("csr", "csc") and X.dtype.kind == "f"
    return X if is_sparse_float else checked


def select_columns(table: Data, columns: npt.NDArray[np.intp]) -> Data:
    """Return the selected columns; from a frame each at most once, as names must be unique."""
    if isinstance(table, np.ndarray):
        return np.ascontiguousarray(table[:, columns])
    if sp.issparse(table):
        return table[:, columns]
    frame: nw.DataFrame[Any] = nw.from_native(table, eager_only=True)
    return frame[:, np.unique(columns).tolist()].to_native()


def has_categories(table: Data) -> bool:
    """Return whether a checked table has categorical columns."""
    return float_dtype(table) is None


def prediction_dtype(table: Data) -> type[np.floating[Any]]:
    """Return the float type of predictions: float32 if the rows are float32."""
    return np.float32 if float_dtype(table) == np.float32 else np.float64


def float_dtype(table: Data) -> Any:
    """Return the float type of an array or sparse matrix; None if there are categorical columns."""
    dtype = getattr(table, "dtype", None)
    return dtype if getattr(dtype, "kind", "") == "f" else None
