"""Smoothing splines; an additive model for several columns."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.interpolate import CubicSpline
from scipy.linalg import eigh
from scipy.optimize import minimize_scalar
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, NonNegative, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Regressor
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Floats, Matrix, Table

_RESOLUTION = 1e-6  # fraction of a column's range; values closer than this share a knot
_MAX_KNOTS = 500
_GRID = np.geomspace(1e-14, 1e6, 81)  # candidate smoothing parameters, for a range of length 1
_LARGEST_TARGET = 1e140


@params
class SmoothingSpline(Regressor):
    """Smoothing spline regression.

    For one column, the function g that minimises

        sum_i w_i (y_i - g(x_i))^2 + lambda int g''(u)^2 du,

    a natural cubic spline with a knot at each x_i, linear beyond the ends. lambda = 0 interpolates;
    a large lambda gives the least-squares line; by default generalised cross-validation chooses it.
    Rows with the same x are averaged; if there are more than 500 distinct values, values within a
    500th of the range are averaged too. Up to 500 distinct values, the curve between the minimum
    and maximum of x is that of SciPy's `make_smoothing_spline`. Beyond them SciPy continues the
    last cubic pieces; here the curve continues as the straight lines of the natural spline, which
    minimises the integral over the whole line. The solution comes from one symmetric eigenproblem
    of the size of the knots (Demmler and Reinsch 1975), after which every lambda costs a sum.

    For several columns, the sum of a constant and one such function per column, found by
    backfitting: each function in turn smooths the residuals of the others (Hastie and Tibshirani
    1990).

    Parameters
    ----------
    lam
        Smoothing parameter lambda of all columns; None for generalised cross-validation per column.
    max_iter
        Maximum number of backfitting iterations; one column needs one.
    tol
        Backfitting stops when no fitted value changes by more than this fraction of the spread of
        y.

    Attributes
    ----------
    intercept_ : float
        Mean of the targets.
    knots_ : list of d arrays
        Knots of each column.
    values_ : list of d arrays
        Values of each column's spline at its knots.
    lam_ : array of shape (d,)
        Smoothing parameters in use.
    n_iter_ : int
        Number of backfitting iterations.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import SmoothingSpline
    >>> x = np.linspace(0, 3, 40)
    >>> noisy = np.sin(x) + 0.1 * np.random.default_rng(0).normal(size=40)
    >>> model = SmoothingSpline().fit(x[:, None], noisy)
    >>> bool(abs(model.predict([[1.5]])[0] - np.sin(1.5)) < 0.1)
    True
    """

    parametric = False

    lam: NonNegative | None = None
    _: KW_ONLY
    max_iter: Count = 30
    tol: NonNegative = 1e-6

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the splines.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            The targets.
        sample_weight : array of shape (n,), default=None
            Weights >= 0 of the rows.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        targets = check_targets(self, y, len(table)).astype(np.float64)
        check_size(self, "y", targets, _LARGEST_TARGET)
        row_weights = unit_weights(check_weights(self, sample_weight, len(table)))
        weights = np.ones(len(table)) if row_weights is None else row_weights
        counted = weights > 0
        rows, targets, weights = table[counted].astype(float), targets[counted], weights[counted]

        intercept = float(np.average(targets, weights=weights))
        spread = float(np.abs(targets - intercept).max()) or 1.0
        rest = (targets - intercept) / spread
        with one_blas_thread():  # matrices of a few hundred knots
            values = self._fit_columns(rows, rest, weights)
        self.intercept_ = intercept
        self.values_ = [v * spread for v in values]
        self._dtype = np.dtype(table.dtype).name
        return self

    def _fit_columns(self, rows: Floats, rest: Floats, weights: Floats) -> list[Floats]:
        """Smooth the columns in turn until none changes; return the values at the knots."""
        columns = [_Column.of(column, weights) for column in rows.T]
        lam = [
            c.unit_lam(self.lam) if self.lam is not None else c.cross_validated_lam(rest)
            for c in columns
        ]
        values: list[Floats] = [np.zeros(len(c.x)) for c in columns]
        fitted = np.zeros(rows.shape)
        for n_iter in range(1, self.max_iter + 1):
            moved = 0.0
            for j, column in enumerate(columns):
                of_others = rest - fitted.sum(axis=1) + fitted[:, j]
                if self.lam is None and n_iter == 2:  # the other columns have been fitted by now
                    lam[j] = column.cross_validated_lam(of_others)
                values[j] = column.smooth(of_others, lam[j])
                new = values[j][column.of_row]
                moved = max(moved, float(np.abs(new - fitted[:, j]).max()))
                fitted[:, j] = new
            if len(columns) == 1 or moved <= self.tol:
                break

        self.n_iter_ = n_iter
        self.lam_ = np.array([c.raw_lam(v) for c, v in zip(columns, lam, strict=True)])
        self.knots_ = [c.low + c.x * c.length for c in columns]
        return values

    def predict(self, X: Table) -> Matrix:
        """Return the sum of the splines.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        check_is_fitted(self)
        rows = check_new(self, X).astype(np.float64)
        total = np.full(len(rows), self.intercept_)
        for x, knots, values in zip(rows.T, self.knots_, self.values_, strict=True):
            total += _evaluate(knots, values, x)
        return np.asarray(total, dtype=self._dtype)

    def _check_loaded(self) -> None:
        d = self.n_features_in_
        fits = (
            len(self.knots_) == len(self.values_) == d
            and self._dtype in ("float32", "float64")
            and all(
                t.ndim == 1 and t.shape == v.shape and len(t) and (np.diff(t) > 0).all()
                for t, v in zip(self.knots_, self.values_, strict=True)
            )
        )
        if not fits:
            raise DataError("SmoothingSpline: knots_ and values_ are inconsistent.")


