r"""Rotations of factor loadings to simple structure.

Loadings L (d, k) and L R with orthogonal R fit a covariance equally well. With the rotated loadings
l_ij, the quartimax rotation maximises sum l_ij^4, for few factors per variable; varimax maximises
the variance of the squares within each factor, sum_j (mean l_ij^4 - (mean l_ij^2)^2). Both rotate
pairs of factors by the optimal angle (Kaiser 1958). See Harman, *Modern Factor Analysis*, 1976,
chapter 13.
"""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.linalg.checks import check_matrix


class RotatedLoadings(NamedTuple):
    """Loadings (d, k) after a rotation, and the rotation (k, k): loadings = given @ rotation."""

    loadings: Floats
    rotation: Floats


def rotate_loadings(
    loadings: npt.ArrayLike,
    method: Literal["varimax", "quartimax"] = "varimax",
    *,
    tol: float = 1e-10,
    max_iter: int = 500,
) -> RotatedLoadings:
    """Rotate factor loadings so that each variable loads on few factors.

    Parameters
    ----------
    loadings
        Variables by factors (d, k).
    method
        "varimax" or "quartimax".
    tol
        Angle in radians below which to stop.
    max_iter
        Most iterations.

    Examples
    --------
    >>> mixed = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [1.0, -1.0]])
    >>> np.abs(rotate_loadings(mixed).loadings.round(3)).max(axis=0).tolist()
    [1.414, 1.414]
    """
    L = check_matrix("rotate_loadings", loadings, name="loadings")
    if method not in ("varimax", "quartimax"):
        raise ParameterError(
            f"rotate_loadings: method must be 'varimax' or 'quartimax'; got {method!r}."
        )
    d, k = L.shape
    # Angles come from fourth powers; scaling by a power of two is exact.
    unit = np.ldexp(1.0, int(np.frexp(np.abs(L).max(initial=0.0))[1]) - 1)
    turned, R = L / unit, np.eye(k)
    for _ in range(max_iter):
        largest = 0.0
        for i in range(k):
            for j in range(i + 1, k):
                angle = _angle(turned[:, i], turned[:, j], d if method == "varimax" else np.inf)
                c, s = np.cos(angle), np.sin(angle)
                turn = np.array([[c, -s], [s, c]])
                turned[:, [i, j]] = turned[:, [i, j]] @ turn
                R[:, [i, j]] = R[:, [i, j]] @ turn
                largest = max(largest, abs(angle))
        if largest <= tol:
            break
    return RotatedLoadings(turned * unit, R)


def _angle(x: Floats, y: Floats, d: float) -> float:
    """Return the angle of rotation of two factors that maximises their criterion."""
    u, v = x**2 - y**2, 2 * x * y
    above = 2 * float(u @ v) - 2 * float(u.sum() * v.sum()) / d
    below = float(u @ u - v @ v) - float(u.sum() ** 2 - v.sum() ** 2) / d
    return float(np.arctan2(above, below) / 4)
