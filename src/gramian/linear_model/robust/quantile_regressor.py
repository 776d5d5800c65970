"""Quantile regression and least absolute deviations, solved exactly."""

import warnings
from numbers import Real
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, Interval, NonNegative, params
from gramian.base.inputs.weights import unit_weights
from gramian.base.rows.moments import Vector
from gramian.base.types import Data, Weights
from gramian.linear_model.robust.program_columns import prepare_rows
from gramian.linear_model.robust.quantile_solver import solve_quantile
from gramian.linear_model.robust.robust_regressor import RobustRegressor, Sample

_MAX_PIVOTS = 200  # maximum number of basis changes before HiGHS is used


def pinball_fit(
    X: Data, y: Vector, weights: Weights | None, q: float, alpha: float, *, intercept: bool
) -> tuple[Vector, float, int, bool]:
    """Return coefficients, intercept, steps, and whether optimality was proved.

    alpha |c_j| is the pinball loss of two more rows, e_j and -e_j with the target 0 and the weight
    alpha times the total: q + (1 - q) = 1.
    """
    rows = prepare_rows(X, y, weights, intercept=intercept)
    if alpha == 0:
        found = solve_quantile(rows.X, rows.y, rows.weights, q, _MAX_PIVOTS)
        return *rows.unpack(found.b), found.n_iter, found.certified
    # The penalty depends on linearly dependent columns too, so none is dropped, and the scale of
    # a column enters its weight.
    d = rows.n_columns
    table = (X.toarray() if hasattr(X, "toarray") else X)[rows.origin]
    full = (table.astype(np.float64) - rows.centre) / rows.scale
    constant = np.ones((len(full), int(intercept)))
    unit = np.hstack([np.eye(d), np.zeros((d, int(intercept)))])
    design = np.ascontiguousarray(np.vstack([np.hstack([full, constant]), unit, -unit]))
    target = np.concatenate([rows.y, np.zeros(2 * d)])
    strength = alpha * rows.weights.sum() / rows.scale
    found = solve_quantile(
        design, target, np.concatenate([rows.weights, strength, strength]), q, _MAX_PIVOTS
    )
    coef = found.b[:d] * rows.unit / rows.scale
    coef[np.abs(found.b[:d]) <= 1e-13] = 0.0
    level = rows.level + (found.b[d] * rows.unit if intercept else 0.0)
    return coef, float(level - coef @ rows.centre), found.n_iter, found.certified


def warn_unless_certified(owner: str, certified: bool) -> None:
    """Warn if optimality was not proved."""
    if not certified:
        warnings.warn(
            f"{owner}: the optimum could not be certified; scale the columns of X.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )


@params(first=("quantile", "alpha"))
class QuantileRegressor(RobustRegressor):
    """Linear regression of a quantile.

    Minimises

        1/W sum_i w_i rho(y_i - b - x_i'c) + alpha |c|_1,    rho(r) = r (q - [r < 0]),

    W the total weight (Koenker and Bassett 1978): about a fraction q of the rows lies below the
    plane. An interior-point method takes about fifteen passes over the rows; then the solution is
    made exact: as many rows as unknowns lie on the plane, and multipliers prove it optimal. The
    solution need not be unique.

    Parameters
    ----------
    quantile
        q; 0.5 is the median.
    alpha
        Strength of the l1 penalty.
    fit_intercept
        Whether to fit an intercept b, which is not penalised.
    solver
        Ignored; present for scikit-learn compatibility.
    solver_options
        Ignored; present for scikit-learn compatibility.

    Attributes
    ----------
    n_iter_ : int
        Number of interior-point steps and basis changes.

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
    solver: Literal["highs", "highs-ds", "highs-ipm", "interior-point", "revised simplex"] = "highs"
    solver_options: dict[str, Any] | None = None

    def _solve(self, sample: Sample) -> tuple[Vector, float]:
        X, y, weights = sample
        coef, intercept, self.n_iter_, certified = pinball_fit(
            X,
            y,
            unit_weights(weights),
            float(self.quantile),
            float(self.alpha),
            intercept=bool(self.fit_intercept),
        )
        warn_unless_certified("QuantileRegressor", certified)
        return coef, intercept


@params
class LeastAbsoluteDeviations(RobustRegressor):
    """Linear regression that minimises the sum of absolute residuals.

        sum_i w_i |y_i - b - x_i'c|

    Outliers in y have no more influence than other rows: if X has no outliers, nearly half of the
    rows may be outliers in y with little effect. This is `QuantileRegressor` with q = 1/2 and no
    penalty.

    Attributes
    ----------
    n_iter_ : int
        Number of interior-point steps and basis changes.

    Examples
    --------
    >>> from gramian import LeastAbsoluteDeviations
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [0.0, 1.0, 2.0, 3.0, 40.0]
    >>> LeastAbsoluteDeviations().fit(X, y).predict([[5.0]]).round(6)
    array([5.])
    """

    def _solve(self, sample: Sample) -> tuple[Vector, float]:
        X, y, weights = sample
        coef, intercept, self.n_iter_, certified = pinball_fit(
            X, y, unit_weights(weights), 0.5, 0.0, intercept=bool(self.fit_intercept)
        )
        warn_unless_certified("LeastAbsoluteDeviations", certified)
        return coef, intercept
