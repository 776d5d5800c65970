"""The result of a traced search: the best points so far, and every step."""

from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from typing import Literal

import numpy as np

from gramian.base.types import Floats
from gramian.neighbors.structures.radius_results import Indices


@dataclass(frozen=True)
class Step:
    """One step of a query: it visited a box ("enter") or not ("skip")."""

    node: int
    action: Literal["enter", "skip"]
    box_distance: float
    radius: (
        float  # distance of the k-th best point before the step; inf while there are fewer than k
    )


@dataclass
class QueryResult:
    """The neighbours of a query, nearest first (ties by index), and the steps of the search."""

    distances: Floats
    indices: Indices
    trace: list[Step] = field(repr=False)
    n_points: int  # number of computed distances

    @property
    def n_boxes(self) -> int:
        """Number of boxes visited."""
        return sum(step.action == "enter" for step in self.trace)


class Best:
    """The k smallest (distance, index) so far, in a max-heap: a min-heap of negatives."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.n_points = 0
        self._heap: list[tuple[float, int]] = []

    @property
    def radius(self) -> float:
        """The distance of the k-th best point; inf while there are fewer than k."""
        return -self._heap[0][0] if len(self._heap) == self.k else np.inf

    def measure(self, distances: Floats, rows: Indices) -> None:
        """Add candidate points with their distances."""
        self.n_points += len(rows)
        for distance, row in zip(distances.tolist(), rows.tolist(), strict=True):
            push = heappush if len(self._heap) < self.k else heappushpop
            push(self._heap, (-distance, -row))

    def result(self, trace: list[Step]) -> QueryResult:
        """Return the points in order."""
        ordered = sorted((-d, -i) for d, i in self._heap)
        return QueryResult(
            np.array([d for d, _ in ordered]),
            np.array([i for _, i in ordered], dtype=np.int64),
            trace,
            self.n_points,
        )
