"""Gradient boosting of exact trees, for regression."""

from numbers import Real
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.gate import check_size
from gramian.base.targets import check_targets
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosted_scores import BoostedRegressor
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.gradient_boosting.gradient_base import GradientBoosting
from gramian.ensemble.gradient_boosting.stage_loss import HuberStage, StageLoss, huber, stage_loss


@params(first=("loss",))
class GradientBoostingRegressor(BoostedRegressor, GradientBoosting):
    """Gradient boosting of exact regression trees.

    Each iteration grows a tree on the negative slopes of the loss and gives every leaf the step
    that lowers the loss of its rows most (Friedman 2001). Splits are exact: the columns are sorted
    once, and every threshold is tried; O(n d) for each level of a tree.
    `HistGradientBoostingRegressor` bins the columns and is faster on many rows.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "huber": squares of small errors and absolute values of
        large ones, "quantile".
    alpha
        The quantile of "quantile", or of the errors that are large for "huber".

    See Also
    --------
    FunctionalGradientBoostingRegressor : boosting of any regressor, with custom losses.

    Examples
    --------
    >>> from gramian import GradientBoostingRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 1.0, 5.0, 5.0]
    >>> model = GradientBoostingRegressor(n_estimators=1, learning_rate=1.0).fit(X, y)
    >>> model.predict([[0.4], [2.6]])
    array([1., 5.])
    """

    _: KW_ONLY
    loss: Literal["squared_error", "absolute_error", "huber", "quantile"] = "squared_error"
    alpha: Annotated[float, Interval(Real, 0, 1, open_low=True, open_high=True)] = 0.9

    def _loss(self) -> BoostingLoss:
        if self.loss == "huber":
            return huber(1.0)
        level = self.alpha if self.loss == "quantile" else None
        return regression_loss(self.loss, level, type(self).__name__)

    def _stage_loss(self) -> StageLoss:
        return HuberStage(self.alpha) if self.loss == "huber" else stage_loss(self._loss())

    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None = None) -> Floats:
        targets = np.asarray(check_targets(self, y, n), dtype=np.float64)
        check_size(self, "y", targets)
        return targets

    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        return self._encode(y, n)
