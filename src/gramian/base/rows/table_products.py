"""Products of a table with a few columns, by native passes; float64 whatever the table holds.

BLAS packs the large matrix before it multiplies; for a handful of columns that costs more than the
products. The same bits come for any number of threads.
"""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats


def times(X: Data, V: npt.ArrayLike) -> Floats:
    """Return X V, (n, b), of a table as the gate returns it.

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
    """Return X'U, (d, b); of sparse rows, where it is needed often, use `times` of X' instead."""
    columns = np.ascontiguousarray(U, dtype=np.float64)
    if sp.issparse(X):
        return np.asarray(X.T @ columns)
    out = np.empty((X.shape[1], columns.shape[1]))
    _native.transposed_table_times(native_table(X), columns, out)
    return out


def gram_times(X: Data, V: npt.ArrayLike, mean: Floats | None = None) -> Floats:
    """Return (X - 1 m')'(X - 1 m') V, (d, b), in one reading of dense X; no mean is 0.

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
