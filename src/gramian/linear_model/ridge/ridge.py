"""Ridge regression."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.conversions import parameter_array
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, check_params, params
from gramian.base.inputs.feature_names import set_columns
from gramian.base.kinds import Regressor
from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.types import Matrix
from gramian.linear_model.common.linear_prediction import SummaryFit
from gramian.linear_model.ridge import tikhonov
from gramian.linear_model.ridge.ridge_base import RidgeBase
from gramian.linear_model.ridge.ridge_problem import RidgeProblem


@params
class Ridge(RidgeBase, SummaryFit, Regressor):
    """Least squares with a quadratic penalty.

    Minimises

        sum_i w_i (y_i - b - x_i'c)^2 + alpha c'Pc,

    P the identity unless given; the minimiser solves (X'WX + alpha P) c = X'Wy (Hoerl and
    Kennard 1970; Hastie, Tibshirani and Friedman 2009, 3.4.1). It shrinks coefficients towards
    0, most along directions in which the rows vary least, and has a unique solution even if X'WX
    is singular. It is also the mode of the posterior when the noise is N(0, sigma^2) and the
    coefficients have the prior N(0, s^2): then alpha = sigma^2 / s^2 (Bishop 2006, 3.3.1).
    Costs O(n d^2), or O(n^2 d) when there are fewer rows than columns.

    Parameters
    ----------
    alpha
        Strength of the penalty, a number or one per target.
    penalize_intercept
        Whether alpha b^2 is added to the penalty.
    penalty
        P: None for the identity, (d,) for a factor per column, (d, d) for a symmetric
        matrix without negative eigenvalues.

    Attributes
    ----------
    coef_
        Array (d,) or (targets, d), the coefficients c.
    intercept_
        The intercept b, a number or one per target.

    Examples
    --------
    >>> from gramian import Ridge
    >>> X, y = [[0, 0], [1, 1], [0.51, 0.49]], [0, 0, 1]
    >>> Ridge(alpha=0.01).fit(X, y).coef_.round(5)
    array([ 0.65789, -0.65789])
    """

    _: KW_ONLY
    penalize_intercept: bool = False
    penalty: Array | None = None

    def _fit_rows(self, rows: Rows, dtype: npt.DTypeLike, one_target: bool) -> Self:
        fit = tikhonov.tikhonov(
            rows,
            self._problem(rows.n_features, rows.n_targets),
            solver=self.solver,
            positive=bool(self.positive),
            tol=self.tol,
            max_iter=self.max_iter,
            owner=type(self).__name__,
        )
        self._set_model(fit.model[:, :-1], fit.model[:, -1], dtype, one_target)
        self.solver_ = fit.solver
        once = np.ones(rows.n_targets, dtype=np.int64)
        self.n_iter_ = once if fit.n_iter is None else fit.n_iter
        return self

    def solve(self, summary: Summary) -> Self:  # noqa: D102 - as in the base class
        check_params(self)
        if self.positive:
            raise DataError(
                "Ridge: a summary cannot be solved with positive=True; use fit or fit_chunks."
            )
        set_columns(self, summary.n_features, summary.feature_names)
        problem = self._problem(summary.n_features, summary.n_targets)
        model = tikhonov.from_summary(summary, problem)
        self._set_model(model[:, :-1], model[:, -1], np.float64, summary.n_targets == 1)
        self.solver_, self.n_iter_ = "eigh", np.ones(summary.n_targets, dtype=np.int64)
        return self

    def _problem(self, n_features: int, n_targets: int) -> RidgeProblem:
        name = type(self).__name__
        return RidgeProblem(
            check_alpha(name, self.alpha, n_targets),
            check_penalty(name, self.penalty, n_features),
            bool(self.fit_intercept),
            bool(self.penalize_intercept),
        )


def check_alpha(owner: str, alpha: Any, n_targets: int) -> Vector:
    """Return alpha as an array with one value per target."""
    values = parameter_array(owner, "alpha", alpha).reshape(-1)
    if len(values) not in (1, n_targets):
        raise ParameterError(
            f"{owner}: alpha must be one number or one per target ({n_targets}); got "
            f"{len(values)} values. Number of targets and number of penalties do not correspond."
        )
    if not np.all(values >= 0) or not np.all(np.isfinite(values)):
        raise ParameterError(f"{owner}: alpha must contain finite numbers >= 0; got {alpha!r}.")
    return np.broadcast_to(values, (n_targets,)).copy()


def check_penalty(owner: str, penalty: Any, n_features: int) -> Matrix | None:
    """Return P as a matrix, or None for the identity."""
    if penalty is None:
        return None
    P = parameter_array(owner, "penalty", penalty)
    if P.ndim == 1:
        P = np.diag(P)
    if P.shape != (n_features, n_features) or not np.allclose(P, P.T):
        raise ParameterError(
            f"{owner}: penalty must be {n_features} factors or a symmetric matrix "
            f"({n_features}, {n_features}), one row per column of X; got shape "
            f"{np.shape(penalty)}."
        )
    lowest = np.linalg.eigvalsh(P)[0] if n_features else 0.0
    if not lowest >= -1e-10 * np.abs(P).max():
        raise ParameterError(
            f"{owner}: penalty must have no negative eigenvalue; got {lowest:.3g}. "
            "The cost would have no minimum."
        )
    return np.asarray((P + P.T) / 2)
