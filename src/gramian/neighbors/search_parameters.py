"""Parameters shared by all exact neighbour estimators."""

from typing import Any

from gramian.base.fields import KW_ONLY, Count, Jobs, Positive, params
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.search import Algorithm


@params
class SearchParameters:
    """The metric and the search algorithm.

    Parameters
    ----------
    algorithm
        Search algorithm; see `NearestNeighbors`.
    leaf_size
        Maximum number of rows in a leaf of the tree, where 1 means 2; five times `leaf_size` above
        four dimensions.
    p
        The order of the Minkowski metric, from 1 to infinity.
    metric
        The distance; see `NearestNeighbors`.
    metric_params
        Additional parameters of the metric, such as ``{"w": weights}`` of the features.
    n_jobs
        Number of threads; None and -1 mean the pool's size. Results do not depend on it.

    Attributes
    ----------
    effective_metric_ : str or function
        The metric in use.
    effective_metric_params_ : dict
        Parameters of the metric in use.
    n_samples_fit_ : int
        Number of rows.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    _: KW_ONLY
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    p: Positive = 2
    metric: MetricField = "minkowski"
    metric_params: dict[str, Any] | None = None
    n_jobs: Jobs = None
