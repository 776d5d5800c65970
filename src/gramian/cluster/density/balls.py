"""The rows within a radius of each row, a chunk of rows at a time."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import raised_by
from gramian.base.types import Data, Matrix
from gramian.neighbors import NearestNeighbors
from gramian.neighbors.structures.kdtree import Tree, build_tree, tree_count
from gramian.neighbors.structures.lp_space import LpSpace, check_width, lp_space
from gramian.neighbors.structures.search import choose_method

Indices = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

_CHUNK = 2**22  # neighbours at a time, 32 MB


class RadiusSearch(Protocol):
    """Counts and lists the rows within the radius of each row, including itself."""

    def counts(self) -> Indices:
        """Return the number of neighbours of each row."""
        ...

    def lists(self, rows: Indices) -> Iterator[tuple[Indices, Indices, Indices]]:
        """Yield blocks of rows with offsets and neighbours."""
        ...


def radius_search(
    owner: str, X: Data, radius: float, k: int, search: dict[str, Any]
) -> RadiusSearch:
    """Choose between the k-d tree, queried chunk by chunk, and a graph of all neighbours."""
    metric, algorithm = search["metric"], search["algorithm"]
    space = lp_space(owner, metric, search["p"], search["metric_params"])
    if space is not None:
        check_width(owner, space, X.shape[1])
    if space is not None and not sp.issparse(X) and algorithm != "brute":
        rows = space.rows(X)
        if algorithm == "auto":
            method, tree = choose_method(rows, min(k, len(rows)), space.p, "auto", 30)
        else:
            method, tree = "kd_tree", build_tree(rows, search["leaf_size"])
        if method == "kd_tree":
            assert tree is not None
            return _TreeRadiusSearch(np.ascontiguousarray(rows), tree, space, radius)
    return _GraphRadiusSearch(owner, X, radius, search)


class _TreeRadiusSearch:
    def __init__(self, X: Matrix, tree: Tree, space: LpSpace, radius: float) -> None:
        self.X, self.tree, self.p = X, tree, space.p
        self.radius = space.radius(radius)
        self._counts = tree_count(X, tree, X, self.radius, space.p)

    def counts(self) -> Indices:
        return self._counts

    def lists(self, rows: Indices) -> Iterator[tuple[Indices, Indices, Indices]]:
        wanted = np.zeros(len(self.X), dtype=bool)
        wanted[rows] = True
        order = self.tree[0][wanted[self.tree[0]]].astype(np.int64)  # near rows together
        ends = np.cumsum(self._counts[order])
        start = 0
        while start < len(order):
            done = ends[start - 1] if start else 0
            stop = max(int(np.searchsorted(ends, done + _CHUNK, side="right")), start + 1)
            some = order[start:stop]
            offsets = np.concatenate([[0], ends[start:stop] - done])
            neighbors = np.empty(offsets[-1], np.int64)
            queries = self.X[some]
            radii = np.full(len(some), self.radius, dtype=np.float64)
            _native.kdtree_within(
                (self.X, *self.tree),
                queries,
                self.p,
                radii,
                offsets,
                False,
                np.empty(0, self.X.dtype),
                neighbors,
            )
            yield some, offsets, neighbors
            start = stop


class _GraphRadiusSearch:
    def __init__(self, owner: str, X: Data, radius: float, search: dict[str, Any]) -> None:
        with raised_by(owner, "NearestNeighbors"):
            graph = NearestNeighbors(radius=radius, **search).fit(X).radius_neighbors_graph()
        own = sp.csr_array(graph) + sp.eye_array(graph.shape[0], format="csr")
        self.offsets: Indices = own.indptr.astype(np.int64)
        self.neighbors: Indices = own.indices.astype(np.int64)

    def counts(self) -> Indices:
        return np.diff(self.offsets)

    def lists(self, rows: Indices) -> Iterator[tuple[Indices, Indices, Indices]]:
        counts = self.counts()[rows]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        start = np.repeat(self.offsets[:-1][rows] - offsets[:-1], counts)
        yield rows, offsets, self.neighbors[start + np.arange(offsets[-1])]
