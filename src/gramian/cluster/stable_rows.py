"""Rows that provably keep their cluster, so that an iteration of k-means need not read them again.

A pass over all rows computes each row's margin: by how much every other centre is farther than its
own. While the two centres that have moved farthest since then have together moved by less, the row
stays in its cluster (the triangle inequality; Hamerly 2010). Rows of smaller margin, a few per
cent, are kept in memory and reassigned; for all others the sums of their clusters suffice, since

    sum |x - c'|^2 = sum |x - c|^2 + 2 (c - c') . (sum x - n c) + n |c - c'|^2

gives their part of the objective for any centres c'.
"""

from contextlib import suppress
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np

from gramian import _native
from gramian.base.rows.chunks import Chunk, Chunks, joined
from gramian.base.rows.parts import RowsLostError, WorkerObjects
from gramian.base.types import Data, Floats
from gramian.cluster.passes import Labels, NearRows, Pass, assign, empty_pass, merge_passes
from gramian.cluster.rows import Centers, rows_of


def assigner(chunks: Chunks, sample: Data, n: int) -> "LocalAssigner | WorkerAssigner":
    """Return the object that assigns rows to their nearest centres; `sample` is of the n rows."""
    return (
        WorkerAssigner(chunks, sample, n)
        if chunks.distributed
        else LocalAssigner(chunks, sample, n)
    )


class LocalAssigner:
    """Rows that this process reads if necessary."""

    def __init__(self, chunks: Chunks, sample: Data, n: int) -> None:
        self.chunks, self.sample, self.n = chunks, sample, n
        self.converged: StableRows | None = None

    def assign(self, centers: Centers) -> Pass:
        """Assign every row to its nearest centre, and return all labels."""
        found = None if self.converged is None else self.converged.assign(centers)
        # An empty cluster needs the farthest of all rows.
        if found is None or found.totals.min() <= 0:
            self.converged = None
            near = NearRows.of(self.sample, self.n, centers)
            found = assign(centers, near, self.chunks)
            self.converged = StableRows.of(near, found)
        return found

    def close(self) -> None:
        """Release the rows."""
        self.converged = None


class WorkerAssigner:
    """Rows on several workers; each worker keeps its own near rows.

    Near rows are kept once the centres move by less than half the margin.
    """

    def __init__(self, chunks: Chunks, sample: Data, n: int) -> None:
        self.chunks, self.sample, self.n = chunks, sample, n
        self.held: WorkerObjects | None = None
        self.last: Centers | None = None

    def assign(self, centers: Centers) -> Pass:
        """Assign every row to its nearest centre, without labels."""
        before, self.last = self.last, centers
        with suppress(RowsLostError):
            found = self._ask_workers("assign", centers)
            if found is not None and found.totals.min() > 0:
                return found
        self.close()
        near = NearRows.of(self.sample, self.n, centers)
        if near.gap > 0 and (before is None or 2 * _moved(before - centers) < near.gap):
            with suppress(RowsLostError):
                assign_part = partial(_assign_part, centers, near.gap, near.share)
                self.held = self.chunks.keep_on_workers(assign_part, WorkerStableRows)
                found = self._ask_workers("whole")
                if found is not None:
                    return found
            self.close()
        return self.chunks.total(partial(assign, centers, None), merge_passes)

    def _ask_workers(self, method: str, *arguments: Any) -> Pass | None:
        """Call a method on all workers; merge the results in part order; None if one is None."""
        if self.held is None:
            return None
        found: dict[int, Pass | None] = self.held.total(method, or_, *arguments)
        parts = [found[part] for part in sorted(found)]
        results = [part for part in parts if part is not None]
        return reduce(merge_passes, results) if len(results) == len(parts) else None

    def close(self) -> None:
        """Release the rows."""
        if self.held is not None:
            self.held.close()
        self.held = None


def _assign_part(
    centers: Centers, gap: float, share: float, chunks: Chunks
) -> "tuple[int, Pass, StableRows | None]":
    """Make a pass over a part, and keep its near rows."""
    near = NearRows(centers, gap, share)
    found = assign(centers, near, chunks)
    return chunks.part, found._replace(labels=[]), StableRows.of(near, found._replace(labels=[]))


class WorkerStableRows:
    """The stable and near rows of the parts of one worker."""

    def __init__(self, parts: "list[tuple[int, Pass, StableRows | None]]") -> None:
        self.parts = parts

    def whole(self) -> dict[int, Pass]:
        """Return the result of the pass over each part."""
        return {part: found for part, found, _ in self.parts}

    def assign(self, centers: Centers) -> dict[int, Pass | None]:
        """Assign the rows of each part to other centres without reading them, if possible."""
        return {
            part: None if converged is None else converged.assign(centers)
            for part, _, converged in self.parts
        }


class StableRows:
    """The cluster sums of the stable rows, and the near rows."""

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
    def of(cls, near: NearRows, whole: Pass) -> "StableRows | None":
        """Return the stable rows of a pass; None if there were too many near rows."""
        return cls(near, whole) if near.gap > 0 else None

    def _sums(self, near: Chunk, labels: Labels) -> tuple[Centers, Floats]:
        sums, totals = np.zeros(self.centers.shape), np.zeros(len(self.centers))
        _native.kmeans_sums(rows_of(near.X), near.weights, labels, sums, totals)
        return sums, totals

    def assign(self, centers: Centers) -> Pass | None:
        """Assign every row to its nearest centre; None if rows would have to be read.

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
        found = empty_pass(*centers.shape)
        return found._replace(labels=named, sums=sums, totals=totals, inertia=max(inertia, 0.0))


def _moved(moves: Centers) -> float:
    """Return the sum of the two largest movements of centres."""
    return float(np.sort(np.sqrt((moves**2).sum(axis=1)))[-2:].sum()) * (1 + 1e-9)
