"""Regression by the k nearest neighbours."""

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.types import Floats, Matrix
from gramian.neighbors.neighbors_estimator import KNeighbors
from gramian.neighbors.supervised import NeighborsRegressor
from gramian.neighbors.votes import WeightsField, nearest_weights


@params(first=("weights",))
class KNeighborsRegressor(NeighborsRegressor, KNeighbors):
    """Predict the mean target of the k nearest neighbours.

        y(q) = sum_{i in N_k(q)} w_i y_i / sum_{i in N_k(q)} w_i

    with w_i = 1 or 1 / d(q, x_i). Among rows at equal distance the lower index comes first. The
    search costs as much as in `NearestNeighbors`, the mean O(k).

    Examples
    --------
    >>> from gramian.neighbors import KNeighborsRegressor
    >>> model = KNeighborsRegressor(n_neighbors=2).fit([[0.0], [1.0], [4.0]], [0.0, 1.0, 16.0])
    >>> model.predict([[0.4], [3.0]])
    array([0.5, 8.5])
    """

    n_neighbors: Count = 5
    _: KW_ONLY
    weights: WeightsField = "uniform"

    def _means(self, X: npt.ArrayLike | None) -> Matrix:
        distances, indices = self._nearest(self._queries(X))
        weights = nearest_weights(type(self).__name__, self.weights, distances, negative=True)
        targets = self._y[indices]
        if weights is None:
            return np.asarray(targets.mean(axis=1, dtype=np.float64))
        total: Floats = weights.sum(axis=1)
        sums = np.einsum("ij,ij...->i...", weights, targets)
        return np.asarray(sums / (total[:, None] if self._y.ndim == 2 else total))
