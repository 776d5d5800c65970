"""More columns than rows: the same problem in as many coordinates as there are rows.

With a penalty on |w|^2 (and likewise for the shortest w without one) the best w is a combination
of the rows, w = X' a. From the Gram matrix of the rows,

    X X' = V D V',    Z = V D^(1/2),    w = X' V D^(-1/2) u    =>    X w = Z u,  |w| = |u|,

so the problem of n x n numbers Z with unknowns u has the same values. (Hastie and Tibshirani 2004,
"Efficient quadratic regularization for expression arrays".)
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg

from gramian.base.gate import Matrix
from gramian.objectives.loss import Floats


class RowSpace(NamedTuple):
    """The rows in coordinates Z of their own space, and the way back to the columns."""

    Z: Floats
    basis: Floats  # (d, rank), orthonormal columns

    def weights(self, u: Floats) -> Floats:
        """Return w of the coordinates u."""
        return self.basis @ u

    def coordinates(self, w: Floats) -> Floats:
        """Return u of the weights w, projected on the rows' space."""
        return self.basis.T @ w


def is_wide(n: int, d: int, *, sparse: bool) -> bool:
    """Tell whether the rows' own coordinates pay: fewer, and few enough for a factorisation."""
    return not sparse and n < d and n <= 2000 and d > 250


def row_space(X: Matrix) -> RowSpace:
    """Return the rows' coordinates; directions that rounding alone fills are left out.

    Examples
    --------
    >>> space = row_space(np.array([[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]]))
    >>> np.allclose(space.Z @ space.basis.T, [[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]])
    True
    """
    X = X.astype(float, copy=False)
    values, V = scipy.linalg.eigh(X @ X.T)
    kept = values > len(X) * np.finfo(float).eps * max(float(values[-1]), 0.0)
    kept[-1] |= not kept.any()  # rows of zeros keep one coordinate
    root = np.sqrt(np.maximum(values[kept], 0.0))
    inverse = np.divide(1.0, root, out=np.zeros_like(root), where=root > 0)
    return RowSpace(np.ascontiguousarray(V[:, kept] * root), X.T @ (V[:, kept] * inverse))
