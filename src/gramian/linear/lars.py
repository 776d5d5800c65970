"""Least-angle regression and the exact lasso path, knot by knot."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    NonNegative,
    NonNegativeInt,
    Seed,
    check_params,
    params,
)
from gramian.base.gate import Matrix, check_fit, check_size
from gramian.base.labels import check_targets
from gramian.linear.model import LinearRegressor
from gramian.linear.summary import Vector

_EQUAL = 1e-12


@dataclass(frozen=True)
class Knots:
    """A piecewise linear path; between knots the coefficients are interpolated.

    Attributes
    ----------
    alphas
        (k + 1,), the common absolute correlation of the active columns at each knot.
    coef
        (k + 1, d).
    active
        The active columns at the end, in the order of entering.
    """

    alphas: Vector
    coef: Matrix
    active: list[int]


def lars_knots(
    X: Matrix,
    y: Vector,
    *,
    lasso: bool,
    most: int,
    steps: int,
    alpha: float = 0.0,
    positive: bool = False,
) -> Knots:
    """Follow the path of centred X and y from no column to `most`, or to `alpha`.

    All active columns keep one absolute correlation C with the residual; moving along
    G_AA^-1 s lowers it at the rate 1 until another column reaches it and enters, or, for the
    lasso, a coefficient reaches 0 and leaves (Efron and others 2004).
    """
    n, d = X.shape
    b, r = np.zeros(d), y.copy()
    active: list[int] = []
    barred = np.linalg.norm(X, axis=0) == 0
    inverse = np.zeros((0, 0))
    alphas, coefs = [], []
    dropped = -1
    for _ in range(steps + 1):
        c = X.T @ r / n
        pull = c.copy() if positive else np.abs(c)
        free = ~barred
        free[active] = False
        C = float(pull[active].mean()) if active else float(pull[free].max(initial=0.0))
        alphas.append(C)
        coefs.append(b.copy())
        if max(alpha * (1 + 1e-10), _EQUAL * max(alphas[0], 1e-300)) >= C:
            break
        if dropped < 0 and len(active) < most and free.any():
            j = int(np.argmax(np.where(free, pull, -np.inf)))
            if pull[j] >= C * (1 - 1e-9):
                grown = _append(inverse, X[:, active].T @ X[:, j] / n, float(X[:, j] @ X[:, j]) / n)
                if grown is None:  # a combination of active columns adds nothing
                    barred[j] = True
                    alphas.pop()
                    coefs.pop()
                    continue
                inverse = grown
                active.append(j)
                free[j] = False
        if not active:
            break
        signs = np.sign(c[active])
        direction = inverse @ signs
        along = X[:, active] @ direction
        a = X.T @ along / n
        soonest = np.full(d, _EQUAL * C)
        soonest[dropped if dropped >= 0 else []] = 1e-9 * C  # it has just left this very bound
        step = min(C - alpha, _next_entry(c, a, C, free, soonest, positive))
        dropped = -1
        if lasso:
            with np.errstate(divide="ignore", invalid="ignore"):
                zero = -b[active] / direction
            zero = np.where((zero > _EQUAL * C) & np.isfinite(zero), zero, np.inf)
            at = int(np.argmin(zero))
            if zero[at] < step:
                step, dropped = float(zero[at]), active[at]
        b[active] += step * direction
        r = r - step * along
        if dropped >= 0:
            b[dropped] = 0.0
            inverse = _remove(inverse, active.index(dropped))
            active.remove(dropped)
        elif len(active) >= most and not lasso:
            c = X.T @ r / n
            alphas.append(float(np.abs(c[active]).mean()))
            coefs.append(b.copy())
            break
    return Knots(np.array(alphas), np.array(coefs), active)


def _next_entry(
    c: Vector, a: Vector, C: float, free: npt.NDArray[np.bool_], soonest: Vector, positive: bool
) -> float:
    """Return the step at which the next free column has the common correlation."""
    with np.errstate(divide="ignore", invalid="ignore"):
        times = [(C - c) / (1 - a)] + ([] if positive else [(C + c) / (1 + a)])
    steps = [np.where(free & (t > soonest) & np.isfinite(t), t, np.inf).min() for t in times]
    return float(min(steps))


def _append(inverse: Matrix, cross: Vector, square: float) -> Matrix | None:
    """Border an inverse; None where the new column depends on the others."""
    u = inverse @ cross
    rest = square - float(cross @ u)
    if rest <= 1e-11 * square:
        return None
    return np.block(
        [
            [inverse + np.outer(u, u) / rest, -u[:, None] / rest],
            [-u[None] / rest, np.array([[1 / rest]])],
        ]
    )


def _remove(inverse: Matrix, k: int) -> Matrix:
    rest = np.delete(np.arange(len(inverse)), k)
    column = inverse[rest, k]
    return np.asarray(inverse[np.ix_(rest, rest)] - np.outer(column, column) / inverse[k, k])


class LarsRegressor(LinearRegressor):
    """What least-angle regression and the lasso by it share."""

    takes_sparse: ClassVar[bool] = False
    fit_intercept: bool

    def _fit_knots(self, X: npt.ArrayLike, y: npt.ArrayLike, **settings: Any) -> Self:
        if sp.issparse(X):
            name = type(self).__name__
            raise DataError(
                f"{name}: X must be dense, because each knot touches every column; got a sparse "
                "matrix. Use Lasso or gramian.linear.lasso_path, which take sparse X as it is, or "
                "give X.toarray()."
            )
        table = check_fit(self, X)
        check_size(self, "X", table)
        targets = np.asarray(check_targets(self, y, table.shape[0], columns=True), dtype=np.float64)
        rows = table.astype(np.float64)
        centre = rows.mean(axis=0) if self.fit_intercept else np.zeros(rows.shape[1])
        rows = rows - centre
        rows[:, np.abs(rows).max(axis=0) <= 1e-13 * np.abs(centre)] = 0.0  # constant to rounding
        columns = targets.reshape(len(targets), -1).T
        level = columns.mean(axis=1) if self.fit_intercept else np.zeros(len(columns))
        knots = [
            lars_knots(rows, column - at, **settings)
            for column, at in zip(columns, level, strict=True)
        ]
        coef = np.array([k.coef[-1] for k in knots])
        one = targets.ndim == 1
        self._set_model(coef, level - coef @ centre, table.dtype, one)
        paths = [np.ascontiguousarray(k.coef.T) for k in knots]
        counts = [len(k.alphas) - 1 for k in knots]
        self.alphas_ = knots[0].alphas if one else [k.alphas for k in knots]
        self.active_ = knots[0].active if one else [k.active for k in knots]
        self.coef_path_ = paths[0] if one else paths
        self.n_iter_ = counts[0] if one else counts
        return self


@params
class Lars(LarsRegressor):
    """Least-angle regression.

    From no column on, moves in the direction that makes equal angles with all columns most
    correlated with the residual, until the next one is as correlated (Efron, Hastie, Johnstone and
    Tibshirani 2004). Each step costs one product with X.

    Parameters
    ----------
    fit_intercept
        Whether there is an intercept.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    precompute
        Kept so that scikit-learn's calls work.
    n_nonzero_coefs
        How many columns may enter.
    eps
        Kept so that scikit-learn's calls work.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    fit_path
        The path is always kept; so that scikit-learn's calls work.
    jitter
        Kept so that scikit-learn's calls work.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.

    Attributes
    ----------
    alphas_ : array (knots,)
        The common correlation x_j . residual / n of the active columns.
    active_ : list
        The active columns at the end.
    coef_path_ : array (d, knots)
        The coefficients at each knot.
    coef_ : array (d,)
        Those at the end.
    intercept_ : float
        The intercept at the end.
    n_iter_ : int
        Steps made.

    Examples
    --------
    >>> from gramian import Lars
    >>> X, y = [[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], [-1.0, 0.0, -1.0]
    >>> Lars(n_nonzero_coefs=1).fit(X, y).active_
    [1]
    """

    _: KW_ONLY
    fit_intercept: bool = True
    verbose: bool | NonNegativeInt = False
    precompute: bool | Literal["auto"] | Array = "auto"
    n_nonzero_coefs: Count = 500
    eps: NonNegative = 2.220446049250313e-16
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    fit_path: bool = True
    jitter: NonNegative | None = None
    random_state: Seed = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Follow the path.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Targets, (n,) or (n, targets).

        Returns
        -------
        self
        """
        check_params(self)
        most = int(self.n_nonzero_coefs)
        return self._fit_knots(X, y, lasso=False, most=most, steps=2 * most + 10)


@params
class LassoLars(LarsRegressor):
    """The lasso by least-angle regression: exact at every alpha down to the one given.

    With the rule that a coefficient that reaches 0 leaves, least-angle regression follows the
    lasso's minimisers, which are piecewise linear in alpha. The cost is that of `Lasso`.

    Parameters
    ----------
    alpha
        Strength of the penalty at which the path ends.
    fit_intercept
        Whether there is an intercept.
    verbose
        Nothing is printed; kept so that scikit-learn's calls work.
    precompute
        Kept so that scikit-learn's calls work.
    max_iter
        Knots at most.
    eps
        Kept so that scikit-learn's calls work.
    copy_X
        Nothing is ever overwritten; kept so that scikit-learn's calls work.
    fit_path
        The path is always kept; so that scikit-learn's calls work.
    positive
        Whether to require coefficients >= 0.
    jitter
        Kept so that scikit-learn's calls work.
    random_state
        Nothing is drawn; kept so that scikit-learn's calls work.

    Attributes
    ----------
    alphas_ : array (knots,)
        alpha at each knot, the last one that given.
    active_ : list
        The active columns at the end.
    coef_path_ : array (d, knots)
        The coefficients at each knot.
    coef_ : array (d,)
        Those at the end.
    intercept_ : float
        The intercept at the end.
    n_iter_ : int
        Steps made.

    Examples
    --------
    >>> from gramian import LassoLars
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0.0, 1.0, 2.0]
    >>> LassoLars(alpha=0.1).fit(X, y).coef_.round(4)
    array([0.85, 0.  ])
    """

    alpha: NonNegative = 1.0
    _: KW_ONLY
    fit_intercept: bool = True
    verbose: bool | NonNegativeInt = False
    precompute: bool | Literal["auto"] | Array = "auto"
    max_iter: Count = 500
    eps: NonNegative = 2.220446049250313e-16
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    fit_path: bool = True
    positive: bool = False
    jitter: NonNegative | None = None
    random_state: Seed = None

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Follow the path.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Targets, (n,) or (n, targets).

        Returns
        -------
        self
        """
        check_params(self)
        return self._fit_knots(
            X,
            y,
            lasso=True,
            most=np.iinfo(np.int64).max,
            steps=int(self.max_iter),
            alpha=float(self.alpha),
            positive=bool(self.positive),
        )
