"""Gradient boosting in function space, for regression."""

from numbers import Real
from typing import Annotated, Literal

from gramian.base.fields import (
    KW_ONLY,
    Interval,
    params,
)
from gramian.ensemble.common.boosted_scores import BoostedRegressor
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.functional_boosting.function_boosting import FunctionBoosting


@params(first=("loss", "alpha"))
class FunctionalGradientBoostingRegressor(BoostedRegressor, FunctionBoosting):
    """Gradient boosting with any regressor as the base learner.

    f_1 is the best constant; iteration m fits a learner h to the negative gradient of the loss at
    the current f and adds eta gamma h, gamma by line search. `HistGradientBoostingRegressor` is
    faster for trees. Friedman 2001.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "quantile", "poisson", "gamma", or a custom one: see
        `HistGradientBoostingRegressor`.
    alpha
        The level, for loss="quantile".

    Examples
    --------
    >>> from gramian import FunctionalGradientBoostingRegressor, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 5.0, 7.0]
    >>> linear = FunctionalGradientBoostingRegressor(
    ...     estimator=Ridge(alpha=0.0), learning_rate=1.0, n_estimators=1
    ... )
    >>> linear.fit(X, y).predict([[10.0]]).round(3)
    array([21.])
    """

    _: KW_ONLY
    loss: (
        Literal["squared_error", "absolute_error", "quantile", "poisson", "gamma"] | CustomLoss
    ) = "squared_error"
    alpha: Annotated[float, Interval(Real, 0, 1)] = 0.9

    def _loss(self) -> BoostingLoss:
        level = self.alpha if self.loss == "quantile" else None
        return regression_loss(self.loss, level, type(self).__name__)
