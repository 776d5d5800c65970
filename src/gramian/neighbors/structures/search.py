"""Neighbour searches: by k-d tree, exhaustive, pairwise, or in a precomputed matrix.

All searches return the same neighbours, by (distance, index), as an exhaustive search in float64.
`choose_method` decides between the tree and the exhaustive search.
"""

from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import scipy.sparse as sp

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.types import Data, Matrix
from gramian.neighbors.structures.kdtree import (
    MAX_ROWS,
    Tree,
    build_tree,
    tree_nearest,
    tree_within,
)
from gramian.neighbors.structures.lp_space import LpSpace
from gramian.neighbors.structures.pairwise_search import dense, dense_blocks, row_slices
from gramian.neighbors.structures.radius_results import Indices, NeighborLists, merged, without_self

Algorithm: TypeAlias = Literal["auto", "kd_tree", "ball_tree", "brute"]
Method: TypeAlias = Literal["kd_tree", "brute"]


class Search(Protocol):
    """Finds fitted rows near queries; None means near every fitted row, excluding itself."""

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        ...

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        ...


# --- the choice ----------------------------------------------------------------------------------

_SAMPLE_ROWS = 256
_FEW_ROWS = 1000  # up to this many rows, any choice is fast
_MANY_FEATURES = 60  # beyond this, boxes exclude almost no points
# If rows have more features than the first number, an exhaustive search of up to the second number
# of rows takes a few microseconds per query: less than building and testing a tree.
_NOT_WORTH_A_TREE = (15, 4096)
# Cost of a point in nanoseconds, a + b * features: for a point that the tree visits (with its
# boxes) and for a point of an exhaustive search. Measured; only their ratio matters.
_TREE_COST = (1.0, 0.1)
_EXHAUSTIVE_COST = (0.4, 0.02)


def choose_method(
    X: Matrix, k: int, p: float, algorithm: Algorithm, leaf_size: int
) -> tuple[Method, Tree | None]:
    """Choose the tree or the exhaustive search; return the tree if it was chosen.

    With "auto" the tree is built and queried for a sample of its rows. The number of points
    visited gives the cost of a query; an exhaustive search visits all points, each at a lower cost.
    """
    n, d = X.shape
    if algorithm == "brute" or n > MAX_ROWS:
        return "brute", None
    features, rows = _NOT_WORTH_A_TREE
    if algorithm == "auto" and (d > _MANY_FEATURES or (d > features and n <= rows)):
        return "brute", None
    tree = build_tree(X, leaf_size)
    if algorithm == "auto" and n > _FEW_ROWS:
        sample = np.ascontiguousarray(X[:: max(n // _SAMPLE_ROWS, 1)][:_SAMPLE_ROWS])
        visits = tree_nearest(X, tree, sample, min(k, n), p)[2]
        tree_cost = visits.points / len(sample) * (_TREE_COST[0] + _TREE_COST[1] * d)
        if tree_cost > n * (_EXHAUSTIVE_COST[0] + _EXHAUSTIVE_COST[1] * d):
            return "brute", None
    return "kd_tree", tree


# --- l_p spaces ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class TreeSearch:
    """Search by a k-d tree."""

    X: Matrix
    tree: Tree
    space: LpSpace

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        own = queries is None
        at = self.X if own else dense(self.space.rows(queries))
        distances, indices, _ = tree_nearest(self.X, self.tree, at, k + own, self.space.p)
        if own:
            distances, indices = without_self(distances, indices)
        return self.space.to_metric(distances), indices

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        own = queries is None
        at = self.X if own else dense(self.space.rows(queries))
        reach = self.space.radius(radius)
        found = tree_within(self.X, self.tree, at, reach, self.space.p, sort=sort)
        return _to_metric(self.space, found.without_self() if own else found)


@dataclass(frozen=True)
class ExhaustiveSearch:
    """Compares every query with every row, in tiles; CSR rows become dense block by block."""

    X: Data
    space: LpSpace

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        own = queries is None
        at = self.X if own else self.space.rows(queries)
        if sp.issparse(self.X) or sp.issparse(at):
            distances, indices = self._nearest_in_blocks(at, k + own)
            if own:
                distances, indices = without_self(distances, indices)
        else:
            distances, indices = self._nearest(self.X, at, k, own)
        return self.space.to_metric(distances), indices

    def _nearest(self, X: Matrix, at: Matrix, k: int, own: bool) -> tuple[Matrix, Indices]:
        distances, indices = np.empty((len(at), k), X.dtype), np.empty((len(at), k), np.int64)
        if len(at):
            _native.brute_neighbors(X, at, "minkowski", self.space.p, own, distances, indices)
        return distances, indices

    def _nearest_in_blocks(self, at: Data, k: int) -> tuple[Matrix, Indices]:
        parts = []
        for _, some in row_slices(at, at.shape[1]):
            best: tuple[Matrix, Indices] | None = None
            for start, X in dense_blocks(self.X):
                distances, indices = self._nearest(X, dense(some), min(k, len(X)), own=False)
                indices += start
                best = (distances, indices) if best is None else merged(best, distances, indices)
                best = best[0][:, :k], best[1][:, :k]
            assert best is not None
            parts.append(best)
        return np.vstack([d for d, _ in parts]), np.vstack([i for _, i in parts])

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        own = queries is None
        at = self.X if own else self.space.rows(queries)
        reach = self.space.radius(radius)
        if sp.issparse(self.X) or sp.issparse(at):
            blocks = [
                NeighborLists.joined(
                    [
                        self._within(X, dense(some), reach, start)
                        for start, X in dense_blocks(self.X)
                    ]
                )
                for _, some in row_slices(at, at.shape[1])
            ]
            found = NeighborLists.stacked(blocks)
            found = found.without_self() if own else found
        else:
            found = self._within(self.X, at, reach, 0, own)
        return _to_metric(self.space, found.sorted() if sort else found)

    def _within(
        self, X: Matrix, at: Matrix, radius: float, start: int, own: bool = False
    ) -> NeighborLists:
        hits = _native.brute_radius_neighbors(X, at, "minkowski", self.space.p, own, radius)
        offsets = np.empty(len(at) + 1, np.int64)
        indices, distances = np.empty(hits.size, np.int64), np.empty(hits.size, X.dtype)
        hits.write(offsets, indices, distances)
        return NeighborLists(offsets, indices + start, distances)


def _to_metric(space: LpSpace, found: NeighborLists) -> NeighborLists:
    return found._replace(distances=space.to_metric(found.distances))


def check_tree_metric(owner: str, algorithm: str, metric: Any) -> None:
    """Raise if the tree was requested and does not support the metric."""
    if algorithm == "kd_tree" and metric != "cosine":
        raise ParameterError(
            f"{owner}: algorithm='kd_tree' supports l_p metrics, 'sqeuclidean' and 'cosine'; "
            f"got metric={metric!r}. Use algorithm='auto'."
        )
