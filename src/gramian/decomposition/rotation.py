r"""Rotations of factor loadings to simple structure.

Loadings L (d, k) and L R with orthogonal R fit a covariance equally well. With the rotated loadings
l_ij, the quartimax rotation maximises sum l_ij^4, few factors per variable; varimax the variance
of the squares within each factor, sum_j (mean l_ij^4 - (mean l_ij^2)^2). Both by repeated polar
decompositions. See Harman, *Modern Factor Analysis*, 1976, chapter 13.
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
    tol: float = 1e-13,
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
        Relative gain at which to stop.
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
    R = np.eye(k)
    before = 0.0
    for _ in range(max_iter if k > 1 else 0):
        turned = L @ R
        slope = turned**3
        if method == "varimax":
            slope = slope - turned * (turned**2).sum(axis=0) / d
        U, sizes, Vt = np.linalg.svd(L.T @ slope)
        R = U @ Vt
        gain = float(sizes.sum())
        if gain <= before * (1 + tol):
            break
        before = gain
    return RotatedLoadings(L @ R, R)
