"""Quantile regression and least absolute deviations, exact to the vertex."""

import warnings
from numbers import Real
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.fields import KW_ONLY, Interval, NonNegative, params
from gramian.base.gate import check_fit, check_size
from gramian.base.moments import Vector
from gramian.base.targets import check_targets
from gramian.base.types import Data, Weights
from gramian.base.weights import check_weights, unit_weights
from gramian.linear_model.common.linear_regressor import LinearRegressor
from gramian.linear_model.robust.program_columns import prepare
from gramian.linear_model.robust.quantile_solver import solve_quantile

_PIVOTS = 200  # changes of the basis before HiGHS is asked


class PinballRegressor(LinearRegressor):
    """Minimises a pinball loss, with or without an l1 penalty."""

    fit_intercept: bool

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _fit_pinball(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: Any, q: float, alpha: float
    ) -> Self:
        name = type(self).__name__
        table = check_fit(self, X)
        check_size(self, "X", table)
        targets = np.asarray(check_targets(self, y, table.shape[0]), dtype=np.float64)
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        coef, intercept, n_iter, certified = pinball_fit(
            table, targets, weights, float(q), float(alpha), intercept=bool(self.fit_intercept)
        )
        self._set_model(coef[None], np.array([intercept]), table.dtype, one_target=True)
        self.n_iter_ = n_iter
        if not certified:
            warnings.warn(
                f"{name}: the optimum could not be certified; scale the columns of X.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self


def pinball_fit(
    X: Data, y: Vector, weights: Weights | None, q: float, alpha: float, *, intercept: bool
) -> tuple[Vector, float, int, bool]:
    """Return coefficients, intercept, steps, and whether they are proved optimal.

    alpha |c_j| is the pinball loss of two rows more, e_j and -e_j with the target 0 and the weight
    alpha times the total: q + (1 - q) = 1.
    """
    rows = prepare(X, y, weights, intercept=intercept)
    if alpha == 0:
        found = solve_quantile(rows.X, rows.y, rows.weights, q, _PIVOTS)
        return *rows.unpack(found.b), found.n_iter, found.certified
    # Columns that depend on others matter to the penalty: none is left out, and the scale of a
    # column goes into its weight.
    d = rows.n_columns
    table = (X.toarray() if hasattr(X, "toarray") else X)[rows.origin]
    full = (table.astype(np.float64) - rows.centre) / rows.scale
    constant = np.ones((len(full), int(intercept)))
    unit = np.hstack([np.eye(d), np.zeros((d, int(intercept)))])
    design = np.ascontiguousarray(np.vstack([np.hstack([full, constant]), unit, -unit]))
    target = np.concatenate([rows.y, np.zeros(2 * d)])
    strength = alpha * rows.weights.sum() / rows.scale
    found = solve_quantile(
        design, target, np.concatenate([rows.weights, strength, strength]), q, _PIVOTS
    )
    coef = found.b[:d] * rows.unit / rows.scale
    coef[np.abs(found.b[:d]) <= 1e-13] = 0.0
    level = rows.level + (found.b[d] * rows.unit if intercept else 0.0)
    return coef, float(level - coef @ rows.centre), found.n_iter, found.certified


@params
class QuantileRegressor(PinballRegressor):
    """Linear regression of a quantile.

    Minimises

        1/W sum_i w_i rho(y_i - b - x_i'c) + alpha |c|_1,    rho(r) = r (q - [r < 0]),

    W the total weight (Koenker and Bassett 1978): about a share q of the rows lies below the
    plane. By an interior point, about fifteen passes over the rows, and then exactly: as many
    rows as there are unknowns lie on the plane, and multipliers prove it optimal. A solution need
    not be the only one.

    Parameters
    ----------
    quantile
        q; 0.5 is the median.
    alpha
        Strength of the l1 penalty.
    fit_intercept
        Whether there is an intercept b, which is not penalised.
    solver
        The minimum is the same by any way; kept so that scikit-learn's calls work.
    solver_options
        Not used; kept so that scikit-learn's calls work.

    Attributes
    ----------
    coef_ : array (d,)
        The coefficients c.
    intercept_ : float
        The intercept b.
    n_iter_ : int
        Steps of the interior point and changes of the basis.

    Examples
    --------
    >>> from gramian import QuantileRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 40.0]
    >>> QuantileRegressor(alpha=0.0).fit(X, y).coef_.round(6)
    array([1.])
    """

    _: KW_ONLY
    quantile: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.5
    alpha: NonNegative = 1.0
    fit_intercept: bool = True
    solver: Literal["highs", "highs-ds", "highs-ipm", "interior-point", "revised simplex"] = "highs"
    solver_options: dict[str, Any] | None = None

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
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        return self._fit_pinball(X, y, sample_weight, self.quantile, self.alpha)


@params
class LeastAbsoluteDeviations(PinballRegressor):
    """Linear regression that minimises the sum of absolute residuals.

        sum_i w_i |y_i - b - x_i'c|

    Outliers in y pull no harder than other rows, so up to nearly half of them do little harm
    where X has no outliers. `QuantileRegressor` with q = 1/2 and no penalty; exact to the vertex.

    Parameters
    ----------
    fit_intercept
        Whether there is an intercept b.

    Attributes
    ----------
    coef_ : array (d,)
        The coefficients c.
    intercept_ : float
        The intercept b.
    n_iter_ : int
        Steps of the interior point and changes of the basis.

    Examples
    --------
    >>> from gramian import LeastAbsoluteDeviations
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 40.0]
    >>> LeastAbsoluteDeviations().fit(X, y).predict([[5.0]]).round(6)
    array([5.])
    """

    _: KW_ONLY
    fit_intercept: bool = True

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
            Weights >= 0 of the rows; weight k counts as the row repeated k times.

        Returns
        -------
        self
        """
        return self._fit_pinball(X, y, sample_weight, 0.5, 0.0)
