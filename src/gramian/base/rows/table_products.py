"""Products of a table with a few columns, by native passes, in float64 for any type of the table.

BLAS packs the large matrix before it multiplies; for a handful of columns that costs more than the
products. The results are identical for any number of threads.
"""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats


def times(X: Data, V: npt.ArrayLike) -> Floats:
    """Return X V, (n, b), of a checked table.

    Examples
    --------
    >>> times(np.array([[1.0, 2.0], [3.0, 4.0]]), [[1.0], [1.0]]).tolist()
    [[3.0], [7.0]]
    """
    columns = np.ascontiguousarray(V, dtype=np.float64)
    out = np.empty((X.shape[0], columns.shape[1]))
    _native.table_times(native_table(X), columns, out)
    return out


def transposed_times(X: Data, U: npt.ArrayLike) -> Floats:
    """Return X'U, (d, b); for many products with sparse rows, `times` of X' is faster."""
    columns = np.ascontiguousarray(U, dtype=np.float64)
    if sp.issparse(X):
        return np.asarray(X.T @ columns)
    out = np.empty((X.shape[1], columns.shape[1]))
    _native.transposed_table_times(native_table(X), columns, out)
    return out


def gram_times(X: Data, V: npt.ArrayLike, mean: Floats | None = None) -> Floats:
    """Return (X - 1 m')'(X - 1 m') V, (d, b), reading dense X once; m is 0 by default.

    Examples
    --------
    >>> gram_times(np.array([[1.0, 2.0], [3.0, 4.0]]), [[1.0], [0.0]], np.array([2.0, 3.0]))
    array([[2.],
           [2.]])
    """
    columns = np.ascontiguousarray(V, dtype=np.float64)
    out = np.empty_like(columns)
    _native.gram_times(native_table(X), mean, columns, out)
    return out
