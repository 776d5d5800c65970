"""How neighbours are searched: by the k-d tree, exhaustively, pair by pair, or in a given matrix.

All back ends answer alike: neighbours by (distance, index), as an exhaustive search in float64
would find them. `choose_method` decides between the tree and the exhaustive search.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import sort_graph_by_row_values

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import Data, Matrix
from gramian.neighbors.kdtree import (
    MAX_ROWS,
    Balls,
    Indices,
    Tree,
    build_tree,
    tree_nearest,
    tree_within,
)
from gramian.neighbors.metric import LpSpace

Algorithm: TypeAlias = Literal["auto", "kd_tree", "ball_tree", "brute"]
Method: TypeAlias = Literal["kd_tree", "brute"]

_BLOCK = 2**22  # numbers of a block of a distance matrix, or of rows made dense: 32 MB


class Search(Protocol):
    """Finds neighbours among the fitted rows; queries None are these rows, each without itself."""

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        ...

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        ...


# --- the choice ----------------------------------------------------------------------------------

_SAMPLE = 256
_FEW_ROWS = 1000  # for which any choice is quick
_MANY_FEATURES = 60  # beyond which boxes rule out next to nothing, whatever the data
# What a point costs, in nanoseconds: a + b * features, for one that the tree looks at (its share
# of boxes included) and for one of an exhaustive search. Measured; only their ratio matters.
_TREE_COST = (0.2, 0.16)
_EXHAUSTIVE_COST = (0.3, 0.02)


def choose_method(
    X: Matrix, k: int, p: float, algorithm: Algorithm, leaf_size: int
) -> tuple[Method, Tree | None]:
    """Choose the tree or the exhaustive search; return the tree if it was chosen.

    With "auto" the tree is built and asked for the neighbours of a sample of its rows. How many
    points it looked at says what a query costs; an exhaustive search looks at all, each at a
    lower price.
    """
    n, d = X.shape
    if algorithm == "brute" or n > MAX_ROWS or (algorithm == "auto" and d > _MANY_FEATURES):
        return "brute", None
    tree = build_tree(X, leaf_size)
    if algorithm == "auto" and n > _FEW_ROWS:
        sample = X[:: max(n // _SAMPLE, 1)][:_SAMPLE]
        visits = tree_nearest(X, tree, sample, min(k, n), p)[2]
        tree_price = visits.points / len(sample) * (_TREE_COST[0] + _TREE_COST[1] * d)
        if tree_price > n * (_EXHAUSTIVE_COST[0] + _EXHAUSTIVE_COST[1] * d):
            return "brute", None
    return "kd_tree", tree


# --- l_p spaces ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class TreeSearch:
    """Through a k-d tree."""

    X: Matrix
    tree: Tree
    space: LpSpace

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        own = queries is None
        at = self.X if own else _dense(self.space.rows(queries, role="query"))
        distances, indices, _ = tree_nearest(self.X, self.tree, at, k + own, self.space.p)
        if own:
            distances, indices = _without_self(distances, indices)
        return self.space.read(distances), indices

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        own = queries is None
        at = self.X if own else _dense(self.space.rows(queries, role="query"))
        found = tree_within(
            self.X,
            self.tree,
            at,
            self.space.radius(radius),
            self.space.p,
            sort=sort,
            distances=True,
        )
        return _read(self.space, _balls_without_self(found) if own else found)


@dataclass(frozen=True)
class ExhaustiveSearch:
    """Every query against every row, in tiles; CSR rows are made dense a block at a time."""

    X: Data
    space: LpSpace

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        own = queries is None
        at = self.X if own else self.space.rows(queries, role="query")
        if sp.issparse(self.X) or sp.issparse(at):
            distances, indices = self._nearest_in_blocks(at, k + own)
            if own:
                distances, indices = _without_self(distances, indices)
        else:
            distances, indices = self._nearest(self.X, at, k, own)
        return self.space.read(distances), indices

    def _nearest(self, X: Matrix, at: Matrix, k: int, own: bool) -> tuple[Matrix, Indices]:
        distances, indices = np.empty((len(at), k), X.dtype), np.empty((len(at), k), np.int64)
        if len(at):
            _native.brute_neighbors(X, at, "minkowski", self.space.p, own, distances, indices)
        return distances, indices

    def _nearest_in_blocks(self, at: Data, k: int) -> tuple[Matrix, Indices]:
        parts = []
        for _, some in _row_blocks(at):
            best: tuple[Matrix, Indices] | None = None
            for start, X in _row_blocks(self.X):
                distances, indices = self._nearest(X, some, min(k, len(X)), own=False)
                indices += start
                best = (distances, indices) if best is None else _merged(best, distances, indices)
                best = best[0][:, :k], best[1][:, :k]
            assert best is not None
            parts.append(best)
        return np.vstack([d for d, _ in parts]), np.vstack([i for _, i in parts])

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        own = queries is None
        at = self.X if own else self.space.rows(queries, role="query")
        reach = self.space.radius(radius)
        if sp.issparse(self.X) or sp.issparse(at):
            blocks = [
                _joined([self._within(X, some, reach, start) for start, X in _row_blocks(self.X)])
                for _, some in _row_blocks(at)
            ]
            found = _stacked(blocks)
            found = _balls_without_self(found) if own else found
        else:
            found = self._within(self.X, at, reach, 0, own)
        return _read(self.space, _sorted(found) if sort else found)

    def _within(
        self, X: Matrix, at: Matrix, radius: float, start: int, own: bool = False
    ) -> Balls:
        hits = _native.brute_radius_neighbors(X, at, "minkowski", self.space.p, own, radius)
        offsets = np.empty(len(at) + 1, np.int64)
        indices, distances = np.empty(hits.size, np.int64), np.empty(hits.size, X.dtype)
        hits.write(offsets, indices, distances)
        return Balls(offsets, indices + start, distances)


# --- any other metric ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PairwiseSearch:
    """Blocks of the distance matrix of any metric, a function of the user's included."""

    X: Data
    metric: Any
    parameters: Mapping[str, Any]

    def _blocks(self, queries: Data | None) -> Iterator[tuple[int, Matrix]]:
        at = self.X if queries is None else queries
        for start, some in _slices(at, self.X.shape[0]):
            distances = pairwise_distances(some, self.X, metric=self.metric, **self.parameters)
            yield start, np.asarray(distances, dtype=self.X.dtype)

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        return _nearest_in_matrix(self._blocks(queries), k, own=queries is None)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        found = _within_in_matrix(self._blocks(queries), radius, own=queries is None)
        return _sorted(found) if sort else found


