"""Sequential minimal optimisation of the SVM dual, two variables at a time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


class DualSolution(NamedTuple):
    """A solution of the dual of a support vector machine.

    Attributes
    ----------
    alpha
        The multipliers, in [0, C].
    b
        The bias: the mean over the rows with 0 < alpha_i < C of y_i - sum_j alpha_j y_j K_ij, or
        the middle of the interval that the bounds allow.
    value
        sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij.
    steps
        Number of steps.
    violation
        The largest remaining violation of the optimality conditions.
    """

    alpha: Floats
    b: float
    value: float
    steps: int
    violation: float


def smo(
    K: npt.ArrayLike,
    y: npt.ArrayLike,
    C: float | npt.ArrayLike = 1.0,
    *,
    tol: float = 1e-6,
    max_iter: int = 1_000_000,
) -> DualSolution:
    """Solve the dual of a support vector machine for a given Gram matrix.

    ::

        maximise  sum_i alpha_i - 1/2 sum_ij alpha_i alpha_j y_i y_j K_ij
        subject to  0 <= alpha_i <= C_i,   sum_i alpha_i y_i = 0

    The equality constraint does not allow changing a single alpha, so two change at a time (Platt
    1998): the pair that violates the conditions most, the second one chosen by the predicted gain
    (Fan, Chen and Lin 2005), along the line alpha_i y_i + alpha_j y_j = const., in closed form,
    clipped to the box. A step costs O(n).

    Parameters
    ----------
    K
        Gram matrix (n, n), symmetric and positive semidefinite: X X' or any kernel.
    y
        -1 or 1 for each row.
    C
        Upper bound of the multipliers, one number or one per row; infinity gives the hard margin.
    tol
        Stop when no pair violates the conditions by more than this.
    max_iter
        Maximum number of steps.

    Examples
    --------
    >>> X, y = np.array([[1.0, 1.0], [-1.0, -1.0]]), np.array([1.0, -1.0])
    >>> found = smo(X @ X.T, y)
    >>> found.alpha, found.b, (found.alpha * y) @ X
    (array([0.25, 0.25]), 0.0, array([0.5, 0.5]))
    """
    K, y = np.asarray(K, dtype=float), np.asarray(y, dtype=float)
    n = len(y)
    if K.shape != (n, n) or not np.isin(y, (-1.0, 1.0)).all():
        raise DataError(
            f"smo: K must be square with one row per label, and y must be -1 or 1; got shape "
            f"{K.shape} and {n} labels."
        )
    bound = np.broadcast_to(np.asarray(C, dtype=float), (n,))
    alpha = np.zeros(n)
    g = -np.ones(n)  # gradient of the dual, to be minimised: y_i f_i - 1 without the bias
    diagonal = np.diag(K)
    steps, violation = 0, np.inf
    while True:
        score = -y * g
        up = np.where(y > 0, alpha < bound, alpha > 0)  # alpha_i y_i may increase
        low = np.where(y > 0, alpha > 0, alpha < bound)  # alpha_i y_i may decrease
        if not up.any() or not low.any():
            violation = 0.0
            break
        i = int(np.argmax(np.where(up, score, -np.inf)))
        violation = max(0.0, float(score[i] - np.min(np.where(low, score, np.inf))))
        if violation <= tol or steps == max_iter:
            break
        gap = score[i] - score
        curvature = np.maximum(diagonal[i] + diagonal - 2 * K[i], 1e-12)
        j = int(np.argmax(np.where(low & (gap > 0), gap**2 / curvature, -np.inf)))
        room_i = bound[i] - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else bound[j] - alpha[j]
        t = min(gap[j] / curvature[j], room_i, room_j)
        alpha[i] += y[i] * t
        alpha[j] -= y[j] * t
        for k, room in ((i, room_i), (j, room_j)):
            if t == room:  # exactly on its bound, without rounding
                alpha[k] = 0.0 if alpha[k] < bound[k] / 2 else bound[k]
        g += y * t * (K[i] - K[j])
        steps += 1
    free = (alpha > 0) & (alpha < bound)
    score = -y * g
    if free.any():
        b = float(score[free].mean())
    else:
        top = float(np.max(score, where=up, initial=-np.inf))
        bottom = float(np.min(score, where=low, initial=np.inf))
        b = (top + bottom) / 2 if np.isfinite(top) and np.isfinite(bottom) else 0.0
    return DualSolution(alpha, b + 0.0, float(alpha.sum() - alpha @ (g + 1) / 2), steps, violation)
