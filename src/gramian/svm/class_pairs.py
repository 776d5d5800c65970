"""One machine for each pair of classes: their variables, and the coefficients of all together."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.svm.dual_machines import Machines, Settings, Solved, Start

RowIds = npt.NDArray[np.int32]

_SHARED_PART = 0.5  # of the cache may hold kernel values within classes


@dataclass(frozen=True)
class ClassPairs:
    """The pairs of some classes.

    Attributes
    ----------
    rows
        Row indices of each class.
    """

    rows: list[RowIds]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs (0, 1), (0, 2), ..., (1, 2), ..."""
        K = len(self.rows)
        return [(i, j) for i in range(K) for j in range(i + 1, K)]

    def ids(self) -> list[RowIds]:
        """Return the rows of each pair, those of the first class first."""
        return [np.concatenate([self.rows[i], self.rows[j]]) for i, j in self.pairs]

    def signs(self) -> list[Floats]:
        """Return 1 for the rows of the first class of each pair, -1 for those of the second."""
        sizes = [len(rows) for rows in self.rows]
        return [np.repeat([1.0, -1.0], [sizes[i], sizes[j]]) for i, j in self.pairs]

    def solve(
        self,
        points: _native.SvmPoints,
        upper: Floats,
        settings: Settings,
        *,
        start: Start | None = None,
        by_sign: bool = False,
    ) -> tuple[Solved, list[Floats]]:
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
            Variables of each pair to start from; None: zeros.
        by_sign
            Whether the dual is that of nu: no linear term, and the sum over each class is kept.
        """
        ids, signs = self.ids(), self.signs()
        bounds = [upper[rows] for rows in ids]
        start = start or Start([np.zeros(len(rows)) for rows in ids])
        offsets = [sign * (0.0 if by_sign else -1.0) for sign in signs]
        machines = Machines(ids, signs, bounds, offsets, *start, by_sign=by_sign)
        shared = self._shared(points, settings)
        if shared is None:
            return machines.solve(points, settings)
        within = sum(block.size for block in shared[0])
        rest = replace(settings, cache_size=settings.cache_size - 4e-6 * within)
        solved, alpha = machines.solve(points, rest, shared)
        return replace(solved, entries=solved.entries + within), alpha

    def _shared(
        self, points: _native.SvmPoints, settings: Settings
    ) -> tuple[list[npt.NDArray[np.float32]], npt.NDArray[np.int32]] | None:
        """Return the kernel values within each class, which all its pairs use, if there is room."""
        sizes = [len(rows) for rows in self.rows]
        bytes_needed = 4 * sum(size**2 for size in sizes)
        if len(sizes) < 3 or bytes_needed > _SHARED_PART * settings.cache_size * 1e6:
            return None
        room = np.empty(bytes_needed // 4, dtype=np.float32)  # one piece: in large pages
        starts = np.cumsum([size**2 for size in sizes])[:-1]
        blocks = [
            part.reshape(size, size)
            for part, size in zip(np.split(room, starts), sizes, strict=True)
        ]
        for rows, block in zip(self.rows, blocks, strict=True):
            points.matrix(rows, block)
        return blocks, np.array(self.pairs, dtype=np.int32)

    def coefficients(self, alpha: list[Floats], n: int) -> tuple[RowIds, Floats, RowIds]:
        """Return the support vectors by class, their coefficients (K - 1, n_sv), and how many.

        A vector of class i has a coefficient for each other class; in the pair (i, j) that of
        class j is column j - 1, that of class i for a vector of class j is i.
        """
        K = len(self.rows)
        dense = np.zeros((K - 1, n))
        for (i, j), values in zip(self.pairs, alpha, strict=True):
            size = len(self.rows[i])
            dense[j - 1, self.rows[i]] = values[:size]
            dense[i, self.rows[j]] = -values[size:]
        counts: Any = [rows[dense[:, rows].any(axis=0)] for rows in self.rows]
        support = np.concatenate(counts)
        sizes = np.array([len(rows) for rows in counts], dtype=np.int32)
        return support.astype(np.int32), np.ascontiguousarray(dense[:, support]), sizes


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
    return _native.SvmPoints(K)
