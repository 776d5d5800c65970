"""Gradient boosting of exact trees, or of any regressor, for regression."""

from numbers import Real
from typing import Annotated, Literal

import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosted_scores import BoostedRegressor
from gramian.ensemble.common.boosting_loss import BoostingLoss, huber
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.gradient_boosting.gradient_base import GradientBoosting
from gramian.ensemble.gradient_boosting.stage_loss import HuberStage, StageLoss


@params(first=("loss",))
class GradientBoostingRegressor(BoostedRegressor, GradientBoosting):
    """Gradient boosting of exact regression trees, or of any regressor.

    Each iteration grows a tree on the negative slopes of the loss and gives every leaf the step
    that minimises the loss of its rows (Friedman 2001). Any other `estimator` is fitted to the
    slopes in place of the tree, with one step found by line search. Splits are exact: the
    columns are sorted once, and every threshold is tried; O(n d) for each level of a tree.
    `HistGradientBoostingRegressor` bins the columns and is faster on many rows.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "huber" (squared for small errors, linear for large
        ones), "quantile", "poisson", "gamma", or a custom loss: see
        `HistGradientBoostingRegressor`.
    alpha
        The level of "quantile", or the quantile of the absolute errors at which "huber" turns
        linear.

    Examples
    --------
    >>> from gramian import GradientBoostingRegressor, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> model = GradientBoostingRegressor(n_estimators=1, learning_rate=1.0).fit(X, y)
    >>> model.predict([[0.4], [2.6]])
    array([1., 5.])
    >>> model = GradientBoostingRegressor(estimator=Ridge(alpha=0.0), n_estimators=1)
    >>> model.set_params(learning_rate=1.0).fit(X, [1.0, 3.0, 5.0, 7.0]).predict([[10.0]]).round(3)
    array([21.])
    """

    _: KW_ONLY
    loss: (
        Literal["squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma"]
        | CustomLoss
    ) = "squared_error"
    alpha: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.9

    def _loss(self) -> BoostingLoss:
        if self.loss == "huber":
            return huber(1.0)
        level = self.alpha if self.loss == "quantile" else None
        return regression_loss(self.loss, level, type(self).__name__)

    def _stage_loss(self) -> StageLoss:
        return HuberStage(self.alpha) if self.loss == "huber" else StageLoss(self._loss())

    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None = None) -> Floats:
        return super()._encode(y, n)
