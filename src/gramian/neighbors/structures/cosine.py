"""Neighbours by the cosine distance, for data with rows of zeros.

A row of zeros has no direction; its cosine with every row counts as 0, so its distance is 1. It
cannot be scaled to a unit vector, so queries of zeros are compared pair by pair.
"""

from dataclasses import dataclass

import numpy as np

from gramian.base.types import Data, Matrix
from gramian.neighbors.structures.lp_space import row_lengths
from gramian.neighbors.structures.pairwise_search import PairwiseSearch
from gramian.neighbors.structures.radius_results import Indices, NeighborLists
from gramian.neighbors.structures.search import Search


@dataclass(frozen=True)
class CosineSearch:
    """Sends nonzero queries to one search and zero queries to another."""

    directed: Search
    zeros: PairwiseSearch

    def nearest(self, queries: Data | None, k: int) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows, by (distance, index)."""
        zero = _zero_rows(queries)
        if not len(zero):
            return self.directed.nearest(queries, k)
        assert queries is not None
        distances, indices = self.directed.nearest(queries, k)
        distances[zero], indices[zero] = self.zeros.nearest(queries[zero], k)
        return distances, indices

    def within(self, queries: Data | None, radius: float, *, sort: bool) -> NeighborLists:
        """Return the rows within a radius."""
        zero = _zero_rows(queries)
        found = self.directed.within(queries, radius, sort=sort)
        if not len(zero):
            return found
        assert queries is not None
        both = NeighborLists.stacked([found, self.zeros.within(queries[zero], radius, sort=sort)])
        order = np.arange(len(found.offsets) - 1)
        order[zero] = len(order) + np.arange(len(zero))
        return both.take(order)


def _zero_rows(X: Data | None) -> Indices:
    return np.empty(0, np.int64) if X is None else np.flatnonzero(row_lengths(X) == 0)


def has_zero_rows(X: Data) -> bool:
    """Return whether some row is zero."""
    return len(_zero_rows(X)) > 0
