"""Regression by the neighbours within a radius."""

from typing import Any
from warnings import warn

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, Jobs, NonNegative, Positive, params
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets, float_type_of
from gramian.base.types import Matrix
from gramian.neighbors.neighbors_estimator import RadiusNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.search import Algorithm
from gramian.neighbors.votes import WeightsField, of_balls


@params
class RadiusNeighborsRegressor(Regressor, RadiusNeighbors):
    """Predict the mean target of all neighbours within a radius.

        y(q) = sum_{d(q, x_i) <= r} w_i y_i / sum_{d(q, x_i) <= r} w_i

    with w_i = 1 or 1 / d(q, x_i); NaN, with a warning, where no row is within the radius. With
    weights that are a kernel of the distance it is the estimate of Nadaraya and Watson.

    Parameters
    ----------
    radius
        r; a row at distance r counts.
    weights
        "uniform" (or None), "distance" for 1 / d, or a function from the distances of one ball to
        weights.
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
    >>> from gramian.neighbors import RadiusNeighborsRegressor
    >>> model = RadiusNeighborsRegressor(radius=1.0).fit([[0.0], [1.0], [4.0]], [0.0, 1.0, 16.0])
    >>> model.predict([[0.5], [4.2]])
    array([ 0.5, 16. ])
    """

    radius: NonNegative = 1.0
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

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> "RadiusNeighborsRegressor":
        """Keep the rows and their targets, and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : array of shape (n,) or (n, n_outputs)
            Their targets.

        Returns
        -------
        self : RadiusNeighborsRegressor
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
        found = self._within(self._queries(X))
        counts = np.diff(found.offsets)
        queries = np.repeat(np.arange(len(counts)), counts)
        weights = of_balls(self.weights, found)
        total = np.bincount(queries, weights, minlength=len(counts))
        targets = self._y.reshape(len(self._y), -1)[found.indices]
        if weights is not None:
            targets = targets * weights[:, None]
        sums = [np.bincount(queries, column, minlength=len(counts)) for column in targets.T]
        if (counts == 0).any():
            warn(
                f"{type(self).__name__}: One or more samples have no neighbors within specified "
                "radius; predicting NaN.",
                UserWarning,
                stacklevel=2,
            )
        with np.errstate(invalid="ignore"):
            mean = np.column_stack(sums) / total[:, None]
        mean = mean.astype(self._y.dtype, copy=False)
        return mean if self._y.ndim == 2 else mean[:, 0]
