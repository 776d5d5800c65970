"""Agglomerative clustering that joins only clusters connected by a graph."""

import heapq
from collections.abc import Callable, Iterable
from typing import Any
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.types import Matrix
from gramian.cluster.dissimilarities import (
    Dissimilarities,
    Rows,
    check_dissimilarities,
    dissimilarities_between,
    dissimilarities_of_pairs,
)
from gramian.cluster.hierarchy.linkage import METHODS

Parts = dict[int, float]  # the clusters connected with a cluster, and their distances
Between = Callable[[int, npt.NDArray[np.int64]], npt.NDArray[np.float64]]

_TILE = 1 << 20  # dissimilarities at a time
CONNECTED_METHODS = ("ward", "complete", "average", "single")


def check_connectivity(
    owner: str, connectivity: Any, X: Matrix, method: str, metric: object
) -> sp.csr_array:
    """Return the undirected graph without loops, as CSR; a function is called with X."""
    if method not in CONNECTED_METHODS:
        others = [name for name in METHODS if name not in CONNECTED_METHODS]
        raise ParameterError(
            f"{owner}: connectivity needs linkage {', '.join(CONNECTED_METHODS)}; got "
            f"{method!r}, one of {', '.join(others)}. Use another linkage, or connectivity=None."
        )
    graph = connectivity(X) if callable(connectivity) else connectivity
    try:
        graph = sp.csr_array(graph, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{owner}: connectivity must be a matrix; {error}.") from None
    n = len(X)
    if graph.shape != (n, n):
        raise DataError(
            f"{owner}: connectivity must have shape (n_samples, n_samples) = {(n, n)}; got "
            f"{graph.shape}."
        )
    if not np.isfinite(graph.data).all() or (graph.data < 0).any():
        raise DataError(
            f"{owner}: connectivity must contain finite numbers >= 0; 0 means not connected. "
            "Use absolute values, or remove the negative entries."
        )
    if isinstance(metric, str) and metric == "precomputed":
        if method == "ward":
            raise ParameterError(
                f"{owner}: linkage='ward' with connectivity needs rows, to compute centroids; "
                "got metric='precomputed'. Pass rows, or use another linkage."
            )
        check_dissimilarities(owner, X)
    graph = sp.csr_array(graph + graph.T)
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph


def join_components(
    owner: str, X: Matrix, graph: sp.csr_array, metric: object
) -> tuple[sp.csr_array, int]:
    """Connect every pair of components of a graph by their nearest rows, and warn."""
    count, component = connected_components(graph, directed=False)
    if count == 1:
        return graph, 1
    warn(
        f"{owner}: the number of connected components of the connectivity matrix is {count} > 1; "
        "Completing it to avoid stopping the tree early: the nearest rows of every "
        "pair of components are joined.",
        UserWarning,
        stacklevel=caller_level(),
    )
    members = [np.flatnonzero(component == c) for c in range(count)]
    pairs = [
        _nearest_pair(owner, X, members[a], members[b], metric)
        for a in range(count)
        for b in range(a)
    ]
    rows, columns = np.array(pairs).T
    extra = sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=graph.shape)
    return sp.csr_array(graph + extra + extra.T), int(count)


def _nearest_pair(
    owner: str, X: Matrix, some: Rows, others: Rows, metric: object
) -> tuple[int, int]:
    """Return the nearest two rows of two sets of rows, tile by tile."""
    step = max(1, _TILE // len(others))
    least, pair = np.inf, (int(some[0]), int(others[0]))
    for at in range(0, len(some), step):
        block = dissimilarities_between(owner, X, some[at : at + step], others, metric)
        i, j = divmod(int(block.argmin()), len(others))
        if block[i, j] < least:
            least, pair = block[i, j], (int(some[at + i]), int(others[j]))
    return pair


def connected_tree(
    owner: str, X: Matrix, graph: sp.csr_array, method: str, metric: object
) -> Dissimilarities:
    """Return the tree that joins the nearest connected clusters, in the format of `linkage`.

    If only one part of a pair is connected, the distance is that of this part.
    """
    n: int = graph.shape[0]
    rows, columns = graph.nonzero()
    if method == "ward":
        model = _Ward(X)
        lengths = model.of_rows(rows, columns)
    else:
        lengths = dissimilarities_of_pairs(owner, X, rows, columns, metric)
    near: list[Parts] = [{} for _ in range(2 * n - 1)]
    heap: list[tuple[float, int, int]] = []
    edges: Iterable[tuple[int, int, float]]
    edges = zip(rows.tolist(), columns.tolist(), lengths.tolist(), strict=True)
    for i, j, length in edges:
        near[i][j] = length
        if i < j:
            heap.append((length, i, j))
    heapq.heapify(heap)

    sizes = np.ones(2 * n - 1)
    alive = np.ones(2 * n - 1, dtype=bool)
    Z = np.empty((n - 1, 4))
    for made in range(n, 2 * n - 1):
        length, a, b = heapq.heappop(heap)
        while not (alive[a] and alive[b]):
            length, a, b = heapq.heappop(heap)
        alive[a] = alive[b] = False
        sizes[made] = sizes[a] + sizes[b]
        Z[made - n] = a, b, length, sizes[made]
        if method == "ward":
            others = np.array(sorted((near[a].keys() | near[b].keys()) - {a, b}), dtype=np.int64)
            model.join(a, b, made)
            joined = dict(zip(others.tolist(), model.to(made, others).tolist(), strict=True))
        else:
            joined = _joined(method, near[a], near[b], sizes[a], sizes[b])
            joined.pop(a, None)
            joined.pop(b, None)
        for c, distance in joined.items():
            near[c].pop(a, None)
            near[c].pop(b, None)
            near[c][made] = distance
            heapq.heappush(heap, (distance, c, made))
        near[made] = joined
        near[a] = near[b] = {}
    return Z


def _joined(method: str, a: Parts, b: Parts, size_a: float, size_b: float) -> Parts:
    """Compute a cluster's distances from the distances of its parts."""
    joined = a | b
    for c in a.keys() & b.keys():
        if method == "average":
            joined[c] = (size_a * a[c] + size_b * b[c]) / (size_a + size_b)
        else:
            joined[c] = max(a[c], b[c]) if method == "complete" else min(a[c], b[c])
    return joined


class _Ward:
    """Clusters by size and centroid."""

    def __init__(self, X: Matrix) -> None:
        n, d = X.shape
        self.centers = np.empty((2 * n - 1, d))
        self.centers[:n] = X
        self.sizes = np.ones(2 * n - 1)

    def of_rows(self, i: Rows, j: Rows) -> npt.NDArray[np.float64]:
        return np.sqrt(((self.centers[i] - self.centers[j]) ** 2).sum(axis=1))

    def join(self, a: int, b: int, made: int) -> None:
        self.sizes[made] = self.sizes[a] + self.sizes[b]
        weighted = self.sizes[a] * self.centers[a] + self.sizes[b] * self.centers[b]
        self.centers[made] = weighted / self.sizes[made]

    def to(self, made: int, others: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        squares = ((self.centers[others] - self.centers[made]) ** 2).sum(axis=1)
        sizes = self.sizes[others]
        both = 2 * self.sizes[made] * sizes / (self.sizes[made] + sizes)
        return np.sqrt(both * squares)
