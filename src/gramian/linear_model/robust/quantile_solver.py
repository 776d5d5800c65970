"""Exact quantile regression: an interior-point method, then the nearest vertex.

    min_b sum_i w_i rho(y_i - x_i'b),     rho(r) = r (q - [r < 0])

is a linear program whose dual is  max y'a,  X'a = (1 - q) X'w,  0 <= a <= w. Mehrotra's
predictor-corrector steps on it (the Frisch-Newton method of Portnoy and Koenker 1997) take about
fifteen weighted Gram matrices. They end near a vertex, where as many residuals are 0 as there are
unknowns; solving for these rows gives a candidate, and the multipliers of its rows prove it
optimal, or identify the row to leave (Barrodale and Roberts 1973).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.optimize import linprog

from gramian import _native
from gramian.base.rows.moments import Vector
from gramian.base.rows.native_table import native_table
from gramian.base.runtime import lapack
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Matrix

_MAX_STEPS = 60  # maximum number of interior-point steps
_BOUNDARY_FRACTION = 0.99995  # fraction of the distance to the boundary
_TOLERANCE = 1e-9


class Vertex(NamedTuple):
    """A solution with as many zero residuals as unknowns."""

    b: Vector
    n_iter: int
    certified: bool  # the multipliers prove it optimal


def solve_quantile(X: Matrix, y: Vector, w: Vector, q: float, max_pivots: int) -> Vertex:
    """Minimise over b; X (n, m) float64, C order, of full column rank; w > 0."""
    if not y.any() or X.shape[1] == 0:  # such as a constant target minus its median
        return Vertex(np.zeros(X.shape[1]), 0, True)
    b, n_iter = _interior_point(X, y, w, q)
    vertex = _pivot(X, y, w, q, b, n_iter, max_pivots)
    return vertex if vertex.certified else _by_simplex(X, y, w, q, vertex.n_iter)


def _interior_point(X: Matrix, y: Vector, w: Vector, q: float) -> tuple[Vector, int]:
    """Iterate to a relative gap of about 1e-10; return the best point and the number of steps."""
    a = (1 - q) * w  # the dual point, feasible from the start, with its slack
    s = w - a
    gram, moment = _gram(X, w, y)
    factor, lost = lapack.cholesky(gram)
    b = np.zeros(X.shape[1]) if lost else lapack.solve_by_cholesky(factor, moment)
    r = _product(X, b) - y
    shift = 1e-3 * max(float(np.abs(r).mean()), np.finfo(float).tiny)
    z, v = np.maximum(r, 0) + shift, np.maximum(-r, 0) + shift  # z - v = X b - y
    size = float(np.sum(w * np.abs(y))) + 1e-300
    best, least = b, _cost(v - z, w, q)
    for step in range(_MAX_STEPS):  # noqa: B007 - the count is returned
        gap = float(np.sum(z * a + v * s))
        if gap <= 1e-10 * size:
            break
        d = 1 / (z / a + v / s)
        residual = z - v
        gram, moment = _gram(X, d, residual)
        factor, lost = lapack.cholesky(gram)
        if lost:  # too few rows near the optimum: close enough to find the vertex
            break
        db = -lapack.solve_by_cholesky(factor, moment)
        Xdb = _product(X, db)
        da, dz, dv = _directions(Xdb, residual, d, a, s, z, v, 0.0)
        fa, fb = _max_step(a, da, s, -da), _max_step(z, dz, v, dv)
        if min(fa, fb) < 1:  # correct for the curvature of the central path
            after = np.sum((z + fb * dz) * (a + fa * da) + (v + fb * dv) * (s - fa * da))
            mu = gap * (float(after) / gap) ** 3 / (2 * len(y))
            second_order = (da * dz, -da * dv)
            residual = residual - (mu - second_order[0]) / a + (mu - second_order[1]) / s
            db = -lapack.solve_by_cholesky(factor, _moment(X, d, residual))
            Xdb = _product(X, db)
            da, dz, dv = _directions(Xdb, residual, d, a, s, z, v, mu, second_order)
            fa, fb = _max_step(a, da, s, -da), _max_step(z, dz, v, dv)
        a, s = a + fa * da, s - fa * da
        b, z, v = b + fb * db, z + fb * dz, v + fb * dv
        if (cost := _cost(v - z, w, q)) <= least:  # a centring step may raise the cost
            best, least = b, cost
    return best, step


def _cost(r: Vector, w: Vector, q: float) -> float:
    """Return sum_i w_i rho(r_i)."""
    return float(np.sum(w * r * np.where(r < 0, q - 1, q)))


def _gram(X: Matrix, w: Vector, y: Vector) -> tuple[Matrix, Vector]:
    """Return X'WX and X'Wy, in one pass."""
    m = X.shape[1]
    out = np.zeros((m + 2, m + 2))
    _native.gram(native_table(X), y[:, None], w, np.zeros(m + 1), True, out)
    return out[:m, :m], out[:m, m].copy()


def _moment(X: Matrix, w: Vector, y: Vector) -> Vector:
    """Return X'Wy: the gradient of the squared loss at 0 with targets -y."""
    out = np.empty(X.shape[1])
    _native.loss_gradient("squared", native_table(X), -y, w, np.zeros(X.shape[1]), out)
    return out


def _product(X: Matrix, b: Vector) -> Vector:
    out = np.empty(len(X))
    _native.margins(native_table(X), b, out)
    return out


