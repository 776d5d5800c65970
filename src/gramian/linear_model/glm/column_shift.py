"""Columns far from 0 are moved to 0 before a fit with an unpenalised bias.

The bias makes up for the move exactly. Without it, such columns are almost multiples of the column
of ones: solvers stop at a bias near 0, where the gradient is below the tolerance but the cost far
from its minimum.
"""

import numpy as np
import scipy.sparse as sp

from gramian.base.types import Data, Floats, Matrix

_FAR = 10.0  # mean of a column, in standard deviations, from which it is moved
SAMPLE_ROWS = 1000  # rows for estimates of the means; any shift is exact


def column_shift(table: Data, weights: Floats) -> Matrix | None:
    """Return what to subtract from each column, or None if no column is far from 0.

    Sparse tables are never moved, and neither are constant columns, which have no weight.

    Examples
    --------
    >>> column_shift(np.array([[1e6, 0.0], [1e6 + 2, 1.0]]), np.ones(2)).tolist()
    [1000001.0, 0.0]
    """
    if sp.issparse(table):
        return None
    counted = np.flatnonzero(weights > 0)
    if not len(counted):
        return None
    rows = table[counted[:: max(1, len(counted) // SAMPLE_ROWS)]].astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):  # huge columns have an infinite spread
        mean, spread = rows.mean(axis=0), rows.std(axis=0)
        far = (np.abs(mean) > _FAR * spread) & (rows != rows[0]).any(axis=0)
    return np.where(far, mean, 0.0).astype(table.dtype) if far.any() else None


def moved_bias(w: Floats, shift: Matrix, sign: float) -> Floats:
    """Return weights of columns and bias, (d + 1,) or (d + 1, K), for columns moved by a shift.

    With sign 1 from weights for the table itself to those for the moved table, with -1 back.
    """
    moved = w.copy()
    moved[-1] += sign * (shift.astype(np.float64) @ w[:-1])
    return moved
