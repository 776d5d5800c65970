"""Nearest neighbours without a target."""

from typing import Any, Self

import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Count, Jobs, NonNegative, Positive, params
from gramian.neighbors.neighbors_estimator import KNeighbors, RadiusNeighbors
from gramian.neighbors.structures.lp_space import MetricField
from gramian.neighbors.structures.search import Algorithm


@params
class NearestNeighbors(KNeighbors, RadiusNeighbors):
    """Find the rows nearest to a query, or all within a radius of it.

    Keeps the rows; a query q is answered by the k rows x_i with the least distance d(q, x_i), by
    (distance, index), exactly as an exhaustive search in float64 finds them. For l_p metrics
    and the cosine the search goes through a k-d tree, O(d log n) a query where that helps, or
    through tiles of the distance matrix, O(d n); "auto" tries the tree on a sample of rows,
    counts the points it looked at and takes what costs less. Other metrics are evaluated pair by
    pair.

    Parameters
    ----------
    n_neighbors
        k, where a method is not told otherwise.
    radius
        The radius, where a method is not told otherwise.
    algorithm
        "kd_tree", "brute" (exhaustive), or "auto" for the cheaper. "ball_tree" is taken as
        "kd_tree" where the metric allows: there is one tree, and answers do not depend on it.
    leaf_size
        Most rows in a leaf of the tree; in more than four dimensions five times as many.
    metric
        "minkowski" with the order p, "l1" ("manhattan", "cityblock"), "l2" ("euclidean"), "linf"
        ("chebyshev", "infinity"), "sqeuclidean", "cosine", some of SciPy's by name, a function of
        two rows, or "precomputed": X is then the matrix of distances (a CSR matrix names only
        the neighbours it stores).
    p
        The order of the Minkowski metric, from 1 to infinity.
    metric_params
        More parameters of the metric, as ``{"w": weights}`` of the columns for Minkowski.
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
    >>> from gramian.neighbors import NearestNeighbors
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [4.0]])
    >>> distances, indices = model.kneighbors([[2.0]])
    >>> distances
    array([[1., 2.]])
    >>> indices
    array([[1, 0]])
    """

    _: KW_ONLY
    n_neighbors: Count = 5
    radius: NonNegative = 1.0
    algorithm: Algorithm = "auto"
    leaf_size: Count = 30
    metric: MetricField = "minkowski"
    p: Positive = 2
    metric_params: dict[str, Any] | None = None
    n_jobs: Jobs = None

    def fit(self, X: npt.ArrayLike, y: object = None) -> Self:
        """Keep the rows and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : ignored

        Returns
        -------
        self : NearestNeighbors
        """
        self._fit_search(X)
        return self
