"""Rows that keep their cluster, so that an iteration of k-means need not read them again.

A pass over all rows tells for each by how much every other centre is farther than its own. While
the two centres that have moved farthest since then have together moved by less, the row stays in
its cluster (the triangle inequality; Hamerly 2010). Rows of a smaller gap, a few per cent, are kept
in memory and assigned anew; of all others the sums of their clusters are enough, and with

    sum |x - c'|^2 = sum |x - c|^2 + 2 (c - c') . (sum x - n c) + n |c - c'|^2

their part of the objective is known for any centres c'.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from gramian import _native
from gramian.base.rows.chunks import Chunk, joined
from gramian.base.types import Data, Floats
from gramian.cluster.rows import Centers, rows_of

SHARE = 0.05  # of the rows, at most, that are kept
KEPT_BYTES = 1 << 26  # and how much memory they may take

Labels = npt.NDArray[np.int32]


class Assignment(NamedTuple):
    """The rows of each cluster: their sums, their weights, and the objective."""

    sums: Centers
    totals: Floats
    inertia: float


@dataclass
class NearRows:
    """The rows of a pass whose gap is small; none if they became too many."""

    centers: Centers
    gap: float  # 0: no rows are kept
    most: int
    seen: int = 0
    places: list[npt.NDArray[np.intp]] = field(default_factory=list)
    rows: list[Chunk] = field(default_factory=list)
    objective: float = 0.0

    @classmethod
    def of(cls, sample: Data, n: int, centers: Centers) -> Self:
        """Choose the gap by a sample of the n rows."""
        size = sample.data.nbytes if sp.issparse(sample) else sample.nbytes
        share = min(SHARE, KEPT_BYTES / max(size / sample.shape[0] * n, 1.0))
        gaps = np.empty(sample.shape[0], dtype=np.float32)
        labels = np.empty(sample.shape[0], dtype=np.int32)
        _native.kmeans_assign(rows_of(sample), centers, None, labels, None, gaps)
        gap = float(np.quantile(gaps, share, method="lower"))
        return cls(centers, gap, int(2 * share * n) + 1000)

    def add(
        self, chunk: Chunk, labels: Labels, squares: Floats, gaps: npt.NDArray[np.float32]
    ) -> None:
        """Keep what is near of a block."""
        if self.gap > 0:
            here = np.flatnonzero(gaps <= self.gap)
            weights = None if chunk.weights is None else chunk.weights[here]
            self.places.append(self.seen + here)
            self.rows.append(Chunk(chunk.X[here], labels[here], weights))
            self.objective += float(
                squares[here].sum() if weights is None else weights @ squares[here]
            )
            self.most -= len(here)
            if self.most < 0:
                self.gap = 0.0
                self.places, self.rows = [], []
        self.seen += len(labels)


class Settled:
    """All other rows, by the sums of their clusters, and the near ones."""

    def __init__(self, near: NearRows, whole: Assignment, labels: Labels) -> None:
        self.centers, self.gap, self.labels = near.centers, near.gap, labels
        self.places = np.concatenate(near.places)
        self.near = joined(near.rows)
        kept = self._sums(np.asarray(self.near.y))
        self.rest = Assignment(
            whole.sums - kept[0], whole.totals - kept[1], whole.inertia - near.objective
        )

    @classmethod
    def of(cls, near: NearRows, whole: Assignment, labels: list[Labels]) -> "Settled | None":
        """Return them after a pass; None if no rows were kept."""
        return cls(near, whole, np.concatenate(labels)) if near.gap > 0 else None

    def _sums(self, labels: Labels) -> tuple[Centers, Floats]:
        sums, totals = np.zeros(self.centers.shape), np.zeros(len(self.centers))
        if len(labels):
            _native.kmeans_sums(rows_of(self.near.X), self.near.weights, labels, sums, totals)
        return sums, totals

    def assign(self, centers: Centers) -> Assignment | None:
        """Give every row to its nearest centre; None if that cannot be told without reading them.

        Nor is it told where a cluster is left without rows, as the farthest of all will fill it.
        """
        moved = self.centers - centers
        farthest = np.sort(np.sqrt((moved**2).sum(axis=1)))[-2:].sum()
        if farthest * (1 + 1e-9) >= self.gap:
            return None
        labels, inertia = np.empty(len(self.places), dtype=np.int32), 0.0
        if len(labels):
            weights = self.near.weights
            inertia = _native.kmeans_assign(rows_of(self.near.X), centers, weights, labels)
        self.labels[self.places] = labels
        sums, totals = self._sums(labels)
        rest, weight = self.rest, self.rest.totals
        away = rest.sums - weight[:, None] * self.centers
        inertia += rest.inertia + 2 * float(np.vdot(moved, away))
        inertia += float(weight @ (moved**2).sum(axis=1))
        totals += weight
        return Assignment(rest.sums + sums, totals, max(inertia, 0.0)) if totals.min() > 0 else None
