"""Conversion of data for the native steps of k-means."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Data, Matrix, is_sparse

Centers = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def rows_of(X: Data) -> _native.Rows:
    """Return the rows of validated data, dense or CSR, for the native steps."""
    if is_sparse(X):
        return _native.Rows(X.data, X.indices, X.indptr, X.shape[1])
    return _native.Rows(X)


def dense_rows(X: Data, rows: npt.NDArray[Any] | list[int] | list[np.intp] | slice) -> Matrix:
    """Return the selected rows as a dense array."""
    picked = X[rows]
    return picked.toarray() if is_sparse(picked) else picked


def as_float64(centers: Matrix) -> Centers:
    """Convert centres to float64 in C order, for the native steps."""
    return np.ascontiguousarray(centers, dtype=np.float64)
