"""One machine for each pair of classes: their variables, and the coefficients of all together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats
from gramian.svm.dual_machines import Machines, Settings, Solved

RowIds = npt.NDArray[np.int32]

_SHARED_PART = 0.5  # of the cache may hold kernel values within classes


@dataclass(frozen=True)
class ClassPairs:
    """The pairs of some classes.

    Attributes
    ----------
    rows
        Row numbers of each class.
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

    def solve_soft_margin(
        self,
        points: _native.SvmPoints,
        upper: Floats,
        settings: Settings,
        start: list[Floats] | None = None,
    ) -> tuple[Solved, list[Floats]]:
        """Solve the dual of the soft margin for each pair; `upper` is C of each row."""
        ids, signs = self.ids(), self.signs()
        bounds = [upper[rows] for rows in ids]
        start = [np.zeros(len(rows)) for rows in ids] if start is None else start
        machines = Machines(ids, signs, bounds, [-sign for sign in signs], start)
        shared = self._shared(points, settings)
        solved, alpha = machines.solve(points, settings, shared)
        if shared is None:
            return solved, alpha
        within = sum(len(rows) ** 2 for rows in self.rows)
        entries = solved.entries + within
        return Solved(**{**vars(solved), "entries": entries}), alpha

    def _shared(
        self, points: _native.SvmPoints, settings: Settings
    ) -> tuple[list[npt.NDArray[np.float32]], npt.NDArray[np.int32]] | None:
        """Return the kernel values within each class, which all its pairs use, if there is room."""
        sizes = [len(rows) for rows in self.rows]
        bytes_needed = 4 * sum(size**2 for size in sizes)
        if len(sizes) < 3 or bytes_needed > _SHARED_PART * settings.cache_size * 1e6:
            return None
        blocks = [np.empty((size, size), dtype=np.float32) for size in sizes]
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
