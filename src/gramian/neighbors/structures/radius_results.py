"""Lists of neighbours within a radius, and operations on lists of neighbours."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Matrix

Indices: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


class NeighborLists(NamedTuple):
    """Neighbours within a radius, for query i at positions offsets[i] to offsets[i + 1]."""

    offsets: Indices
    indices: Indices
    distances: Matrix

    def sorted(self) -> "NeighborLists":
        """Return the neighbours sorted by (distance, index)."""
        queries = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        order = np.lexsort((self.indices, self.distances, queries))
        return NeighborLists(self.offsets, self.indices[order], self.distances[order])

    def without_self(self) -> "NeighborLists":
        """Remove row i from the neighbours of query i."""
        queries = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return self.where(self.indices != queries)

    def where(self, keep: npt.NDArray[np.bool_]) -> "NeighborLists":
        """Return the neighbours where the mask is True."""
        offsets = np.concatenate([[0], np.cumsum(keep)])[self.offsets].astype(np.int64)
        return NeighborLists(offsets, self.indices[keep], self.distances[keep])

    def take(self, queries: Indices) -> "NeighborLists":
        """Return the neighbours of the given queries, in that order."""
        counts = np.diff(self.offsets)[queries]
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        start = np.repeat(self.offsets[:-1][queries] - offsets[:-1], counts)
        places = start + np.arange(offsets[-1])
        return NeighborLists(offsets, self.indices[places], self.distances[places])

    @staticmethod
    def joined(parts: "list[NeighborLists]") -> "NeighborLists":
        """Merge the neighbours of the same queries found in several blocks of rows."""
        counts = [np.diff(part.offsets) for part in parts]
        queries = np.concatenate([np.repeat(np.arange(len(c)), c) for c in counts])
        order = np.argsort(queries, kind="stable")
        offsets = np.concatenate([[0], np.cumsum(np.sum(counts, axis=0))]).astype(np.int64)
        indices = np.concatenate([part.indices for part in parts])
        distances = np.concatenate([part.distances for part in parts])
        return NeighborLists(offsets, indices[order], distances[order])

    @staticmethod
    def stacked(parts: "list[NeighborLists]") -> "NeighborLists":
        """Concatenate the neighbours of several blocks of queries."""
        counts = np.concatenate([np.diff(part.offsets) for part in parts])
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        indices = np.concatenate([part.indices for part in parts])
        return NeighborLists(offsets, indices, np.concatenate([part.distances for part in parts]))


def split(values: npt.NDArray[Any], offsets: Indices) -> npt.NDArray[Any]:
    """Return an array of arrays, one per query."""
    parts = np.empty(len(offsets) - 1, dtype=object)
    for i in range(len(parts)):
        parts[i] = values[offsets[i] : offsets[i + 1]]
    return parts


def without_self(distances: Matrix, indices: Indices) -> tuple[Matrix, Indices]:
    """Drop each row from its k + 1 neighbours, or the last neighbour if it is not among them."""
    n, width = indices.shape
    keep = indices != np.arange(n)[:, None]
    keep[keep.all(axis=1), -1] = False
    return distances[keep].reshape(n, width - 1), indices[keep].reshape(n, width - 1)


def merged(
    best: tuple[Matrix, Indices], distances: Matrix, indices: Indices
) -> tuple[Matrix, Indices]:
    """Merge two lists of neighbours; those in `best` have the lower indices."""
    d, i = np.hstack([best[0], distances]), np.hstack([best[1], indices])
    order = np.argsort(d, axis=1, kind="stable")
    return np.take_along_axis(d, order, 1), np.take_along_axis(i, order, 1)
