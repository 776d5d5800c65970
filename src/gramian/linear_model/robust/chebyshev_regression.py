"""Chebyshev (minimax) regression by Stiefel's exchange, exact to the vertex.

    min_c max_i |y_i - x_i'c|

Duality: m + 1 rows with signs s_k and weights p_k >= 0 of sum 1 for which sum_k p_k s_k x_k = 0
bound every fit from below by h = sum_k p_k s_k y_k, and the fit whose signed residuals on these
rows all equal h meets the bound where no other residual is larger. Otherwise the row with the
largest residual enters and, by the ratio test of the simplex method, one leaves, so that the
weights stay positive and h grows (Stiefel 1959; Watson 1980).
"""

import warnings
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.optimize import linprog
from sklearn.exceptions import ConvergenceWarning

from gramian import _native
from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.gate import check_fit, check_size
from gramian.base.interruptible import PROGRAM, interruptible
from gramian.base.moments import Vector
from gramian.base.targets import check_targets
from gramian.base.types import Matrix
from gramian.base.weights import check_weights
from gramian.linear_model.common.linear_regressor import LinearRegressor
from gramian.linear_model.robust.program_columns import prepare

_ROUNDING = 1e-11


class Levelled(NamedTuple):
    """A fit, the height that proves it, the rows that carry it, and the exchanges made."""

    c: Vector
    height: float
    rows: npt.NDArray[np.intp]
    n_iter: int
    settled: bool


@params
class ChebyshevRegression(LinearRegressor):
    """Linear regression that minimises the largest absolute residual.

        max_i |y_i - b - x_i'c|

    The right fit where the errors are known to be bounded, as those of rounding or of a table; one
    outlier moves it as far as it likes. At the optimum at least d + 2 rows share the largest
    residual. Each exchange costs one pass over the rows; about as many as there are unknowns are
    needed, a few times. A weight of 0 leaves a row out; other weights change nothing, as repeated
    rows do not.

    Parameters
    ----------
    fit_intercept
        Whether there is an intercept b.
    max_iter
        Exchanges at most.

    Attributes
    ----------
    coef_ : array (d,)
        The coefficients c.
    intercept_ : float
        The intercept b.
    max_error_ : float
        The largest absolute residual.
    extremal_ : array
        Numbers of rows that prove it to be least.
    n_iter_ : int
        Exchanges made.

    Examples
    --------
    >>> from gramian import ChebyshevRegression
    >>> model = ChebyshevRegression().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0])
    >>> model.max_error_, model.predict([[7.0]]).round(6)
    (0.5, array([0.5]))
    """

    _: KW_ONLY
    fit_intercept: bool = True
    max_iter: Count = 1000

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit to rows.

        Parameters
        ----------
        X
            Array or sparse matrix (n, d); sparse ones are made dense.
        y
            Targets (n,).
        sample_weight
            Weights >= 0; rows of weight 0 are left out.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table, 1e300)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = check_weights(self, sample_weight, table.shape[0])
        rows = prepare(table, targets, weights, intercept=bool(self.fit_intercept))
        found = exchange(rows.X, rows.y, self.max_iter)
        coef, intercept = rows.unpack(found.c)
        self._set_model(coef[None], np.array([intercept]), table.dtype, one_target=True)
        self.max_error_ = float(found.height * rows.unit)
        self.extremal_, self.n_iter_ = np.sort(rows.origin[found.rows]), found.n_iter
        if not found.settled:
            warnings.warn(
                f"ChebyshevRegression: not settled after {found.n_iter} exchanges; raise max_iter "
                "or scale the columns of X.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self


def exchange(X: Matrix, y: Vector, max_iter: int) -> Levelled:
    """Minimise the largest residual; X (n, m) of full column rank."""
    n, m = X.shape
    if n <= m:  # as many unknowns as rows: no error at all
        exact: Vector = np.asarray(np.linalg.solve(X, y), dtype=np.float64)
        return Levelled(exact, 0.0, np.arange(n), 0, True)
    rows, signs, shares = _start(X, y)
    best = Levelled(np.zeros(m), 0.0, rows, 0, False)
    r = np.empty(n)
    for n_iter in range(max_iter):
        basis = np.vstack([(signs[:, None] * X[rows]).T, np.ones(m + 1)])
        factor = scipy.linalg.lu_factor(basis, check_finite=False)
        solved = scipy.linalg.lu_solve(factor, signs * y[rows], trans=1, check_finite=False)
        c, height = solved[:m], float(solved[m])
        _native.margins(X, c, r)
        r = y - r
        worst = int(np.argmax(np.abs(r)))
        best = Levelled(c, float(abs(r[worst])), rows, n_iter, True)
        if abs(r[worst]) <= height + _ROUNDING * (1 + abs(height)) or worst in rows:
            return best
        sign = 1.0 if r[worst] > 0 else -1.0
        step = scipy.linalg.lu_solve(factor, np.append(sign * X[worst], 1.0), check_finite=False)
        leaving_time = np.where(step > 1e-12, shares / np.where(step > 1e-12, step, 1.0), np.inf)
        leaving = int(np.argmin(leaving_time))
        t = float(leaving_time[leaving])
        if not np.isfinite(t):
            break
        shares = np.maximum(shares - t * step, 0.0)
        rows, signs = rows.copy(), signs.copy()
        rows[leaving], signs[leaving], shares[leaving] = worst, sign, t
    return _by_simplex(X, y, best.n_iter)


def _start(X: Matrix, y: Vector) -> tuple[npt.NDArray[np.intp], Vector, Vector]:
    """Return m + 1 rows that span, worst of least squares first, with signs and shares.

    Their null vector gives shares p >= 0 once each row takes the sign of its part in it.
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


def _by_simplex(X: Matrix, y: Vector, n_iter: int) -> Levelled:
    """Solve the linear program by HiGHS, where exchanges did not settle."""
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
    c = found.x[:m]
    r = np.abs(y - X @ c)
    rows = np.flatnonzero(r >= r.max() * (1 - 1e-9))
    return Levelled(c, float(r.max()), rows, n_iter + int(found.nit), found.status == 0)
