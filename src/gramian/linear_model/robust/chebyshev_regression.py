"""Chebyshev (minimax) regression by Stiefel's exchange algorithm, solved exactly.

    min_c max_i |y_i - x_i'c|

Duality: m + 1 rows with signs s_k and weights p_k >= 0 of sum 1 for which sum_k p_k s_k x_k = 0
bound every fit from below by h = sum_k p_k s_k y_k, and the fit whose signed residuals on these
rows all equal h meets the bound if no other residual is larger. Otherwise the row with the
largest residual enters and, by the ratio test of the simplex method, one leaves, so that the
weights stay positive and h grows (Stiefel 1959; Watson 1980).
"""

import warnings
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.rows.moments import Vector
from gramian.base.rows.native_table import native_table
from gramian.base.runtime.interruptible import PROGRAM, interruptible
from gramian.base.types import Matrix
from gramian.linear_model.robust.program_columns import prepare_rows
from gramian.linear_model.robust.robust_regressor import RobustRegressor, Sample

_TOLERANCE = 1e-11


class ExchangeResult(NamedTuple):
    """A fit, its largest residual, the rows that attain it, and the number of exchanges."""

    c: Vector
    height: float
    rows: npt.NDArray[np.intp]
    n_iter: int
    converged: bool


@params
class ChebyshevRegression(RobustRegressor):
    """Linear regression that minimises the largest absolute residual.

        max_i |y_i - b - x_i'c|

    The right fit if the errors are known to be bounded, such as rounding errors; a single outlier
    can move it arbitrarily far. At the optimum at least d + 2 rows have the largest residual. Each
    exchange costs one pass over the rows; a small multiple of the number of unknowns is needed. A
    weight of 0 drops a row; other weights have no effect, and neither have repeated rows.

    Parameters
    ----------
    max_iter
        Maximum number of exchanges.

    Attributes
    ----------
    max_error_ : float
        The largest absolute residual.
    extremal_ : array
        Indices of the rows that prove it to be minimal.
    n_iter_ : int
        Number of exchanges.

    Examples
    --------
    >>> from gramian import ChebyshevRegression
    >>> model = ChebyshevRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0])
    >>> model.max_error_, model.predict([[7.0]]).round(6)
    (0.5, array([0.5]))
    """

    _: KW_ONLY
    max_iter: Count = 1000

    _max_value = 1e300

    def _solve(self, sample: Sample) -> tuple[Vector, float]:
        table, targets, weights = sample
        rows = prepare_rows(table, targets, weights, intercept=bool(self.fit_intercept))
        found = exchange(rows.X, rows.y, self.max_iter)
        coef, intercept = rows.unpack(found.c)
        self.max_error_ = float(found.height * rows.unit)
        self.extremal_, self.n_iter_ = np.sort(rows.origin[found.rows]), found.n_iter
        if not found.converged:
            warnings.warn(
                f"ChebyshevRegression: did not converge after {found.n_iter} exchanges; raise "
                "max_iter or scale the columns of X.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        return coef, intercept


def exchange(X: Matrix, y: Vector, max_iter: int) -> ExchangeResult:
    """Minimise the largest residual; X (n, m) of full column rank."""
    n, m = X.shape
    if n <= m:  # as many unknowns as rows: an exact fit
        exact: Vector = np.asarray(np.linalg.solve(X, y), dtype=np.float64)
        return ExchangeResult(exact, 0.0, np.arange(n), 0, True)
    rows, signs, p = _start(X, y)
    best = ExchangeResult(np.zeros(m), 0.0, rows, 0, False)
    r = np.empty(n)
    for n_iter in range(max_iter):
        basis = np.vstack([(signs[:, None] * X[rows]).T, np.ones(m + 1)])
        factor = scipy.linalg.lu_factor(basis, check_finite=False)
        solved = scipy.linalg.lu_solve(factor, signs * y[rows], trans=1, check_finite=False)
        c, height = solved[:m], float(solved[m])
        _native.margins(native_table(X), c, r)
        r = y - r
        worst = int(np.argmax(np.abs(r)))
        best = ExchangeResult(c, float(abs(r[worst])), rows, n_iter, True)
        if abs(r[worst]) <= height + _TOLERANCE * (1 + abs(height)) or worst in rows:
            return best
        sign = 1.0 if r[worst] > 0 else -1.0
        step = scipy.linalg.lu_solve(factor, np.append(sign * X[worst], 1.0), check_finite=False)
        ratio = np.where(step > 1e-12, p / np.where(step > 1e-12, step, 1.0), np.inf)
        leaving = int(np.argmin(ratio))
        t = float(ratio[leaving])
        if not np.isfinite(t):
            break
        p = np.maximum(p - t * step, 0.0)
        rows, signs = rows.copy(), signs.copy()
        rows[leaving], signs[leaving], p[leaving] = worst, sign, t
    return _by_simplex(X, y, best.n_iter)


def _start(X: Matrix, y: Vector) -> tuple[npt.NDArray[np.intp], Vector, Vector]:
    """Return m + 1 spanning rows, largest least-squares residuals first, with signs and weights.

    Their null vector gives weights p >= 0 once each row takes the sign of its component.
    """
    n, m = X.shape
    c = np.linalg.lstsq(X, y, rcond=None)[0]
    size = np.abs(y - X @ c)
    scale = size / max(float(size.max()), 1e-300) + 1e-3
    _, order = scipy.linalg.qr((X * scale[:, None]).T, mode="r", pivoting=True)
    rows = order[:m]
    others = np.setdiff1d(np.arange(n), rows)
    rows = np.append(rows, others[np.argmax(size[others])])
    part = np.linalg.solve(X[rows[:m]].T, X[rows[m]])
    null = np.append(-part, 1.0)
    if null @ y[rows] < 0:
        null = -null
    return rows, np.where(null < 0, -1.0, 1.0), np.abs(null) / np.abs(null).sum()


def _by_simplex(X: Matrix, y: Vector, n_iter: int) -> ExchangeResult:
    """Solve the linear program by HiGHS, if the exchanges do not converge."""
    n, m = X.shape
    ones = -np.ones((n, 1))
    found = interruptible(
        PROGRAM * X.size,
        linprog,
        np.append(np.zeros(m), 1.0),
        A_ub=np.vstack([np.hstack([X, ones]), np.hstack([-X, ones])]),
        b_ub=np.concatenate([y, -y]),
        bounds=(None, None),
    )
    assert found.x is not None, "large enough errors satisfy all constraints"
    c = found.x[:m]
    r = np.abs(y - X @ c)
    rows = np.flatnonzero(r >= r.max() * (1 - 1e-9))
    return ExchangeResult(c, float(r.max()), rows, n_iter + int(found.nit), found.status == 0)
