"""Unsupervised nearest-neighbour search."""

from typing import Self

from gramian.base.fields import KW_ONLY, Count, NonNegative, params
from gramian.base.types import Table
from gramian.neighbors.neighbors_estimator import KNeighbors, RadiusNeighbors
from gramian.neighbors.search_parameters import SearchParameters


@params(first=("n_neighbors", "radius", "algorithm", "leaf_size", "metric"))
class NearestNeighbors(SearchParameters, KNeighbors, RadiusNeighbors):
    """Find the rows nearest to a query, or all within a radius of it.

    Stores the rows; a query q returns the k rows x_i with the smallest distance d(q, x_i), by
    (distance, index), exactly as an exhaustive search in float64. For l_p metrics and the
    cosine the search uses a k-d tree, O(d log n) per query in low dimensions, or tiles of the
    distance matrix, O(d n); "auto" tries the tree on a sample of rows, counts the points it visits
    and chooses the cheaper one. Other metrics are evaluated pair by pair.

    Parameters
    ----------
    n_neighbors
        Default k of the queries.
    radius
        Default radius of the queries.
    algorithm
        "kd_tree", "brute" (exhaustive), or "auto" for the faster. "ball_tree" means "kd_tree" if
        the metric allows it. Results do not depend on the algorithm.
    metric
        "minkowski" with the order p, "l1" ("manhattan", "cityblock"), "l2" ("euclidean"), "linf"
        ("chebyshev", "infinity"), "sqeuclidean", "cosine", some SciPy metrics by name, a function
        of two rows, or "precomputed": X is then the matrix of distances (in a CSR matrix only
        stored entries are neighbours).

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

    def fit(self, X: Table, y: object = None) -> Self:
        """Store the rows and prepare the search.

        Parameters
        ----------
        X : array or CSR matrix of shape (n, d), or (n, n) if metric="precomputed"
            The rows.
        y : object
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : object
            The fitted estimator.
        """
        self._fit_search(X)
        return self
