"""Least-angle regression and the exact lasso path, knot by knot."""

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.linalg import qr_multiply
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import print_progress
from gramian.base.errors import DataError, caller_level
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
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.kinds import Regressor
from gramian.base.rows.moments import Vector
from gramian.base.types import Matrix, Table
from gramian.linear_model.common.linear_prediction import LinearPrediction
from gramian.linear_model.lasso.active_columns import ActiveColumns

_RELATIVE_ZERO = 1e-12
_MIN_ASPECT = 1.2  # rows per column from which the triangular factor of X is much smaller than X
_STEPS_PER_FACTOR = 4  # the factor of X costs about as much as d / 4 steps with X


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
        The active columns at the end, in the order of entry.
    """

    alphas: Vector
    coef: Matrix
    active: list[int]


def lars_knots(
    X: Matrix,
    y: Vector,
    *,
    lasso: bool,
    max_columns: int,
    max_knots: int,
    alpha: float = 0.0,
    positive: bool = False,
    n_rows: int | None = None,
) -> Knots:
    """Follow the path of centred X and y from no column to `max_columns`, or to `alpha`.

    All active columns keep one absolute correlation C with the residual, until another column
    reaches it and enters, or, for the lasso, a coefficient reaches 0 and leaves (Efron and others
    2004). With X_A = Q R and the signs s the path between two knots is a function of C alone,

        b_A = R^-1 Q' y - C v,    v = n R^-1 R^-T s,    X_j' r / n = p_j + C a_j,

    so that rounding errors of one knot do not carry over to the next. X and y may be a triangular
    factor of `n_rows` rows and the same rotation of y, which have the same path.
    """
    n, d = n_rows or len(X), X.shape[1]
    active = ActiveColumns(X, y, n)
    usable: npt.NDArray[np.bool_] = np.asarray(X.any(axis=0))
    allowed = usable.copy()  # without linear combinations of active columns
    outside = np.ones(d, dtype=bool)  # not active
    start = X.T @ y / n
    C = float((start if positive else np.abs(start)).max(initial=0.0))
    least = max(alpha * (1 + 1e-10), _RELATIVE_ZERO * max(C, 1e-300))
    alphas, coefs = [C], [np.zeros(d)]
    removed: set[int] = set()  # columns that left at this knot and may not re-enter here
    p, a, u, v = active.segment()
    for _ in range(max_knots):
        if least >= C:
            break
        while len(active.columns) < max_columns:  # all columns that have reached C
            c = p + C * a
            correlation = c if positive else np.abs(c)
            free = allowed & outside
            if removed:
                free[sorted(removed)] = False
            j = int(np.where(free, correlation, -np.inf).argmax())
            if not free[j] or correlation[j] < C * (1 - 1e-9):
                break
            if not active.append(j, float(np.sign(c[j]))):
                allowed[j] = False
                continue
            outside[j] = False
            p, a, u, v = active.segment()
            if lasso and v[-1] * active.signs[-1] < 0:  # it would leave immediately
                active.remove(j)
                outside[j] = True
                removed.add(j)
                p, a, u, v = active.segment()
        if not active.columns:
            break
        entry = _entry_levels(p, a, allowed & outside, positive)
        if removed:
            barred = sorted(removed)
            entry[barred] = np.where(entry[barred] > C * (1 - 1e-9), -np.inf, entry[barred])
        after = max(alpha, min(C, float(entry.max(initial=0.0))))
        leaving = -1
        if lasso:
            with np.errstate(divide="ignore", invalid="ignore"):
                zero = np.where(v * active.signs < 0, np.minimum(u / v, C), -np.inf)
            at = int(zero.argmax())
            if zero[at] > after:
                after, leaving = float(zero[at]), active.columns[at]
        if after < C:
            removed.clear()
        C = after
        b = np.zeros(d)
        b[active.columns] = u - C * v
        if leaving >= 0:
            b[leaving] = 0.0
            active.remove(leaving)
            outside[leaving] = True
            p, a, u, v = active.segment()
            removed.add(leaving)
            allowed = usable.copy()  # columns that depended on it may enter now
        alphas.append(C)
        coefs.append(b)
        if len(active.columns) >= max_columns and not lasso:
            break
    return Knots(np.array(alphas), np.array(coefs), active.columns)


def _paths(X: Matrix, columns: Matrix, settings: dict[str, Any]) -> list[Knots]:
    """Return the path of each target, for centred X in Fortran order.

    The first path shows how many steps a path takes. If X = Q R then pays off, the other paths are
    computed from R and Q'y, which have as many rows as columns and keep all digits.
    """
    n, d = X.shape
    first = lars_knots(X, columns[0], **settings)
    n_knots, others = len(first.alphas) - 1, len(columns) - 1
    if n <= d * _MIN_ASPECT or n_knots * others * _STEPS_PER_FACTOR <= d:
        return [first, *(lars_knots(X, column, **settings) for column in columns[1:])]
    products, R = qr_multiply(X, columns[1:], mode="right")
    rotated: Matrix = products
    R = np.asfortranarray(R)
    return [first, *(lars_knots(R, column, n_rows=n, **settings) for column in rotated)]


def _entry_levels(p: Vector, a: Vector, free: npt.NDArray[np.bool_], positive: bool) -> Vector:
    """Return the C at which each free column reaches the common correlation: p + C a = +-C."""
    with np.errstate(divide="ignore", invalid="ignore"):
        levels = np.where(free & (a < 1), p / (1 - a), -np.inf)
        if not positive:
            levels = np.maximum(levels, np.where(free & (a > -1), -p / (1 + a), -np.inf))
    return levels


@params
class LarsRegressor(LinearPrediction, Regressor):
    """Base class of least-angle regression and of the lasso solved by it.

    Parameters
    ----------
    fit_intercept
        Whether to fit an intercept.
    verbose
        Whether to print a line for the path of each target.
    precompute
        Ignored; present for scikit-learn compatibility.
    eps
        Ignored; present for scikit-learn compatibility.
    copy_X
        Ignored; present for scikit-learn compatibility.
    fit_path
        Ignored; present for scikit-learn compatibility.
    jitter
        Ignored; present for scikit-learn compatibility.
    random_state
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    alphas_ : array (knots,)
        The common correlation x_j . residual / n of the active columns at each knot.
    active_ : list
        The active columns at the end.
    coef_path_ : array (d, knots)
        The coefficients at each knot.
    coef_ : array (d,)
        The coefficients at the end.
    intercept_ : float
        The intercept at the end.
    n_iter_ : int
        Number of steps.
    """

    takes_sparse: ClassVar[bool] = False

    _: KW_ONLY
    fit_intercept: bool = True
    verbose: bool | NonNegativeInt = False
    precompute: bool | Literal["auto"] | Array = "auto"
    eps: NonNegative = 2.220446049250313e-16
    copy_X: bool = True  # noqa: N815 - scikit-learn's name
    fit_path: bool = True
    jitter: NonNegative | None = None
    random_state: Seed = None

    def _path_settings(self) -> dict[str, Any]:
        """Return the keyword arguments of `lars_knots`."""
        raise NotImplementedError

    def fit(self, X: Table, y: npt.ArrayLike, Xy: object = None) -> Self:
        """Follow the path to its end.

        Parameters
        ----------
        X
            Array (n, d).
        y
            Targets, (n,) or (n, targets).
        Xy
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self
        """
        check_params(self)
        settings = self._path_settings()
        if sp.issparse(X):
            name = type(self).__name__
            raise DataError(
                f"{name}: X must be dense, because each knot uses every column; got a sparse "
                "matrix. Use Lasso or gramian.linear_model.lasso_path, which accept sparse X, or "
                "pass X.toarray()."
            )
        table = check_fit(self, X)
        check_size(self, "X", table)
        targets = np.asarray(check_targets(self, y, table.shape[0], columns=True), dtype=np.float64)
        rows = table.astype(np.float64)
        centre = rows.mean(axis=0) if self.fit_intercept else np.zeros(rows.shape[1])
        rows = rows - centre
        rows[:, np.abs(rows).max(axis=0) <= 1e-13 * np.abs(centre)] = 0.0  # constant up to rounding
        rows = np.asfortranarray(rows)  # columns are taken one by one
        columns = targets.reshape(len(targets), -1).T
        level = columns.mean(axis=1) if self.fit_intercept else np.zeros(len(columns))
        knots = _paths(rows, columns - level[:, None], settings)
        coef = np.array([k.coef[-1] for k in knots])
        for k, path in enumerate(knots, start=1):
            print_progress(
                self,
                f"path {k} of {len(knots)}, {len(path.alphas) - 1} steps to "
                f"alpha = {path.alphas[-1]:.3g}, {len(path.active)} active columns",
            )
        if settings["lasso"]:
            self._check_optimal(rows, columns - level[:, None], coef, settings)
        one = targets.ndim == 1
        self._set_model(coef, level - coef @ centre, table.dtype, one)
        paths = [np.ascontiguousarray(k.coef.T) for k in knots]
        counts = [len(k.alphas) - 1 for k in knots]
        self.alphas_ = knots[0].alphas if one else [k.alphas for k in knots]
        self.active_ = knots[0].active if one else [k.active for k in knots]
        paths = [path.astype(table.dtype, copy=False) for path in paths]
        self.coef_path_ = paths[0] if one else paths
        self.n_iter_ = counts[0] if one else counts
        return self

    def _check_optimal(
        self, X: Matrix, columns: Matrix, coef: Matrix, settings: dict[str, Any]
    ) -> None:
        """Warn if a column is more correlated with the residual than alpha allows."""
        first, last = columns @ X / len(X), (columns - coef @ X.T) @ X / len(X)
        if not settings["positive"]:
            first, last = np.abs(first), np.abs(last)
        alpha = settings["alpha"]
        over = last.max(axis=1) - alpha
        k = int(np.argmax(over))
        if over[k] > 1e-7 * max(float(first[k].max()), 0.0):
            warnings.warn(
                f"{type(self).__name__}: the path ended at alpha={alpha + over[k]:.3g}, above the "
                f"requested alpha={alpha:.3g}, after at most max_iter={settings['max_knots']} "
                "knots; raise max_iter, or use Lasso.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )


@params(first=("fit_intercept", "verbose", "precompute", "n_nonzero_coefs"))
class Lars(LarsRegressor):
    """Least-angle regression.

    Starts with no columns and moves in the direction that makes equal angles with all columns most
    correlated with the residual, until another column is equally correlated (Efron, Hastie,
    Johnstone and Tibshirani 2004). Each step costs one product with X.

    Parameters
    ----------
    n_nonzero_coefs
        Maximum number of columns to include.

    Examples
    --------
    >>> from gramian import Lars
    >>> X, y = [[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], [-1.0, 0.0, -1.0]
    >>> Lars(n_nonzero_coefs=1).fit(X, y).active_
    [1]
    """

    _: KW_ONLY
    n_nonzero_coefs: Count = 500

    def _path_settings(self) -> dict[str, Any]:
        max_columns = int(self.n_nonzero_coefs)
        return {"lasso": False, "max_columns": max_columns, "max_knots": 2 * max_columns + 10}


@params(
    first=(
        "fit_intercept",
        "verbose",
        "precompute",
        "max_iter",
        "eps",
        "copy_X",
        "fit_path",
        "positive",
    )
)
class LassoLars(LarsRegressor):
    """The lasso solved by least-angle regression, exact at every alpha down to `alpha`.

    If a column leaves when its coefficient reaches 0, least-angle regression follows the minimisers
    of the lasso, which are piecewise linear in alpha. The cost is that of `Lasso`. If the path ends
    above alpha, a ConvergenceWarning is raised.

    Parameters
    ----------
    alpha
        Strength of the penalty at the end of the path.
    max_iter
        Maximum number of knots.
    positive
        Whether to require coefficients >= 0.

    Attributes
    ----------
    alphas_ : array (knots,)
        alpha at each knot; the last is the given one.

    Examples
    --------
    >>> from gramian import LassoLars
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], [0.0, 1.0, 2.0]
    >>> LassoLars(alpha=0.1).fit(X, y).coef_.round(4)
    array([0.85, 0.  ])
    """

    alpha: NonNegative = 1.0
    _: KW_ONLY
    max_iter: Count = 500
    positive: bool = False

    def _path_settings(self) -> dict[str, Any]:
        return {
            "lasso": True,
            "max_columns": np.iinfo(np.int64).max,
            "max_knots": int(self.max_iter),
            "alpha": float(self.alpha),
            "positive": bool(self.positive),
        }
