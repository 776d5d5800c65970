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
from gramian.base.randomness import stream
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
    k = L.shape[1]
    if k < 2:
        return RotatedLoadings(L, np.eye(k))
    # Loadings of equal size are a minimum where no step leads away; another start leaves it.
    other = np.linalg.qr(stream(0).standard_normal((k, k)))[0]
    found = [_climb(L, R, method, tol, max_iter) for R in (np.eye(k), other)]
    best = found[int(_simplicity(L @ found[1], method) > _simplicity(L @ found[0], method) + tol)]
    return RotatedLoadings(L @ best, best)


def _climb(L: Floats, R: Floats, method: str, tol: float, max_iter: int) -> Floats:
    """Return the rotation that repeated polar decompositions reach."""
    before = 0.0
    for _ in range(max_iter):
        turned = L @ R
        slope = turned**3
        if method == "varimax":
            slope = slope - turned * (turned**2).sum(axis=0) / len(L)
        U, sizes, Vt = np.linalg.svd(L.T @ slope)
        R = U @ Vt
        gain = float(sizes.sum())
        if gain <= before * (1 + tol):
            break
        before = gain
    return R


def _simplicity(loadings: Floats, method: str) -> float:
    """Return what the rotation maximises."""
    squares = loadings**2
    spread = (squares.sum(axis=0) ** 2).sum() / len(loadings) if method == "varimax" else 0.0
    return float((squares**2).sum() - spread)
