"""One machine per pair of classes: the dual variables and the coefficients of all pairs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.cached import cached_property
from gramian.base.types import Floats
from gramian.svm.dual_machines import Machines, Settings, Solved, Start

RowIds = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]

_SHARED_FRACTION = 0.5  # fraction of the cache for kernel values within classes
_SMALL_PAIR = 64  # rows of a pair up to which the core needs no kernel rows
_MIN_BATCH_PAIRS = 2048
_MIN_BATCH_ROWS = 2**16
_MIN_MARGIN = 1e-12
_EMPTY = np.empty(0)


class PairRows(NamedTuple):
    """The rows of several pairs, concatenated; within a pair, the first class comes first."""

    starts: Integers  # where each pair begins, and the end of the last
    place: Integers  # position of each row in `ClassPairs.order`
    sign: Floats  # 1 in the first class, -1 in the second
    other: Integers  # row of the coefficients for the other class


class SolvedPairs(NamedTuple):
    """The machines of all pairs."""

    solved: Solved
    support: RowIds  # row indices of the support vectors, by class
    coef: Floats  # (K - 1, n_sv)
    sizes: RowIds  # number of support vectors of each class
    alpha: Floats | None = None  # all variables, if requested


@dataclass(frozen=True)
class ClassPairs:
    """All pairs of the given classes.

    Attributes
    ----------
    rows
        Row indices of each class.
    """

    rows: list[RowIds]

    @cached_property
    def order(self) -> RowIds:
        """The rows, ordered by class."""
        return np.concatenate(self.rows).astype(np.int32)

    @cached_property
    def sizes(self) -> Integers:
        """The number of rows of each class."""
        return np.array([len(rows) for rows in self.rows], dtype=np.int64)

    @cached_property
    def class_starts(self) -> Integers:
        """Start of each class in `order`."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def pairs(self) -> npt.NDArray[np.int32]:
        """The pairs (0, 1), (0, 2), ..., (1, 2), ..., one per row."""
        K = len(self.rows)
        return np.column_stack(np.triu_indices(K, 1)).astype(np.int32)

    def rows_of(self, pairs: npt.NDArray[np.int32]) -> PairRows:
        """Return the rows of the given pairs."""
        i, j = pairs.T.astype(np.int64)
        sizes = self.sizes[i] + self.sizes[j]
        starts = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
        first = within < np.repeat(self.sizes[i], sizes)
        begin = np.where(
            first,
            np.repeat(self.class_starts[i], sizes),
            np.repeat(self.class_starts[j] - self.sizes[i], sizes),
        )
        other = np.where(first, np.repeat(j - 1, sizes), np.repeat(i, sizes))
        return PairRows(starts, begin + within, np.where(first, 1.0, -1.0), other)

    def _batches(self) -> Iterator[npt.NDArray[np.int32]]:
        """Return all pairs in batches of thousands."""
        per_pair = 2 * self.sizes.mean()
        step = max(_MIN_BATCH_PAIRS, int(_MIN_BATCH_ROWS / per_pair))
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
            Upper bound of the variable of each row.
        settings
            Solver settings.
        start
            Initial variables, with `keep` only; None means zeros.
        nu
            For the dual of nu machines, which has no linear term: the variables of each class of a
            pair sum to nu / 2 times the bounds of both, and the coefficients are divided by the
            margin.
        keep
            Whether to solve all pairs together and return their variables and gradients.
        """
        shared = self._values_within_classes(points, settings)
        within = 0
        if shared is not None:
            within = sum(block.size for block in shared)
            settings = replace(settings, cache_size=settings.cache_size - 4e-6 * within)
        bounds = upper[self.order]
        before = np.cumsum(bounds) - bounds
        before -= np.repeat(before[self.class_starts], self.sizes)  # within the class
        coef = np.zeros((len(self.rows) - 1, len(self.order)))
        parts = []
        for pairs in [self.pairs] if keep else self._batches():
            rows = self.rows_of(pairs)
            upper_bounds = bounds[rows.place]
            if nu is None:
                alpha, gradients = start or Start(np.zeros(len(upper_bounds)))
            else:
                totals = 0.5 * nu * np.add.reduceat(upper_bounds, rows.starts[:-1])
                left = np.repeat(totals, np.diff(rows.starts)) - before[rows.place]
                alpha, gradients = np.clip(left, 0.0, upper_bounds), None
            machines = Machines(
                self.order[rows.place],
                rows.starts,
                rows.sign,
                upper_bounds,
                rows.sign * (-1.0 if nu is None else 0.0),
                alpha,
                gradients,
                by_sign=nu is not None,
            )
            shared_values = None if shared is None else (shared, np.ascontiguousarray(pairs))
            solved, alpha = machines.solve(points, settings, shared_values)
            values = rows.sign * alpha
            if nu is not None:
                values *= np.repeat(margin_factors(solved.r), np.diff(rows.starts))
            coef[rows.other, rows.place] = values
            parts.append(solved if keep else replace(solved, gradients=_EMPTY))
        whole = parts[0] if keep else Solved.joined(parts)
        whole = replace(whole, entries=whole.entries + within)
        return SolvedPairs(whole, *self._support_vectors(coef), alpha if keep else None)

    def _values_within_classes(
        self, points: _native.SvmPoints, settings: Settings
    ) -> list[npt.NDArray[np.float32]] | None:
        """Return the kernel values within classes, shared by their pairs, if they fit the cache."""
        sizes = self.sizes.tolist()
        bytes_needed = 4 * sum(size**2 for size in sizes)
        few = len(sizes) < 3 or sum(sorted(sizes)[-2:]) <= _SMALL_PAIR
        if few or bytes_needed > _SHARED_FRACTION * settings.cache_size * 1e6:
            return None
        room = np.empty(bytes_needed // 4, dtype=np.float32)  # one array, for large pages
        starts = np.cumsum([size**2 for size in sizes])[:-1]
        blocks = [
            part.reshape(size, size)
            for part, size in zip(np.split(room, starts), sizes, strict=True)
        ]
        for rows, block in zip(self.rows, blocks, strict=True):
            points.matrix(rows, block)
        return blocks

    def coefficients(self, alpha: Floats) -> tuple[RowIds, Floats, RowIds]:
        """Return the support vectors by class, their coefficients (K - 1, n_sv), and their number.

        A support vector has a coefficient for each other class. In the pair (i, j), i < j, it is in
        row j - 1 for vectors of class i and in row i for vectors of class j.
        """
        rows = self.rows_of(self.pairs)
        coef = np.zeros((len(self.rows) - 1, len(self.order)))
        coef[rows.other, rows.place] = rows.sign * alpha
        return self._support_vectors(coef)

    def _support_vectors(self, coef: Floats) -> tuple[RowIds, Floats, RowIds]:
        """Return the support vectors, their coefficients, and their number in each class."""
        held = np.zeros(coef.shape[1], dtype=bool)
        for row in coef:
            held |= row != 0
        sizes = np.add.reduceat(held, self.class_starts, dtype=np.int32)
        return self.order[held], _columns(coef, np.flatnonzero(held)), sizes


def _columns(table: Floats, columns: npt.NDArray[np.intp]) -> Floats:
    """Return the given columns, in ascending order, reusing the memory of the table."""
    rows, width, count = *table.shape, len(columns)
    if count < width / 2:
        return np.ascontiguousarray(table[:, columns])
    flat = table.reshape(-1)
    for r in range(rows if count < width else 0):  # never overwrites a later row
        flat[r * count : (r + 1) * count] = table[r, columns]
    return flat[: rows * count].reshape(rows, count)


def margin_factors(r: Floats) -> Floats:
    """Return the factors of the coefficients of nu machines, 1 / margin."""
    return 1 / np.where(r > _MIN_MARGIN, r, 1.0)


def kernel_buffer(n: int, cache_size: float) -> npt.NDArray[np.float32] | None:
    """Return an empty kernel matrix for n points, or None if it is larger than the cache."""
    return None if 4 * n**2 > cache_size * 1e6 else np.empty((n, n), dtype=np.float32)


def shared_points(
    points: _native.SvmPoints, n: int, K: npt.NDArray[np.float32] | None
) -> _native.SvmPoints:
    """Return the points with all kernel values computed in K; unchanged if K is None."""
    if K is None:
        return points
    points.matrix(np.arange(n, dtype=np.int32), K)
    return _native.SvmPoints(K, points)