@dataclass(frozen=True)
class PrecomputedSearch:
    """Rows of a given matrix of distances; of a CSR matrix only what is stored is a neighbour."""

    owner: str
    X: Data

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        given, own = (self.X, True) if queries is None else (queries, False)
        if not sp.issparse(given):
            return _nearest_in_matrix(((s, b) for s, b in _slices(given, given.shape[1])), k, own)
        graph = self._graph(given, own)
        stored = np.diff(graph.indptr)
        if len(stored) and stored.min() < k:
            raise DataError(
                f"{self.owner}: {k} neighbors per samples are required, but some samples have "
                f"only {stored.min()} neighbors in the precomputed graph; store more distances "
                "or lower n_neighbors."
            )
        first = graph.indptr[:-1, None] + np.arange(k)
        return graph.data[first], graph.indices[first].astype(np.int64)

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> Balls:
        """Return the rows within a radius."""
        given, own = (self.X, True) if queries is None else (queries, False)
        if not sp.issparse(given):
            blocks = ((s, b) for s, b in _slices(given, given.shape[1]))
            found = _within_in_matrix(blocks, radius, own)
            return _sorted(found) if sort else found
        graph = self._graph(given, own)
        keep = graph.data <= radius
        offsets = np.concatenate([[0], np.cumsum(keep)])[graph.indptr].astype(np.int64)
        return Balls(offsets, graph.indices[keep].astype(np.int64), graph.data[keep])

    def _graph(self, given: Any, own: bool) -> sp.csr_array:
        graph = sp.csr_array(given, copy=True)
        if own:
            rows = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
            other = rows != graph.indices
            offsets = np.concatenate([[0], np.cumsum(other)])[graph.indptr]
            graph = sp.csr_array(
                (graph.data[other], graph.indices[other], offsets), shape=graph.shape
            )
        return sort_graph_by_row_values(graph, warn_when_not_sorted=False)


def check_precomputed(owner: str, X: Data) -> None:
    """Raise unless X is a square matrix of distances."""
    if X.shape[0] != X.shape[1]:
        raise DataError(
            f"{owner}: with metric='precomputed' X must be square, the distances between all "
            f"rows of the training data; got shape {X.shape}."
        )
    check_not_negative(owner, X)


def check_not_negative(owner: str, X: Data) -> None:
    """Raise if a given distance is negative."""
    values = X.data if sp.issparse(X) else X
    if values.size and values.min() < 0:
        raise DataError(
            f"{owner}: Negative values in data passed to precomputed distance matrix; "
            f"got {values.min():g}. Distances are at least 0."
        )


def check_tree_metric(owner: str, algorithm: str, metric: Any) -> None:
    """Raise if a tree was asked for that cannot serve the metric."""
    if algorithm == "kd_tree":
        raise ParameterError(
            f"{owner}: algorithm='kd_tree' works for l_p metrics, 'sqeuclidean' and 'cosine'; "
            f"got metric={metric!r}. Use algorithm='auto'."
        )


