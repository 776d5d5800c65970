r"""Inner products from squared distances, and coordinates from inner products.

    b_rs = (d_r.^2 + d_.s^2 - d_..^2 - d_rs^2) / 2,    B = C D C',    z_j = sqrt(l_j) c_j

with means over the dotted index. B is positive semidefinite exactly if the distances are Euclidean.
"""

from typing import NamedTuple

import numpy as np

from gramian.base.randomness import stream
from gramian.base.runtime import lapack
from gramian.base.types import Floats
from gramian.linalg import block_krylov
from gramian.linalg.block_krylov import pairs_of


class InnerProducts(NamedTuple):
    """B, and the means of the squared distances that new points need."""

    B: Floats
    row_means: Floats
    mean: float


def double_centred(squares: Floats) -> InnerProducts:
    """Return the inner products about the centre of points with these squared distances.

    Examples
    --------
    >>> double_centred(np.array([[0.0, 4.0], [4.0, 0.0]])).B.tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    means = squares.mean(axis=0)
    mean = float(means.mean())
    B = squares - means
    B -= means[:, None]
    B += mean
    B *= -0.5
    return InnerProducts(B, means, mean)


def coordinates_of(B: Floats, k: int) -> tuple[Floats, Floats]:
    """Return the k largest eigenvalues of B and the points; 0 where an eigenvalue is not positive.

    Examples
    --------
    >>> values, points = coordinates_of(np.array([[1.0, -1.0], [-1.0, 1.0]]), 1)
    >>> values.tolist(), np.abs(points).round(9).tolist()
    ([2.0], [[1.0], [1.0]])
    """
    values, C = pairs_of(B, k)
    return values, np.asarray(C * np.sqrt(np.maximum(values, 0.0)))


def least_eigenvalue(B: Floats) -> float:
    """Return the smallest eigenvalue, nearly: far below 0 if distances are not Euclidean."""
    n = len(B)
    if n <= 300:
        return float(lapack.eigvalsh(B)[0])
    start = stream(0).standard_normal((n, 4))
    found = block_krylov(lambda Q: -(B @ Q), start, 1, tol=1e-3, max_products=15)
    return float(-found.values[0])
