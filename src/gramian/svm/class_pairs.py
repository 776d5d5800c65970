"""One machine for each pair of classes: their variables, and the coefficients of all together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.svm.dual_machines import Machines, Settings, Solved, Start

RowIds = npt.NDArray[np.int32]
Numbers = npt.NDArray[np.int64]

_SHARED_PART = 0.5  # of the cache may hold kernel values within classes
_SMALL = 64  # rows of a pair that the core solves without kernel rows
_PAIRS_AT_ONCE = 2048  # at least, and pairs of so many rows together:
_ROWS_AT_ONCE = 2**16
_LEAST_MARGIN = 1e-12
_NONE = np.empty(0)


class PairRows(NamedTuple):
    """The rows of some pairs one after the other, those of the first class of a pair first."""

    starts: Numbers  # where those of each pair begin, and the end of the last
    place: Numbers  # of each row in the order of the classes
    sign: Floats  # 1 in the first class, -1 in the second
    other: Numbers  # the row of the coefficients that belongs to the other class


class SolvedPairs(NamedTuple):
    """The machines of all pairs."""

    solved: Solved
    support: RowIds  # row indices of the support vectors, by class
    coef: Floats  # (K - 1, n_sv)
    sizes: RowIds  # number of support vectors of each class
    alpha: Floats | None = None  # of all variables, where they were asked for


@dataclass(frozen=True)
class ClassPairs:
    """The pairs of some classes.

    Attributes
    ----------
    rows
        Row indices of each class.
    """

    rows: list[RowIds]

    @cached_property
    def order(self) -> RowIds:
        """The rows, class after class."""
        return np.concatenate(self.rows).astype(np.int32)

    @cached_property
    def sizes(self) -> Numbers:
        """The number of rows of each class."""
        return np.array([len(rows) for rows in self.rows], dtype=np.int64)

    @cached_property
    def begins(self) -> Numbers:
        """Where each class begins in `order`."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def pairs(self) -> npt.NDArray[np.int32]:
        """The pairs (0, 1), (0, 2), ..., (1, 2), ..., a row each."""
        K = len(self.rows)
        return np.column_stack(np.triu_indices(K, 1)).astype(np.int32)

    def rows_of(self, pairs: npt.NDArray[np.int32]) -> PairRows:
        """Return the rows of some pairs."""
        i, j = pairs.T.astype(np.int64)
        sizes = self.sizes[i] + self.sizes[j]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        first = within < np.repeat(self.sizes[i], sizes)
        begin = np.where(
            first,
            np.repeat(self.begins[i], sizes),
            np.repeat(self.begins[j] - self.sizes[i], sizes),
        )
        other = np.where(first, np.repeat(j - 1, sizes), np.repeat(i, sizes))
        return PairRows(starts, begin + within, np.where(first, 1.0, -1.0), other)

    def _batches(self) -> Iterator[npt.NDArray[np.int32]]:
        """Return all pairs, thousands at a time where they are many."""
        per_pair = 2 * self.sizes.mean()
        step = max(_PAIRS_AT_ONCE, int(_ROWS_AT_ONCE / per_pair))
        return (self.pairs[a : a + step] for a in range(0, len(self.pairs), step))

    def solve(
        self,
        points: _native.SvmPoints,
        upper: Floats,
        settings: Settings,
        *,
        start: Start | None = None,
        nu: float | None = None,
        keep: bool = False,
    ) -> SolvedPairs:
        """Solve the dual of each pair.

        Parameters
        ----------
        points
            All rows with their kernel.
        upper
            The bound of each row's variable.
        settings
            How to solve.
        start
            Variables to start from, where `keep`; None: zeros.
        nu
            For the dual of nu: no linear term, the sum over each class of a pair is kept, nu / 2
            times the bounds of both, and the coefficients are divided by the margin.
        keep
            Whether to return the variables, and the gradients, which all pairs together have.
        """
        shared = self._shared(points, settings)
        within = 0
        if shared is not None:
            within = sum(block.size for block in shared)
            settings = replace(settings, cache_size=settings.cache_size - 4e-6 * within)
        bounds = upper[self.order]
        before = np.cumsum(bounds) - bounds
        before -= np.repeat(before[self.begins], self.sizes)  # within the class
        coef = np.zeros((len(self.rows) - 1, len(self.order)))
        parts = []
        for pairs in [self.pairs] if keep else self._batches():
            rows = self.rows_of(pairs)
            most = bounds[rows.place]
            if nu is None:
                alpha, gradients = start or Start(np.zeros(len(most)))
            else:
                totals = 0.5 * nu * np.add.reduceat(most, rows.starts[:-1])
                left = np.repeat(totals, np.diff(rows.starts)) - before[rows.place]
                alpha, gradients = np.clip(left, 0.0, most), None
            machines = Machines(
                self.order[rows.place],
                rows.starts,
                rows.sign,
                most,
                rows.sign * (-1.0 if nu is None else 0.0),
                alpha,
                gradients,
                by_sign=nu is not None,
            )
            of_classes = None if shared is None else (shared, np.ascontiguousarray(pairs))
            solved, alpha = machines.solve(points, settings, of_classes)
            values = rows.sign * alpha
            if nu is not None:
                values *= np.repeat(margin_scales(solved.r), np.diff(rows.starts))
            coef[rows.other, rows.place] = values
            parts.append(solved if keep else replace(solved, gradients=_NONE))
        whole = parts[0] if keep else Solved.joined(parts)
        whole = replace(whole, entries=whole.entries + within)
        return SolvedPairs(whole, *self._supporting(coef), alpha if keep else None)

    def _shared(
        self, points: _native.SvmPoints, settings: Settings
    ) -> list[npt.NDArray[np.float32]] | None:
        """Return the kernel values within each class, which all its pairs use, if there is room."""
        sizes = self.sizes.tolist()
        bytes_needed = 4 * sum(size**2 for size in sizes)
        few = len(sizes) < 3 or sum(sorted(sizes)[-2:]) <= _SMALL
        if few or bytes_needed > _SHARED_PART * settings.cache_size * 1e6:
            return None
        room = np.empty(bytes_needed // 4, dtype=np.float32)  # one piece: in large pages
        starts = np.cumsum([size**2 for size in sizes])[:-1]
        blocks = [
            part.reshape(size, size)
            for part, size in zip(np.split(room, starts), sizes, strict=True)
        ]
        for rows, block in zip(self.rows, blocks, strict=True):
            points.matrix(rows, block)
        return blocks

    def coefficients(self, alpha: Floats) -> tuple[RowIds, Floats, RowIds]:
        """Return the support vectors by class, their coefficients (K - 1, n_sv), and how many.

        A vector of class i has a coefficient for each other class; in the pair (i, j) that of
        class j is column j - 1, that of class i for a vector of class j is i.
        """
        rows = self.rows_of(self.pairs)
        coef = np.zeros((len(self.rows) - 1, len(self.order)))
        coef[rows.other, rows.place] = rows.sign * alpha
        return self._supporting(coef)

    def _supporting(self, coef: Floats) -> tuple[RowIds, Floats, RowIds]:
        """Return the rows with coefficients, these, and how many each class has."""
        held = np.zeros(coef.shape[1], dtype=bool)
        for row in coef:
            held |= row != 0
        sizes = np.add.reduceat(held, self.begins, dtype=np.int32)
        return self.order[held], _columns(coef, np.flatnonzero(held)), sizes


def _columns(table: Floats, columns: npt.NDArray[np.intp]) -> Floats:
    """Return some columns, ascending, of a table that nobody needs any more: in its memory."""
    rows, width, count = *table.shape, len(columns)
    if count < width / 2:
        return np.ascontiguousarray(table[:, columns])
    flat = table.reshape(-1)
    for r in range(rows if count < width else 0):  # never over a row to come
        flat[r * count : (r + 1) * count] = table[r, columns]
    return flat[: rows * count].reshape(rows, count)


def margin_scales(r: Floats) -> Floats:
    """Return what the coefficients of nu machines are multiplied by: 1 over the margin."""
    return 1 / np.where(r > _LEAST_MARGIN, r, 1.0)


def kernel_room(n: int, cache_size: float) -> npt.NDArray[np.float32] | None:
    """Return a matrix for all kernel values of n points, None where it is larger than the cache."""
    return None if 4 * n**2 > cache_size * 1e6 else np.empty((n, n), dtype=np.float32)


def shared_points(
    points: _native.SvmPoints, n: int, K: npt.NDArray[np.float32] | None
) -> _native.SvmPoints:
    """Return the points with all their kernel values in K; as they are where there is no K."""
    if K is None:
        return points
    points.matrix(np.arange(n, dtype=np.int32), K)
    return _native.SvmPoints(K, points)
