r"""The push-through identity, which moves an inverse to the smaller side.

    (P^{-1} + B^T R^{-1} B)^{-1} B^T R^{-1}  =  P B^T (B P B^T + R)^{-1}

for positive definite P (d, d) and R (n, n) and any B (n, d). With P = I / lambda and R = I it is
ridge regression in its primal and dual forms; with covariances, the gain of a Kalman filter.
"""

from typing import Literal

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.runtime.lapack import cholesky, solve_by_cholesky
from gramian.base.types import Floats
from gramian.linalg.checks import check_matrix, check_symmetric


def push_through(
    P: ArrayLike, B: ArrayLike, R: ArrayLike, *, side: Literal["auto", "left", "right"] = "auto"
) -> Floats:
    """Return (P^-1 + B^T R^-1 B)^-1 B^T R^-1 = P B^T (B P B^T + R)^-1.

    Parameters
    ----------
    P
        Positive definite matrix (d, d).
    B
        Matrix (n, d).
    R
        Positive definite matrix (n, n).
    side
        Which form to compute; ``"auto"`` solves the smaller system.

    Examples
    --------
    >>> push_through([[1.0]], [[2.0]], [[1.0]])
    array([[0.4]])
    """
    p, r = (
        check_symmetric("push_through", P, name="P"),
        check_symmetric("push_through", R, name="R"),
    )
    b = check_matrix("push_through", B, name="B")
    if b.shape != (len(r), len(p)):
        raise DataError(
            f"push_through: B must have shape ({len(r)}, {len(p)}) to match R and P; got {b.shape}."
        )
    (root_p, failed_p), (root_r, failed_r) = cholesky(p), cholesky(r)
    if failed_p or failed_r:
        raise DataError("push_through: P and R must be positive definite.")
    if side == "right" or (side == "auto" and len(r) <= len(p)):
        return np.asarray(scipy.linalg.solve(b @ p @ b.T + r, b @ p, assume_a="pos").T)
    scaled = solve_by_cholesky(root_r, b).T  # B^T R^-1
    inverse = solve_by_cholesky(root_p, np.eye(len(p)))
    return np.asarray(scipy.linalg.solve(inverse + scaled @ b, scaled, assume_a="pos"))
