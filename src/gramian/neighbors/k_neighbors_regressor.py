"""Regression by the k nearest neighbours."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, Jobs, Positive, params
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets, float_type_of
from gramian.base.types import Matrix
from gramian.neighbors.neighbors_estimator import KNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.search import Algorithm
from gramian.neighbors.votes import WeightsField, check_some_weight, of_nearest


@params
class KNeighborsRegressor(Regressor, KNeighbors):
    """Predict the mean target of the k nearest neighbours.

        y(q) = sum_{i in N_k(q)} w_i y_i / sum_{i in N_k(q)} w_i

    with w_i = 1 or 1 / d(q, x_i). Equal distances are decided by the lower index. A search costs
    what `NearestNeighbors` says, the mean O(k).

    Parameters
    ----------
    n_neighbors
        k.
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from distances to weights.
    algorithm
        How to search; see `NearestNeighbors`.
    leaf_size
        Most rows in a leaf of the tree; in more than four dimensions five times as many.
    p
        The order of the Minkowski metric, from 1 to infinity.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        More parameters of the metric.
    n_jobs
        Threads; None and -1 mean the pool's size. Answers do not depend on it.

    Attributes
    ----------
    effective_metric_ : str or function
        The metric in use.
    effective_metric_params_ : dict
        Its parameters.
    n_samples_fit_ : int
        Number of rows.
    n_features_in_ : int
        Number of columns.

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
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    p: Positive = 2
    metric: MetricField = "minkowski"
    metric_params: dict[str, Any] | None = None
    n_jobs: Jobs = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> "KNeighborsRegressor":
        """Keep the rows and their targets, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Their targets.

        Returns
        -------
        self : KNeighborsRegressor
        """
        table = self._fit_search(X)
        self._y = check_targets(self, y, table.shape[0], columns=True, dtype=float_type_of(y))
        return self

    def predict(self, X: npt.ArrayLike | None) -> Matrix:
        """Predict the target of each row.

        Parameters
        ----------
        X : array or CSR matrix of shape (m, d), or (m, n) if metric="precomputed", or None
            The rows; None stands for the fitted rows, of which none is its own neighbour.

        Returns
        -------
        y : array of shape (m,) or (m, n_outputs)
        """
        distances, indices = self._nearest(self._queries(X))
        weights = of_nearest(self.weights, distances)
        check_some_weight(type(self).__name__, weights)
        if weights is None:
            mean = self._y[indices].mean(axis=1)
        else:
            total = weights.sum(axis=1)
            mean = np.einsum("ij,ij...->i...", weights, self._y[indices])
            mean = mean / (total[:, None] if self._y.ndim == 2 else total)
        targets: Matrix = mean.astype(self._y.dtype, copy=False)
        return targets
