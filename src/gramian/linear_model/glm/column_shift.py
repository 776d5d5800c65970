"""Columns far from 0 are moved to 0 before a fit with an unpenalised bias.

The bias makes up for the move exactly. Without it, such columns are almost multiples of the column
of ones: solvers stop at a bias near 0, where the gradient is below the tolerance but the cost far
from its minimum.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from gramian.base.types import Data, Floats, Matrix

_FAR = 10.0  # mean of a column, in standard deviations, from which it is moved
SAMPLE_ROWS = 1000  # rows for estimates of the means; any shift is exact


@dataclass(frozen=True)
class ColumnShift:
    """What is subtracted from each column, and how this changes the bias.

    A moved table is a copy, as large as the table; a table of which no column is far from 0 is
    used as it is.

    Examples
    --------
    >>> shift = ColumnShift.of(np.array([[1e6, 0.0], [1e6 + 2, 1.0]]), np.ones(2))
    >>> shift.rows(np.array([[1e6 + 3, 1.0]]))
    array([[2., 1.]])
    >>> shift.weights(np.array([0.5, 2.0, 3.0]))  # 0.5 (x - 1000001) + 2 z + 3
    array([ 5.000000e-01,  2.000000e+00, -4.999975e+05])
    """

    offsets: Matrix | None = None  # None: nothing is moved

    @classmethod
    def of(cls, table: Data, weights: Floats, *, intercept: bool = True) -> Self:
        """Return the shift of the columns that are far from 0; nothing is moved if none is.

        Without an intercept nothing is moved. Sparse tables are never moved, and neither are
        constant columns, which have no weight.
        """
        counted = np.flatnonzero(weights > 0)
        if not intercept or sp.issparse(table) or not len(counted):
            return cls()
        rows = table[counted[:: max(1, len(counted) // SAMPLE_ROWS)]].astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # huge columns have an infinite spread
            mean, spread = rows.mean(axis=0), rows.std(axis=0)
            far = (np.abs(mean) > _FAR * spread) & (rows != rows[0]).any(axis=0)
        return cls(np.where(far, mean, 0.0).astype(table.dtype)) if far.any() else cls()

    def rows(self, X: Data) -> Data:
        """Return the moved rows, a copy; X itself if nothing is moved."""
        return X if self.offsets is None else X - self.offsets

    def start(self, x: Floats | None, shape: tuple[int, ...]) -> Floats | None:
        """Return a start for the moved rows, flat, from one for the rows themselves.

        Parameters
        ----------
        x
            Weights of the columns and bias, flat; None for no start.
        shape
            (d + 1,) or (d + 1, K).
        """
        if x is None or self.offsets is None:
            return x
        return _with_bias_moved(x.reshape(shape), self.offsets).reshape(-1)

    def weights(self, w: Floats) -> Floats:
        """Return weights and bias, (d + 1,) or (d + 1, K), for the rows themselves."""
        return w if self.offsets is None else _with_bias_moved(w, -self.offsets)


def _with_bias_moved(w: Floats, offsets: Matrix) -> Floats:
    """Return weights whose scores for X - offsets are those of w for X."""
    moved = w.copy()
    moved[-1] += offsets.astype(np.float64) @ w[:-1]
    return moved