@dataclass(frozen=True)
class _Column:
    """A column's knots in [0, 1], and the basis in which smoothing is shrinkage.

    With the second differences Q^T g = R c of a natural spline's values g (c its second
    derivatives), the residuals are lambda W^-1 Q (R + lambda Q^T W^-1 Q)^-1 Q^T y (Green and
    Silverman 1994, 2.3); R v = mu Q^T W^-1 Q v turns them into the factors lambda / (mu + lambda).
    """

    x: Floats
    of_row: npt.NDArray[np.intp]
    low: float
    length: float
    weights: Floats  # of the rows
    mass: Floats  # of the knots
    mu: Floats
    analysis: Floats  # V^T Q^T
    synthesis: Floats  # W^-1 Q V

    @classmethod
    def of(cls, column: Floats, weights: Floats) -> "_Column":
        low, high = float(column.min()), float(column.max())
        length = high - low or 1.0
        at = (column - low) / length
        cells = np.round(at / _RESOLUTION)
        if len(np.unique(cells)) > _MAX_KNOTS:
            cells = np.minimum(np.floor(at * _MAX_KNOTS), _MAX_KNOTS - 1)
        _, of_row = np.unique(cells, return_inverse=True)
        mass = np.bincount(of_row, weights).astype(float)
        x = np.bincount(of_row, weights * at) / mass
        return cls(x, of_row, low, length, weights, mass, *_basis(x, mass))

    def means(self, y: Floats) -> Floats:
        return np.asarray(np.bincount(self.of_row, self.weights * y) / self.mass)

    def smooth(self, y: Floats, lam: float) -> Floats:
        """Return the spline's values at the knots."""
        means = self.means(y)
        return np.asarray(means - self.synthesis @ (self._shrinkage(lam) * (self.analysis @ means)))

    def _shrinkage(self, lam: float) -> Floats:
        return np.asarray(lam / (self.mu + lam)) if lam > 0 else np.zeros(len(self.mu))

    def cross_validated_lam(self, y: Floats) -> float:
        """Return the smoothing parameter of minimum generalised cross-validation error."""
        c = self.analysis @ self.means(y)
        if not np.any(c):
            return float(_GRID[-1])
        scale = float(self.mass.mean())

        def error(log_lam: float) -> float:
            shrinkage = self._shrinkage(float(np.exp(log_lam)))
            return float(np.sum((shrinkage * c) ** 2) / np.sum(shrinkage) ** 2)

        grid = np.log(_GRID * scale)
        best = int(np.argmin([error(g) for g in grid]))
        ends = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        return float(np.exp(minimize_scalar(error, bounds=ends, method="bounded").x))

    def unit_lam(self, lam: float) -> float:
        """Return the smoothing parameter for a range of length 1."""
        with np.errstate(over="ignore", under="ignore", divide="ignore"):
            unit = np.float64(lam) / np.float64(self.length) ** 3
        return float(np.nan_to_num(unit, nan=0.0, posinf=1e300))

    def raw_lam(self, lam: float) -> float:
        """Return the smoothing parameter in the units of the column."""
        with np.errstate(over="ignore", under="ignore"):
            return float(lam * np.float64(self.length) ** 3)


def _basis(x: Floats, mass: Floats) -> tuple[Floats, Floats, Floats]:
    n = len(x)
    if n < 3:  # a line interpolates all knots
        return np.empty(0), np.empty((0, n)), np.empty((n, 0))
    h = np.diff(x)
    inner = np.arange(n - 2)
    Q = np.zeros((n, n - 2))
    Q[inner, inner] = 1 / h[:-1]
    Q[inner + 1, inner] = -1 / h[:-1] - 1 / h[1:]
    Q[inner + 2, inner] = 1 / h[1:]
    R = np.diag((h[:-1] + h[1:]) / 3)
    R[inner[:-1], inner[1:]] = R[inner[1:], inner[:-1]] = h[1:-1] / 6
    size = 1 / np.sqrt(np.sum(Q**2 / mass[:, None], axis=0))  # knots may be close to each other
    differences, R = sp.csr_array(Q * size), R * np.outer(size, size)
    inverse = differences / mass[:, None]
    mu, V = eigh(R, (differences.T @ inverse).toarray())
    return np.maximum(mu, 0.0), np.ascontiguousarray((differences @ V).T), inverse @ V


def _evaluate(knots: Floats, values: Floats, x: Floats) -> Floats:
    """Return the values of a natural cubic spline, linear beyond its first and last knot."""
    if len(knots) == 1:
        return np.full(len(x), values[0])
    low, length = knots[0], knots[-1] - knots[0]
    spline = CubicSpline((knots - low) / length, values, bc_type="natural")
    at: Floats = (x - low) / length
    inside = np.clip(at, 0.0, 1.0)
    return np.asarray(
        spline(inside) + np.where(at == inside, 0.0, spline(inside, 1) * (at - inside))
    )
