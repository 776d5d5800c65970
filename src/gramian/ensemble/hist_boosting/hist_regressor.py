"""Histogram gradient boosting for regression."""

from numbers import Real
from typing import Annotated, Any, Literal

import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Interval,
    params,
)
from gramian.base.types import Floats, Weights
from gramian.ensemble.common.boosted_scores import BoostedRegressor
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


@params(first=("quantile",))
class HistGradientBoostingRegressor(BoostedRegressor, HistGradientBoosting):
    """Histogram-based gradient boosting for regression.

    Adds trees f_t, each a step of Newton's method in function space, to a constant,

        z(x) = z_0 + eta sum_t f_t(x);

    tree t fits the gradient of the loss at the current scores. Features are binned into at most
    255 bins, so a split costs one pass over the rows of its smaller child. Missing values go to the
    child with the greater gain; categories are split into two sets. The prediction is z(x), or
    e^z(x) for "poisson" and "gamma". The trees do not depend on the number of threads. Friedman
    2001; Ke et al. 2017.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "quantile", "poisson" (y >= 0), "gamma" (y > 0), or
        a function of targets and scores that returns gradient and hessian, or a loss of
        `gramian.objectives`.
    quantile
        Level of the quantile, for loss="quantile".

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistGradientBoostingRegressor
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingRegressor().fit(X, np.where(X[:, 0] < 50, 1.0, 3.0))
    >>> model.predict([[10.0], [90.0]]).round(3)
    array([1., 3.])
    """

    loss: (
        Literal["squared_error", "absolute_error", "quantile", "poisson", "gamma"] | CustomLoss
    ) = "squared_error"
    _: KW_ONLY
    quantile: Annotated[float, Interval(Real, 0, 1)] | None = None

    def _loss(self) -> BoostingLoss:
        owner = type(self).__name__
        if (self.loss == "quantile") != (self.quantile is not None):
            raise ParameterError(
                f"{owner}: quantile must be in [0, 1] for loss='quantile' and None for "
                f"any other loss; got {self.quantile!r} with loss={self.loss!r}."
            )
        return regression_loss(self.loss, self.quantile, owner)

    def _total_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        del y
        return weights

    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        return y
