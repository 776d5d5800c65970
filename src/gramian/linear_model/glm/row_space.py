"""Problems with more columns than rows, reduced to n coordinates.

With a penalty on |w|^2 (and likewise for the shortest w without one) the best w is a combination
of the rows, w = X' a. From a root of the Gram matrix of the rows,

    X X' = Z Z',    w = X' (Z')^-1 u    =>    X w = Z u,  |w| = |u|,

so the problem with the n x n matrix Z and unknowns u has the same values. (Hastie and Tibshirani
2004, "Efficient quadratic regularization for expression arrays".) Z is the Cholesky factor or, if
the rows are linearly dependent, V D^(1/2) from the eigenvectors.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg
from scipy.linalg import lapack

from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix

_MIN_RCOND = 1e-10  # smallest reciprocal condition number for the Cholesky factor


class RowSpace(NamedTuple):
    """Coordinates Z of the rows in the space they span, and the map back to the columns."""

    Z: Floats
    X: Floats
    inverse: Floats  # (n, rank): its transpose times X has orthonormal rows

    def weights(self, u: Floats) -> Floats:
        """Return w for the coordinates u."""
        return np.asarray(self.X.T @ (self.inverse @ u))


def is_wide(n: int, d: int, *, sparse: bool) -> bool:
    """Return whether the reduction pays off: it costs less than forty passes over X."""
    cost = 0.35 * n**2 * d / 2 + n**3
    return not sparse and n < d and d > 250 and cost <= 40 * (5e5 + 2 * n * d)


def row_space(X: Matrix) -> RowSpace:
    """Return the coordinates of the rows, without directions of rounding error alone.

    Examples
    --------
    >>> space = row_space(np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]]))
    >>> space.Z
    array([[5., 0.],
           [0., 2.]])
    >>> space.weights(np.array([5.0, 0.0]))
    array([3., 4., 0.])
    """
    X = X.astype(float, copy=False)
    with one_blas_thread():
        return _by_cholesky(X, gram := X @ X.T) or _by_eigenvectors(X, gram)


def _by_cholesky(X: Floats, gram: Floats) -> RowSpace | None:
    root, failed = lapack.dpotrf(gram, lower=1, clean=1)
    if failed or not lapack.dpocon(root, np.abs(gram).sum(axis=0).max(), uplo="L")[0] > _MIN_RCOND:
        return None
    inverse = lapack.dtrtri(root, lower=1)[0]
    return RowSpace(np.ascontiguousarray(root), X, np.ascontiguousarray(inverse.T))


def _by_eigenvectors(X: Floats, gram: Floats) -> RowSpace:
    values, V = scipy.linalg.eigh(gram)
    kept = values > len(X) * np.finfo(float).eps * max(float(values[-1]), 0.0)
    kept[-1] |= not kept.any()  # rows of zeros keep one coordinate
    root = np.sqrt(np.maximum(values[kept], 0.0))
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    return RowSpace(np.ascontiguousarray(V[:, kept] * root), X, V[:, kept] * inverse)