def _directions(
    Xdb: Vector,
    residual: Vector,
    d: Vector,
    a: Vector,
    s: Vector,
    z: Vector,
    v: Vector,
    mu: float,
    second_order: tuple[Vector, Vector] = (np.zeros(1), np.zeros(1)),
) -> tuple[Vector, Vector, Vector]:
    """Return the steps of a, z, v that follow from that of b."""
    da = -d * (Xdb + residual)
    dz = mu / a - z - (z * da + second_order[0]) / a
    dv = mu / s - v + (v * da - second_order[1]) / s
    return da, dz, dv


def _max_step(a: Vector, da: Vector, s: Vector, ds: Vector) -> float:
    """Return the longest step, at most 1, that keeps both positive."""
    fastest = max(float(np.max(-da / a)), float(np.max(-ds / s)), 1e-300)
    return min(1.0, _BOUNDARY_FRACTION / fastest)


def _pivot(
    X: Matrix, y: Vector, w: Vector, q: float, b: Vector, n_iter: int, max_pivots: int
) -> Vertex:
    """Move from the interior to a vertex, and between vertices until one is optimal."""
    n = len(X)
    basis = _independent_rows(X, np.abs(y - _product(X, b)))
    for pivot in range(max_pivots):
        inverse = np.linalg.inv(X[basis])
        b = inverse @ y[basis]
        b += inverse @ (y[basis] - X[basis] @ b)
        r = y - _product(X, b)
        r[basis] = 0
        scale = np.abs(y).max(initial=0.0) + np.abs(_product(X, b)).max(initial=0.0)
        r[np.abs(r) <= 1e-13 * scale] = 0
        slope = np.where(r < 0, q - 1, q) * w
        slope[basis] = 0
        tied = np.flatnonzero(r == 0)
        tied = tied[~np.isin(tied, basis)]
        slope[tied] = 0  # kinks at the vertex: any slope between (q - 1) w and q w
        balance = _moment(X, slope, np.ones(n))
        multiplier = -balance @ inverse
        above = multiplier - q * w[basis]
        below = (q - 1) * w[basis] - multiplier
        worst = np.maximum(above, below)
        allowed = _TOLERANCE * max(float(w.max()), float(np.abs(slope).sum()) * 1e-6)
        leaving = int(np.argmax(worst))
        if worst[leaving] <= allowed:
            return Vertex(b, n_iter + pivot, True)
        if len(tied):  # a degenerate vertex: the multipliers of one basis prove nothing
            at = np.concatenate([basis, tied])
            return Vertex(b, n_iter + pivot, _kinks_balance(X[at], w[at], q, balance))
        sign = 1.0 if above[leaving] > below[leaving] else -1.0
        # Lowering the fitted value of the leaving row, or raising it, lowers the cost; go along
        # the edge to the kink where the slope of the cost changes sign.
        along = _product(X, -sign * inverse[:, leaving])
        along[basis] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            where = np.where(along != 0, r / along, np.inf)
        ahead = np.flatnonzero((where > 0) & np.isfinite(where))
        order = ahead[np.argsort(where[ahead])]
        gained = np.cumsum(w[order] * np.abs(along[order]))
        stop = int(np.searchsorted(gained, worst[leaving]))
        if stop >= len(order):
            break
        basis[leaving] = order[stop]
    return Vertex(b, n_iter + max_pivots, False)


def _kinks_balance(X: Matrix, w: Vector, q: float, slope: Vector) -> bool:
    """Return whether slopes in [(q - 1) w, q w] of rows at kinks balance the other slopes."""
    bounds = np.column_stack([(q - 1) * w, q * w])
    scale = np.abs(X).max(axis=0) * w.max()
    A, b, zeros = (X / scale).T, -slope / scale, np.zeros(len(X))
    found = interruptible(
        PROGRAM * X.size, lambda: linprog(zeros, A_eq=A, b_eq=b, bounds=bounds.tolist())
    )
    return bool(found.status == 0)


def _by_simplex(X: Matrix, y: Vector, w: Vector, q: float, n_iter: int) -> Vertex:
    """Solve the dual by HiGHS; the coefficients are the multipliers of its constraints.

    The weights are divided by the largest, since HiGHS treats bounds from 1e20 on as infinite.
    """
    w = w / w.max()
    bounds = np.column_stack([np.zeros(len(w)), w])
    b = (1 - q) * (X.T @ w)
    found = interruptible(
        PROGRAM * X.size,
        lambda: linprog(-y, A_eq=X.T, b_eq=b, bounds=bounds.tolist(), method="highs-ds"),
    )
    return Vertex(-found.eqlin.marginals, n_iter + int(found.nit), found.status == 0)


def _independent_rows(X: Matrix, size: Vector) -> npt.NDArray[np.intp]:
    """Return m independent rows with residuals as small as possible, smallest first."""
    m = X.shape[1]
    Q, chosen = np.zeros((m, m)), np.zeros(m, dtype=np.intp)
    k, begin = 0, 0
    order = np.argsort(size, kind="stable") if len(size) <= 4 * m else _smallest_first(size, 4 * m)
    while k < m:
        if begin == len(size):  # columns that are nearly multiples of each other
            rows = scipy.linalg.qr(X.T, mode="r", pivoting=True)[1][:m]
            return np.asarray(rows[np.argsort(size[rows])])
        if begin == len(order):
            order = np.argsort(size, kind="stable")
        x = X[order[begin]]
        residual = x - Q[:k].T @ (Q[:k] @ x)
        residual -= Q[:k].T @ (Q[:k] @ residual)
        length = float(np.linalg.norm(residual))
        if length > 1e-9 * float(np.linalg.norm(x)):
            Q[k], chosen[k] = residual / length, order[begin]
            k += 1
        begin += 1
    return chosen


def _smallest_first(size: Vector, count: int) -> npt.NDArray[np.intp]:
    rows = np.argpartition(size, count)[:count]
    return np.asarray(rows[np.argsort(size[rows])])
