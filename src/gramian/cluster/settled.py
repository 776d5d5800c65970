"""Rows that keep their cluster, so that an iteration of k-means need not read them again.

A pass over all rows tells for each by how much every other centre is farther than its own. While
the two centres that have moved farthest since then have together moved by less, the row stays in
its cluster (the triangle inequality; Hamerly 2010). Rows of a smaller gap, a few per cent, are kept
in memory and assigned anew; of all others the sums of their clusters are enough, and with

    sum |x - c'|^2 = sum |x - c|^2 + 2 (c - c') . (sum x - n c) + n |c - c'|^2

their part of the objective is known for any centres c'.
"""

from contextlib import suppress
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np

from gramian import _native
from gramian.base.rows.chunks import Chunk, Chunks, joined
from gramian.base.rows.parts import Held, PlaceLostError
from gramian.base.types import Data, Floats
from gramian.cluster.passes import Labels, NearRows, Pass, assign, merged, nothing
from gramian.cluster.rows import Centers, rows_of


def assigner(chunks: Chunks, sample: Data, n: int) -> "OnePlace | SeveralPlaces":
    """Return what gives rows to their nearest centres; the sample is of the n rows."""
    return SeveralPlaces(chunks, sample, n) if chunks.parted else OnePlace(chunks, sample, n)


class OnePlace:
    """Rows that this process reads, when it must."""

    def __init__(self, chunks: Chunks, sample: Data, n: int) -> None:
        self.chunks, self.sample, self.n = chunks, sample, n
        self.settled: Settled | None = None

    def assign(self, centers: Centers) -> Pass:
        """Give every row to its nearest centre, and name the clusters of all."""
        found = None if self.settled is None else self.settled.assign(centers)
        if found is None or found.totals.min() <= 0:  # the farthest of all rows will fill it
            self.settled = None
            near = NearRows.of(self.sample, self.n, centers)
            found = assign(centers, near, self.chunks)
            self.settled = Settled.of(near, found)
        return found

    def close(self) -> None:
        """Let go of the rows."""
        self.settled = None


class SeveralPlaces:
    """Rows that lie in several places, each of which keeps its own near rows.

    They are kept where the centres have last moved by less than half the gap.
    """

    def __init__(self, chunks: Chunks, sample: Data, n: int) -> None:
        self.chunks, self.sample, self.n = chunks, sample, n
        self.held: Held | None = None
        self.last: Centers | None = None

    def assign(self, centers: Centers) -> Pass:
        """Give every row to its nearest centre; clusters are not named."""
        before, self.last = self.last, centers
        with suppress(PlaceLostError):
            found = self._told("assign", centers)
            if found is not None and found.totals.min() > 0:
                return found
        self.close()
        near = NearRows.of(self.sample, self.n, centers)
        if near.gap > 0 and (before is None or 2 * _moved(before - centers) < near.gap):
            with suppress(PlaceLostError):
                settle = partial(_settle, centers, near.gap, near.share)
                self.held = self.chunks.hold(settle, SettledParts)
                found = self._told("whole")
                if found is not None:
                    return found
            self.close()
        return self.chunks.total(partial(assign, centers, None), merged)

    def _told(self, method: str, *arguments: Any) -> Pass | None:
        """Ask all places; merge what they tell in the order of the parts, if all tell it."""
        if self.held is None:
            return None
        found: dict[int, Pass | None] = self.held.total(method, or_, *arguments)
        parts = [found[part] for part in sorted(found)]
        told = [part for part in parts if part is not None]
        return reduce(merged, told) if len(told) == len(parts) else None

    def close(self) -> None:
        """Let go of the rows."""
        if self.held is not None:
            self.held.close()
        self.held = None


def _settle(
    centers: Centers, gap: float, share: float, chunks: Chunks
) -> "tuple[int, Pass, Settled | None]":
    """Make a pass over a part, and keep its near rows."""
    near = NearRows(centers, gap, share)
    found = assign(centers, near, chunks)
    return chunks.part, found._replace(labels=[]), Settled.of(near, found._replace(labels=[]))


class SettledParts:
    """What one place keeps of its parts."""

    def __init__(self, parts: "list[tuple[int, Pass, Settled | None]]") -> None:
        self.parts = parts

    def whole(self) -> dict[int, Pass]:
        """Return what the pass found."""
        return {part: found for part, found, _ in self.parts}

    def assign(self, centers: Centers) -> dict[int, Pass | None]:
        """Return what each part tells of other centres without reading it."""
        return {
            part: None if settled is None else settled.assign(centers)
            for part, _, settled in self.parts
        }


class Settled:
    """The rows that keep their clusters, by the sums of these, and the near rows."""

    def __init__(self, near: NearRows, whole: Pass) -> None:
        self.centers, self.gap = near.centers, near.gap
        self.labels = np.concatenate(whole.labels) if whole.labels else None
        self.near: Chunk | None = None
        self.sums, self.totals = whole.sums, whole.totals
        self.inertia = whole.inertia - near.objective
        if near.kept:
            self.places = np.concatenate(near.places)
            self.near = joined(near.rows)
            sums, totals = self._sums(self.near, np.asarray(self.near.y))
            self.sums, self.totals = whole.sums - sums, whole.totals - totals

    @classmethod
    def of(cls, near: NearRows, whole: Pass) -> "Settled | None":
        """Return them after a pass; None if its near rows were too many."""
        return cls(near, whole) if near.gap > 0 else None

    def _sums(self, near: Chunk, labels: Labels) -> tuple[Centers, Floats]:
        sums, totals = np.zeros(self.centers.shape), np.zeros(len(self.centers))
        _native.kmeans_sums(rows_of(near.X), near.weights, labels, sums, totals)
        return sums, totals

    def assign(self, centers: Centers) -> Pass | None:
        """Give every row to its nearest centre; None if that cannot be told without reading them.

        The farthest rows are not returned.
        """
        moved = self.centers - centers
        if _moved(moved) >= self.gap:
            return None
        away = self.sums - self.totals[:, None] * self.centers
        inertia = self.inertia + 2 * float(np.vdot(moved, away))
        inertia += float(self.totals @ (moved**2).sum(axis=1))
        sums, totals = self.sums, self.totals
        if self.near is not None:
            labels = np.empty(len(self.places), dtype=np.int32)
            weights = self.near.weights
            inertia += _native.kmeans_assign(rows_of(self.near.X), centers, weights, labels)
            more = self._sums(self.near, labels)
            sums, totals = sums + more[0], totals + more[1]
            if self.labels is not None:
                self.labels[self.places] = labels
        named = [] if self.labels is None else [self.labels]
        found = nothing(*centers.shape)
        return found._replace(labels=named, sums=sums, totals=totals, inertia=max(inertia, 0.0))


def _moved(moves: Centers) -> float:
    """Return how far the two centres that moved farthest have moved together."""
    return float(np.sort(np.sqrt((moves**2).sum(axis=1)))[-2:].sum()) * (1 + 1e-9)
