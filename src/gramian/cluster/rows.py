"""Conversion of data for the native steps of k-means."""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.types import Data, Matrix

Centers = npt.NDArray[np.float64]


def rows_of(X: Data) -> _native.Rows:
    """Return the rows of validated data, dense or CSR, for the native steps."""
    if sp.issparse(X):
        return _native.Rows(X.data, X.indices, X.indptr, X.shape[1])
    return _native.Rows(X)


def dense_rows(X: Data, rows: npt.ArrayLike) -> Matrix:
    """Return some rows as a dense array."""
    picked = X[rows]
    return picked.toarray() if sp.issparse(picked) else picked  # type: ignore[no-any-return]


def as_float64(centers: Matrix) -> Centers:
    """Convert centres to float64 in C order, for the native steps."""
    return np.ascontiguousarray(centers, dtype=np.float64)
