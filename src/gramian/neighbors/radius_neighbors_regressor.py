"""Regression by the neighbours within a radius."""

from warnings import warn

import numpy as np
import numpy.typing as npt

from gramian.base.errors import caller_level
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Matrix
from gramian.neighbors.neighbors_estimator import RadiusNeighbors
from gramian.neighbors.supervised import NeighborsRegressor
from gramian.neighbors.votes import WeightsField, radius_weights

_HUGE = 1e290  # sums of targets above this may overflow
_HUGE_UNIT = 2.0**64


@params(first=("weights",))
class RadiusNeighborsRegressor(NeighborsRegressor, RadiusNeighbors):
    """Predict the mean target of all neighbours within a radius.

        y(q) = sum_{d(q, x_i) <= r} w_i y_i / sum_{d(q, x_i) <= r} w_i

    with w_i = 1 or 1 / d(q, x_i). The prediction is NaN, with a warning, if no row is within the
    radius. If the weights are a kernel of the distance, this is the Nadaraya-Watson estimator.

    Examples
    --------
    >>> from gramian.neighbors import RadiusNeighborsRegressor
    >>> model = RadiusNeighborsRegressor(radius=1.0).fit([[0.0], [1.0], [4.0]], [0.0, 1.0, 16.0])
    >>> model.predict([[0.5], [4.2]])
    array([ 0.5, 16. ])
    """

    radius: NonNegative = 1.0
    _: KW_ONLY
    weights: WeightsField = "uniform"

    def _means(self, X: npt.ArrayLike | None) -> Matrix:
        found = self._within(self._queries(X))
        counts = np.diff(found.offsets)
        queries = np.repeat(np.arange(len(counts)), counts)
        weights = radius_weights(type(self).__name__, self.weights, found, negative=True)
        total = np.bincount(queries, weights, minlength=len(counts))
        # A power of two, so that sums of huge targets do not overflow and others keep every bit.
        unit = _HUGE_UNIT if float(np.abs(self._y).max()) > _HUGE else 1.0
        targets = (self._y.reshape(len(self._y), -1) / unit)[found.indices]
        if weights is not None:
            targets = targets * weights[:, None]
        sums = [np.bincount(queries, column, minlength=len(counts)) for column in targets.T]
        if (counts == 0).any():
            warn(
                f"{type(self).__name__}: One or more samples have no neighbors within specified "
                "radius; predicting NaN.",
                UserWarning,
                stacklevel=caller_level(),
            )
        with np.errstate(invalid="ignore"):
            mean = np.column_stack(sums) / total[:, None] * unit
        return mean if self._y.ndim == 2 else mean[:, 0]
