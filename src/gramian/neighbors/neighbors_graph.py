"""Neighbour graphs."""

from typing import Any, Literal

import numpy.typing as npt
import scipy.sparse as sp

from gramian.base.types import Table
from gramian.neighbors.nearest_neighbors import NearestNeighbors


def kneighbors_graph(
    X: npt.ArrayLike | NearestNeighbors,
    n_neighbors: int,
    *,
    mode: Literal["connectivity", "distance"] = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: bool | Literal["auto"] = False,
    n_jobs: int | None = None,
) -> sp.csr_matrix:
    """Return the graph that joins each row with its k nearest rows.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or a fitted NearestNeighbors
        The rows.
    n_neighbors : int
        Number k of neighbours.
    mode : "connectivity" or "distance", default="connectivity"
        Whether the value of an edge is 1 or the distance.
    metric : str or function, default="minkowski"
        See `NearestNeighbors`.
    p : float, default=2
        The order of the Minkowski metric.
    metric_params : dict, default=None
        Additional parameters of the metric.
    include_self : bool or "auto", default=False
        Whether a row is its own neighbour; "auto" means yes for "connectivity".
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    graph : CSR matrix of shape (n, n)

    Examples
    --------
    >>> from gramian.neighbors import kneighbors_graph
    >>> kneighbors_graph([[0.0], [1.0], [4.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 1., 0.]])
    """
    search = _fitted(X, metric, p, metric_params, n_jobs, n_neighbors=n_neighbors)
    queries = _queries(search, mode, include_self)
    return search.kneighbors_graph(queries, n_neighbors, mode)


def radius_neighbors_graph(
    X: npt.ArrayLike | NearestNeighbors,
    radius: float,
    *,
    mode: Literal["connectivity", "distance"] = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: bool | Literal["auto"] = False,
    n_jobs: int | None = None,
) -> sp.csr_matrix:
    """Return the graph that joins each row with the rows within a radius.

    Parameters
    ----------
    X : array or CSR matrix of shape (n, d), or a fitted NearestNeighbors
        The rows.
    radius : float
        Rows at this distance are joined.
    mode, metric, p, metric_params, include_self, n_jobs
        See `kneighbors_graph`.

    Returns
    -------
    graph : CSR matrix of shape (n, n)

    Examples
    --------
    >>> from gramian.neighbors import radius_neighbors_graph
    >>> radius_neighbors_graph([[0.0], [1.0], [4.0]], 3.0, mode="distance").toarray()
    array([[0., 1., 0.],
           [1., 0., 3.],
           [0., 3., 0.]])
    """
    search = _fitted(X, metric, p, metric_params, n_jobs, radius=radius)
    queries = _queries(search, mode, include_self)
    return search.radius_neighbors_graph(queries, radius, mode)


def _fitted(
    X: Table, metric: Any, p: float, metric_params: Any, n_jobs: int | None, **reach: Any
) -> NearestNeighbors:
    if isinstance(X, NearestNeighbors):
        return X
    model = NearestNeighbors(
        metric=metric, p=p, metric_params=metric_params, n_jobs=n_jobs, **reach
    )
    return model.fit(X)


def _queries(search: NearestNeighbors, mode: str, include_self: bool | str) -> Any:
    """Return the queries: the fitted rows, or None to exclude each row itself."""
    with_self = mode == "connectivity" if include_self == "auto" else include_self
    return search._fit_X if with_self else None