# --- parts they share ----------------------------------------------------------------------------


def _dense(X: Data) -> Matrix:
    return X.toarray() if sp.issparse(X) else X


def _row_blocks(X: Data) -> Iterator[tuple[int, Matrix]]:
    for start, rows in _slices(X, X.shape[1]):
        yield start, _dense(rows)


def _slices(X: Data, width: int) -> Iterator[tuple[int, Data]]:
    """Cut rows so that a block of them, times `width`, stays small."""
    size = max(_BLOCK // max(width, 1), 1)
    for start in range(0, X.shape[0], size):
        yield start, X[start : start + size]


def _merged(
    best: tuple[Matrix, Indices], distances: Matrix, indices: Indices
) -> tuple[Matrix, Indices]:
    """Merge two lists of neighbours; those of `best` have the lower indices."""
    d, i = np.hstack([best[0], distances]), np.hstack([best[1], indices])
    order = np.argsort(d, axis=1, kind="stable")
    return np.take_along_axis(d, order, 1), np.take_along_axis(i, order, 1)


def _without_self(distances: Matrix, indices: Indices) -> tuple[Matrix, Indices]:
    """Drop each row from its own k + 1 neighbours, or the last where it is not among them."""
    n, wide = indices.shape
    keep = indices != np.arange(n)[:, None]
    keep[keep.all(axis=1), -1] = False
    return distances[keep].reshape(n, wide - 1), indices[keep].reshape(n, wide - 1)


def _balls_without_self(found: Balls) -> Balls:
    queries = np.repeat(np.arange(len(found.offsets) - 1), np.diff(found.offsets))
    keep = found.indices != queries
    offsets = np.concatenate([[0], np.cumsum(keep)])[found.offsets].astype(np.int64)
    assert found.distances is not None
    return Balls(offsets, found.indices[keep], found.distances[keep])


def _sorted(found: Balls) -> Balls:
    assert found.distances is not None
    queries = np.repeat(np.arange(len(found.offsets) - 1), np.diff(found.offsets))
    order = np.lexsort((found.indices, found.distances, queries))
    return Balls(found.offsets, found.indices[order], found.distances[order])


def _read(space: LpSpace, found: Balls) -> Balls:
    assert found.distances is not None
    return found._replace(distances=space.read(found.distances))


def _joined(parts: list[Balls]) -> Balls:
    """Join the balls of the same queries in several blocks of rows."""
    counts = [np.diff(part.offsets) for part in parts]
    queries = np.concatenate([np.repeat(np.arange(len(c)), c) for c in counts])
    order = np.argsort(queries, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.sum(counts, axis=0))])
    indices = np.concatenate([part.indices for part in parts])[order]
    return Balls(offsets, indices, np.concatenate([p.distances for p in parts])[order])  # type: ignore[misc]


def _stacked(parts: list[Balls]) -> Balls:
    """Put the balls of several blocks of queries one after the other."""
    counts = np.concatenate([np.diff(part.offsets) for part in parts])
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    indices = np.concatenate([part.indices for part in parts])
    return Balls(offsets, indices, np.concatenate([p.distances for p in parts]))  # type: ignore[misc]


def _nearest_in_matrix(
    blocks: Iterator[tuple[int, Matrix]], k: int, own: bool
) -> tuple[Matrix, Indices]:
    """Return the k least entries of each row of a matrix, by (value, column)."""
    parts = []
    for start, block in blocks:
        if own:
            block = block.copy()
            block[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
        kth = np.partition(block, k - 1, axis=1)[:, k - 1 : k]
        rows, columns = np.nonzero(block <= kth)  # k per row, more where the last ones are equal
        values = block[rows, columns]
        order = np.lexsort((columns, values, rows))
        first = np.searchsorted(rows, np.arange(len(block)))[:, None] + np.arange(k)
        chosen = order[first]
        parts.append((values[chosen], columns[chosen]))
    return np.vstack([v for v, _ in parts]), np.vstack([c for _, c in parts]).astype(np.int64)


def _within_in_matrix(blocks: Iterator[tuple[int, Matrix]], radius: float, own: bool) -> Balls:
    parts = []
    for start, block in blocks:
        inside = block <= radius
        if own:
            inside[np.arange(len(block)), np.arange(start, start + len(block))] = False
        rows, columns = np.nonzero(inside)
        offsets = np.searchsorted(rows, np.arange(len(block) + 1))
        parts.append(Balls(offsets, columns.astype(np.int64), block[rows, columns]))
    return _stacked(parts)
