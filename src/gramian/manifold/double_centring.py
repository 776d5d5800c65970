r"""Inner products from squared distances, and coordinates from inner products.

    b_rs = (d_r.^2 + d_.s^2 - d_..^2 - d_rs^2) / 2,    B = C D C',    z_j = sqrt(l_j) c_j

with means over the dotted index. B is positive semidefinite if and only if the distances are
Euclidean.
"""

from typing import NamedTuple

import numpy as np

from gramian.base.randomness import stream
from gramian.base.rows.table_products import times
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.linalg.block_krylov import block_krylov, top_eigenpairs

_BLOCK = 1 << 16  # entries of a block of rows, which stays in cache


class InnerProducts(NamedTuple):
    """B, and the means of the squared distances, for new points."""

    B: Floats
    row_means: Floats
    mean: float


def double_centred(D: Floats) -> InnerProducts:
    """Return the inner products about the centre of points with these distances.

    Examples
    --------
    >>> double_centred(np.array([[0.0, 2.0], [2.0, 0.0]])).B.tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    means = np.einsum("ij,ij->i", D, D, dtype=np.float64) / len(D)
    mean = float(means.mean())
    B = np.empty(D.shape)
    step = max(1, _BLOCK // len(D))
    for start in range(0, len(D), step):
        rows = slice(start, start + step)
        part = B[rows]
        np.multiply(D[rows], D[rows], out=part, dtype=np.float64)
        part -= means
        part -= (means[rows] - mean)[:, None]
        part *= -0.5
    return InnerProducts(B, means, mean)


def coordinates_of(B: Floats, k: int) -> tuple[Floats, Floats]:
    """Return the k largest eigenvalues of B and the points; 0 if an eigenvalue is not positive.

    Examples
    --------
    >>> values, points = coordinates_of(np.array([[1.0, -1.0], [-1.0, 1.0]]), 1)
    >>> values.tolist(), np.abs(points).round(9).tolist()
    ([2.0], [[1.0], [1.0]])
    """
    values, C = top_eigenpairs(B, k)
    return values, np.asarray(C * np.sqrt(np.maximum(values, 0.0)))


def least_eigenvalue(B: Floats) -> float:
    """Estimate the smallest eigenvalue, which is far below 0 if distances are not Euclidean."""
    n = len(B)
    if n <= 300:
        return float(lapack.eigvalsh(B)[0])
    start = stream(0).standard_normal((n, 8))
    found = block_krylov(lambda Q: -times(B, Q), start, 1, tol=1e-3, max_products=10)
    return float(-found.values[0])
