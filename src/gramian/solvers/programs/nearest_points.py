"""The nearest points of two convex hulls, by Wolfe's method."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.linalg

from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Data, Floats, is_sparse

_GAP = 1e-12  # relative gap at which the squared distance has converged
_NEAR = 1e-6  # relative gap accepted if rounding stops the descent earlier
_ROUNDING = 16 * np.finfo(float).eps  # relative error of an inner product


class NearestPoints(NamedTuple):
    """The nearest points of two hulls.

    Attributes
    ----------
    direction
        u = p - q, from the point of the second hull to that of the first.
    left, right
        The weights of the rows: p = sum_i left_i a_i, q = sum_j right_j b_j.
    steps
        Number of steps.
    gap
        The fraction of |u|^2 by which a pair of rows lies below the plane through u; 0 up to
        rounding at the optimum.
    converged
        Whether the gap is small enough.
    """

    direction: Floats
    left: Floats
    right: Floats
    steps: int
    gap: float
    converged: bool


def nearest_points(A: Data, B: Data, *, max_iter: int = 1000) -> NearestPoints:
    """Find the nearest points of the convex hulls of two sets of rows.

    The hull of the differences a_i - b_j is searched for the point u nearest to the origin. The
    pair lowest along u is added to the corral, a few differences whose mean is u; u moves to the
    point of their affine hull nearest to the origin, and pairs whose weight would become negative
    are removed (Wolfe 1976). The distance falls with every pair, so no corral occurs twice and the
    method ends at the exact point, up to rounding. A step costs one pass over the rows and a QR
    factorisation of the corral, which has at most d + 1 pairs.

    Parameters
    ----------
    A, B
        Arrays or CSR matrices (n, d) and (m, d); their squares must be finite.
    max_iter
        Maximum number of pairs added.

    Examples
    --------
    >>> found = nearest_points(np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([[-2.0, 0.5]]))
    >>> np.abs(found.direction).round(6), found.left.round(6), found.right
    (array([3., 0.]), array([0.75, 0.25]), array([1.]))
    """
    with one_blas_thread():  # passes alternate with small factorisations
        return _descend(A, B, max_iter)


def _descend(A: Data, B: Data, max_iter: int) -> NearestPoints:
    reach = float(np.sqrt(max(_longest(A), _longest(B))))
    corral = Corral([(0, 0)], [_difference(A, B, 0, 0)])
    steps, gap, converged = 1, np.inf, False
    while True:
        u = corral.point
        along, across = np.asarray(A @ u), np.asarray(B @ u)
        i, j = int(np.argmin(along)), int(np.argmax(across))
        square = float(u @ u)
        if square <= (_ROUNDING * reach) ** 2:  # the hulls meet
            gap, converged = 0.0, True
            break
        room = square - float(along[i] - across[j])
        gap = max(room / square, 0.0) if square > 0 else 0.0
        converged = bool(room <= _GAP * square + _ROUNDING * reach * np.sqrt(square))
        if not converged and (i, j) in corral.pairs:  # any further gain is below rounding
            converged = gap <= _NEAR
            break
        if converged or steps == max_iter:
            break
        trial = Corral([*corral.pairs, (i, j)], [*corral.rows, _difference(A, B, i, j)])
        trial.weights = np.append(corral.weights, 0.0)
        steps += 1
        if not trial.shorten() or float(trial.point @ trial.point) >= square:
            converged = gap <= _NEAR  # any further gain is below rounding
            break
        corral = trial
    left, right = np.zeros(A.shape[0]), np.zeros(B.shape[0])
    np.add.at(left, [i for i, _ in corral.pairs], corral.weights)
    np.add.at(right, [j for _, j in corral.pairs], corral.weights)
    return NearestPoints(corral.point, left, right, steps, gap, converged)


class Corral:
    """Affinely independent differences of rows, and the weights of their mean."""

    def __init__(self, pairs: list[tuple[int, int]], rows: list[Floats]) -> None:
        self.pairs, self.rows, self.point = pairs, rows, rows[0]
        self.weights: Floats = np.ones(1)

    def _mean(self, weights: Floats) -> Floats:
        """Return the mean u from its optimality condition Z w = 1, w = u / |u|^2.

        The w of least norm is more accurate than the mean of long rows. If the rows are linearly
        dependent, their affine hull contains the origin, and u is the mean itself.
        """
        Z = np.array(self.rows)
        Q, R = np.linalg.qr(Z.T)
        diagonal = np.abs(R.diagonal())
        if len(Z) > Z.shape[1] or (diagonal <= _ROUNDING * diagonal.max()).any():
            return np.asarray(weights @ Z)
        w, left = np.zeros(Z.shape[1]), np.ones(len(Z))
        for _ in range(2):  # the second iteration reduces rounding errors
            w = w + Q @ scipy.linalg.solve_triangular(R, left, trans="T", check_finite=False)
            left = 1 - Z @ w
        return np.asarray(w / (w @ w))

    def shorten(self) -> bool:
        """Move to the mean nearest to the origin; return False if the rows are dependent."""
        while True:
            aim = _affine_weights(np.array(self.rows))
            if aim is None:
                return False
            if aim.min() > 0:
                self.weights, self.point = aim, self._mean(aim)
                return True
            falls = np.flatnonzero(aim <= 0)
            now = self.weights[falls]
            reached = now / (now - aim[falls])  # the fraction of the step at which a weight is 0
            first = falls[np.argmin(reached)]
            self.weights = self.weights + float(reached.min()) * (aim - self.weights)
            self.weights[first] = 0.0
            kept = np.flatnonzero(self.weights > 0)
            self.pairs = [self.pairs[k] for k in kept]
            self.rows = [self.rows[k] for k in kept]
            self.weights = self.weights[kept] / self.weights[kept].sum()


def _affine_weights(Z: Floats) -> Floats | None:
    """Return mu, of sum 1, for which sum_k mu_k z_k is shortest; None for dependent rows.

    From a row z_0 on, by least squares: z_0 + sum_k mu_k (z_k - z_0).
    """
    if len(Z) > Z.shape[1] + 1:
        return None
    Q, R = np.linalg.qr((Z[1:] - Z[0]).T)
    diagonal = np.abs(R.diagonal())
    if (diagonal <= _ROUNDING * diagonal.max(initial=0.0)).any():
        return None
    rest = scipy.linalg.solve_triangular(R, -(Q.T @ Z[0]), check_finite=False)
    return np.concatenate([[1 - rest.sum()], rest])


def _difference(A: Data, B: Data, i: int, j: int) -> Floats:
    return _row(A, i) - _row(B, j)


def _row(table: Any, i: int) -> Floats:
    row: npt.NDArray[Any] = table[[i]].toarray()[0] if is_sparse(table) else table[i]
    return np.asarray(row, dtype=float)


def _longest(table: Data) -> float:
    """Return the largest squared norm of a row."""
    squares = table.multiply(table).sum(axis=1) if is_sparse(table) else (table**2).sum(axis=1)
    return float(np.max(squares))
