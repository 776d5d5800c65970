"""Huber regression: coefficients and scale by Newton's method."""

import warnings
from numbers import Real
from typing import Annotated

import numpy as np
import scipy.linalg
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, Count, Interval, NonNegative, params
from gramian.base.inputs.gate import check_size
from gramian.base.rows.moments import Vector
from gramian.base.rows.native_table import native_table
from gramian.base.types import Mask, Matrix, is_sparse
from gramian.linear_model.robust.robust_regressor import RobustRegressor, Sample


@params(first=("epsilon", "max_iter", "alpha", "warm_start"))
class HuberRegressor(RobustRegressor):
    """Linear regression with the Huber loss: squared for small residuals, linear for large ones.

    Minimises over coefficients, intercept and scale s together

        sum_i w_i (s + s H((y_i - b - x_i'c) / s)) + alpha |c|^2,
        H(z) = z^2 where |z| <= epsilon, else 2 epsilon |z| - epsilon^2

    (Huber and Ronchetti 2009, 7.7), which is jointly convex. Where |r_i| <= epsilon s the term
    is s + r_i^2 / s, elsewhere linear, so a Newton step needs only the Gram matrix of the rows
    within, with one more column r_i / s; a few passes over the rows suffice. A step at most halves
    s, and the cost never rises.

    Parameters
    ----------
    epsilon
        Residual at which the loss becomes linear, in units of the scale; smaller is more robust.
    max_iter
        Maximum number of Newton steps.
    alpha
        Strength of the squared penalty.
    warm_start
        Whether to start from the previous fit.
    tol
        Stop when no component of the mean gradient, with scaled columns, is larger than this.

    Attributes
    ----------
    scale_ : float
        The scale s.
    n_iter_ : int
        Number of Newton steps.
    outliers_ : array (n,) of bool
        Rows beyond epsilon times the scale.

    Examples
    --------
    >>> from gramian import HuberRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], [0.1, 0.9, 2.1, 2.9, 4.1, 60.0]
    >>> HuberRegressor(alpha=0.0).fit(X, y).coef_.round(1)
    array([1.1])
    """

    _: KW_ONLY
    epsilon: Annotated[float, Interval(Real, 1)] = 1.35
    max_iter: Count = 100
    alpha: NonNegative = 1e-4
    warm_start: bool = False
    tol: NonNegative = 1e-5

    def _solve(self, sample: Sample) -> tuple[Vector, float]:
        table, targets, row_weights = sample
        check_size(self, "y", targets)
        w = np.ones(len(targets)) if row_weights is None else row_weights
        rows = (table.toarray() if is_sparse(table) else table).astype(np.float64)
        d = rows.shape[1]
        centre = np.average(rows, axis=0, weights=w) if self.fit_intercept else np.zeros(d)
        rows = rows - centre  # columns far from 0 are nearly multiples of the constant
        scale = np.sqrt(np.average(rows**2, axis=0, weights=w))
        constant = scale <= 1e-14 * np.abs(centre)
        rows[:, constant], scale[constant] = 0.0, 1.0
        unit = float(np.sqrt(np.average(targets**2, weights=w))) or 1.0
        ones = np.ones((len(rows), int(self.fit_intercept)))
        A = np.ascontiguousarray(np.hstack([rows / scale, ones]))
        ridge = np.append(self.alpha * unit / scale**2, np.zeros(int(self.fit_intercept)))
        start = self._start(centre, scale, unit)
        b, s, n_iter, converged = _newton(
            A, targets / unit, w, ridge, float(self.epsilon), self.tol, self.max_iter, start
        )
        coef = b[:d] * unit / scale
        level = float(b[d] * unit) if self.fit_intercept else 0.0
        intercept = level - float(coef @ centre)
        self.scale_, self.n_iter_ = float(s * unit), n_iter
        self.outliers_ = np.abs(targets - rows @ coef - level) > self.epsilon * self.scale_
        if not converged:
            warnings.warn(
                f"HuberRegressor: did not converge after max_iter={self.max_iter} steps; raise "
                "max_iter or tol, or scale the columns of X.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        return coef, intercept

    def _start(self, centre: Vector, scale: Vector, unit: float) -> tuple[Vector, float] | None:
        """Return the previous fit's unknowns if requested and of the same length."""
        known = self.warm_start and hasattr(self, "scale_") and len(self.coef_) == len(scale)
        if not known:
            return None
        b = self.coef_.astype(np.float64) * scale / unit
        if self.fit_intercept:
            b = np.append(b, (self.intercept_ + self.coef_ @ centre) / unit)
        return b, self.scale_ / unit


def _newton(
    A: Matrix,
    y: Vector,
    w: Vector,
    ridge: Vector,
    epsilon: float,
    tol: float,
    max_iter: int,
    start: tuple[Vector, float] | None,
) -> tuple[Vector, float, int, bool]:
    """Minimise over (b, s) from least squares and its scale, s > 0."""
    m, total = A.shape[1], float(w.sum())
    if start is None:
        gram, moment, _ = _gram(A, y, w)
        b: Vector = scipy.linalg.lstsq(gram + np.diag(2 * ridge), moment)[0]
        s = float(np.sqrt(w @ (y - A @ b) ** 2 / total))
        s = max(s, 1e-10)
    else:
        b, s = start

    def cost(b: Vector, s: float, r: Vector) -> float:
        size = np.abs(r)
        within = size <= epsilon * s
        terms = np.where(within, r * r / s, 2 * epsilon * size - epsilon**2 * s) + s
        return float(np.sum(w * terms) + ridge @ (b * b))

    r: Vector = y - A @ b
    value = cost(b, s, r)
    for n_iter in range(max_iter + 1):
        within: Mask = np.abs(r) <= epsilon * s
        pull: Vector = np.where(within, r / s, epsilon * np.sign(r))
        gradient = np.append(
            -2 * (A.T @ (w * pull)) + 2 * ridge * b,
            total - np.sum(w * np.where(within, (r / s) ** 2, epsilon**2)),
        )
        if np.abs(gradient).max() <= tol * total or s <= 1e-9:
            return b, s, n_iter, True
        if n_iter == max_iter:
            break
        gram, cross, square = _gram(A, r / s, w * within)
        H = np.zeros((m + 1, m + 1))
        H[:m, :m], H[:m, m], H[m, :m], H[m, m] = gram, cross, cross, square
        H = 2 / s * H
        H[np.arange(m), np.arange(m)] += 2 * ridge
        H[np.diag_indices(m + 1)] += 1e-10 * max(float(H.diagonal().max()), total)
        step = _model_step(H, gradient, -s / 2)
        t = 1.0
        along = A @ step[:m]
        slope = float(gradient @ step)
        while t > 1e-12:
            after = cost(b + t * step[:m], s + t * float(step[m]), r - t * along)
            if after <= value + 1e-4 * t * slope + 1e-14 * abs(value):
                break
            t /= 2
        if t <= 1e-12:  # only rounding errors are left
            return b, s, n_iter, bool(np.abs(gradient).max() <= 1e3 * tol * total)
        b, s, r, value = b + t * step[:m], s + t * float(step[m]), r - t * along, after
    return b, s, max_iter, False


def _model_step(H: Matrix, gradient: Vector, least: float) -> Vector:
    """Minimise gradient'd + d'Hd / 2 where the last component of d, of the scale, is >= least.

    If the scale fell faster, too few rows would be within it to determine the next step.
    """
    step: Vector = -scipy.linalg.solve(H, gradient, assume_a="pos", check_finite=False)
    if step[-1] >= least:
        return step
    pull = gradient[:-1] + least * H[:-1, -1]
    rest = -scipy.linalg.solve(H[:-1, :-1], pull, assume_a="pos", check_finite=False)
    return np.append(rest, least)


def _gram(A: Matrix, y: Vector, w: Vector) -> tuple[Matrix, Vector, float]:
    """Return A'WA, A'Wy and y'Wy, in one pass."""
    m = A.shape[1]
    out = np.zeros((m + 2, m + 2))
    _native.gram(native_table(A), np.ascontiguousarray(y)[:, None], w, np.zeros(m + 1), True, out)
    return out[:m, :m], out[:m, m], float(out[m, m])
