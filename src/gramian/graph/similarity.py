"""Similarity graphs of points."""

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError, raised_by
from gramian.base.inputs.gate import LARGEST
from gramian.base.types import Floats, Table
from gramian.graph.graph import Graph, Masses
from gramian.neighbors import kneighbors_graph, radius_neighbors_graph

EdgeWeights = Literal["connectivity", "gaussian"]


def knn_graph(
    X: Table,
    n_neighbors: int = 10,
    *,
    mutual: bool = False,
    weights: EdgeWeights = "connectivity",
    sigma: float | None = None,
    metric: Any = "minkowski",
    masses: Masses = "unit",
    n_jobs: int | None = None,
) -> Graph:
    r"""Join each point with its k nearest other points.

    Parameters
    ----------
    X
        Points, shape (n, d); dense, CSR or a frame.
    n_neighbors
        Number k of neighbours.
    mutual
        Whether each point must be among the nearest of the other; otherwise one suffices.
    weights
        "connectivity" is 1 for every edge, "gaussian" :math:`\exp(-d^2 / 2 \sigma^2)` of the
        distance d.
    sigma
        Width of Gaussian weights; None uses the mean length of the edges.
    metric
        See `gramian.neighbors.NearestNeighbors`.
    masses
        See `Graph`.
    n_jobs
        Number of threads.

    Examples
    --------
    >>> from gramian.graph import knn_graph
    >>> knn_graph([[0.0], [1.0], [4.0]], 1).edges()[0].tolist()
    [[0, 1], [1, 2]]
    >>> knn_graph([[0.0], [1.0], [4.0]], 1, mutual=True).edges()[0].tolist()
    [[0, 1]]
    """
    with raised_by("knn_graph", "NearestNeighbors"):
        near = kneighbors_graph(X, n_neighbors, mode="distance", metric=metric, n_jobs=n_jobs)
    return Graph(_weighted("knn_graph", sp.csr_array(near), mutual, weights, sigma), masses)


def radius_graph(
    X: Table,
    radius: float,
    *,
    weights: EdgeWeights = "connectivity",
    sigma: float | None = None,
    metric: Any = "minkowski",
    masses: Masses = "unit",
    n_jobs: int | None = None,
) -> Graph:
    """Join each point with all others within a radius (an epsilon ball).

    Parameters
    ----------
    X
        Points, shape (n, d); dense, CSR or a frame.
    radius
        Points at this distance are joined.
    weights, sigma, metric, masses, n_jobs
        See `knn_graph`.

    Examples
    --------
    >>> from gramian.graph import radius_graph
    >>> radius_graph([[0.0], [1.0], [4.0]], 2.0).edges()[0].tolist()
    [[0, 1]]
    """
    with raised_by("radius_graph", "NearestNeighbors"):
        near = radius_neighbors_graph(X, radius, mode="distance", metric=metric, n_jobs=n_jobs)
    if metric in ("minkowski", "euclidean", "l2"):
        table: Any = X
        values = table.data if sp.issparse(X) else np.asarray(X, dtype=np.float64)
        _check_overflow("radius_graph", np.abs(values).max(initial=0.0) / LARGEST <= 1.0)
    return Graph(_weighted("radius_graph", sp.csr_array(near), False, weights, sigma), masses)


def gaussian_graph(
    X: Table, *, sigma: float | None = None, masses: Masses = "unit", n_jobs: int | None = None
) -> Graph:
    r"""Join all points, with weights :math:`\exp(-d^2 / 2 \sigma^2)` of their distances d.

    It has n^2 / 2 edges; weights that underflow to 0 are dropped.

    Parameters
    ----------
    X
        Points, shape (n, d).
    sigma
        Width; None uses the mean distance to the 10th nearest point, or the farthest if fewer.
    masses
        As for `Graph`.
    n_jobs
        Number of threads.

    Examples
    --------
    >>> from gramian.graph import gaussian_graph
    >>> gaussian_graph([[0.0], [1.0]], sigma=1.0).weights.toarray().round(3)
    array([[0.   , 0.607],
           [0.607, 0.   ]])
    """
    with raised_by("gaussian_graph", "NearestNeighbors"):
        every = radius_neighbors_graph(X, np.inf, mode="distance", n_jobs=n_jobs)
    _check_overflow("gaussian_graph", np.isfinite(every.data).all())
    if sigma is None and every.shape[0] > 1:
        k = min(10, every.shape[0] - 1)
        tenth = kneighbors_graph(X, k, mode="distance", n_jobs=n_jobs).data.reshape(-1, k)[:, -1]
        sigma = _positive(tenth)
    return Graph(_weighted("gaussian_graph", sp.csr_array(every), False, "gaussian", sigma), masses)


def _weighted(
    owner: str, near: sp.csr_array, mutual: bool, weights: EdgeWeights, sigma: float | None
) -> sp.csr_array:
    """Return the symmetric weights of a graph of distances."""
    if weights not in ("connectivity", "gaussian"):
        raise ParameterError(
            f"{owner}: weights must be one of 'connectivity', 'gaussian'; got {weights!r}."
        )
    if sigma is not None and not (np.isfinite(sigma) and sigma > 0):
        raise ParameterError(f"{owner}: sigma must be a positive number; got {sigma!r}.")
    _check_overflow(owner, np.isfinite(near.data).all())
    if weights == "connectivity":
        near.data[:] = 1.0
    else:
        width = _positive(near.data) if sigma is None else sigma
        near.data = np.exp(-0.5 * (near.data / width) ** 2)
    both = near.minimum(near.T) if mutual else near.maximum(near.T)
    return sp.csr_array(both)


def _check_overflow(owner: str, finite: bool | np.bool_) -> None:
    if not finite:
        raise DataError(
            f"{owner}: distances must be finite; the squares of X overflow. Divide X by a constant."
        )


def _positive(distances: Floats) -> float:
    """Return the mean distance, or 1 if all points are equal."""
    mean = float(distances.mean()) if distances.size else 0.0
    return mean if mean > 0 else 1.0
