"""All distances between two sets of rows."""

import numpy as np

from gramian import _native
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Matrix


def distance_matrix(X: Matrix, Y: Matrix, out: Matrix | None = None) -> Matrix:
    """Return the Euclidean distances of the rows of X from those of Y, in the dtype of X.

    Every block of rows is a separate product, so the result does not depend on the BLAS threads.

    Examples
    --------
    >>> distance_matrix(np.zeros((1, 2)), np.array([[3.0, 4.0]]))
    array([[5.]])
    """
    rows = np.ascontiguousarray(X)
    found = np.empty((len(rows), len(Y)), dtype=rows.dtype) if out is None else out
    with one_blas_thread():
        _native.distance_matrix(rows, np.ascontiguousarray(Y, dtype=np.float64), found)
    return found
