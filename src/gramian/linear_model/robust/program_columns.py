"""Prepare the columns for a piecewise linear fit, and transform the solution back."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg

from gramian import _native
from gramian.base.rows.moments import Vector
from gramian.base.rows.native_table import native_table
from gramian.base.runtime import lapack
from gramian.base.runtime.interruptible import interruptible
from gramian.base.types import Data, Matrix, Weights, is_sparse


@dataclass(frozen=True)
class PreparedRows:
    """Rows of weight > 0 with centred and scaled independent columns, the constant last.

    Attributes
    ----------
    X
        (n, m) float64 of full column rank.
    y
        (n,), shifted and scaled.
    weights
        (n,).
    origin
        (n,), index of the first of the equal rows merged into this one.
    """

    X: Matrix
    y: Vector
    weights: Vector
    origin: npt.NDArray[np.intp]
    kept: npt.NDArray[np.intp]
    centre: Vector
    scale: Vector
    level: float
    unit: float
    intercept: bool
    n_columns: int

    def unpack(self, b: Vector) -> tuple[Vector, float]:
        """Return coefficients of the original columns (0 for dropped ones), and the intercept."""
        coef = np.zeros(self.n_columns)
        m = self.X.shape[1]
        values = np.zeros(self.n_columns + self.intercept)
        values[self.kept] = b[:m] * self.unit
        coef[:] = values[: self.n_columns] / self.scale
        constant = values[-1] if self.intercept else 0.0
        return coef, float(self.level + constant - coef @ self.centre)


def prepare_rows(X: Data, y: Vector, weights: Weights | None, *, intercept: bool) -> PreparedRows:
    """Centre, scale and reduce; the cost is unchanged up to the unit of y."""
    table = (X.toarray() if is_sparse(X) else X).astype(np.float64)
    w = np.ones(len(y)) if weights is None else weights
    origin = _group_equal_rows(table, y, weights)
    if origin is not None:
        rows, order = origin
        first = order[np.flatnonzero(np.r_[True, np.diff(rows) > 0])]
        table, y, w = table[first], y[first], np.bincount(rows, w[order]).astype(np.float64)
        origin = first
    else:
        origin = np.arange(len(y))
    d = table.shape[1]
    centre = table.mean(axis=0) if intercept else np.zeros(d)
    level = float(np.median(y)) if intercept else 0.0
    table = table - centre
    scale = np.abs(table).max(axis=0, initial=0.0)
    tiny = scale <= 1e-14 * (np.abs(centre) + 1e-300)
    scale[tiny] = 1.0
    table /= scale
    table[:, tiny] = 0.0
    if intercept:
        table = np.hstack([table, np.ones((len(y), 1))])
    shifted = y - level
    unit = float(np.abs(shifted).max(initial=0.0)) or 1.0
    kept = _independent_columns(table)
    return PreparedRows(
        np.ascontiguousarray(table[:, kept]),
        shifted / unit,
        w,
        origin,
        kept,
        centre,
        scale,
        level,
        unit,
        intercept,
        d,
    )


def _group_equal_rows(X: Matrix, y: Vector, weights: Weights | None) -> Any:
    """Return groups of equal rows of weight > 0 and a sorted order of the rows.

    The solution need not be unique, and may depend on the order of the rows. Repeated rows are
    merged so that a weight k and a row repeated k times give the same solution. Without weights and
    repetitions, return None, and the order is kept.
    """
    rng = np.random.Generator(np.random.Philox(3))
    key = X @ rng.uniform(1, 2, X.shape[1]) + rng.uniform(1, 2) * y
    order = np.argsort(key, kind="stable")
    if weights is None and (np.diff(key[order]) > 0).all():
        return None
    if weights is not None:
        order = order[weights[order] > 0]
    both = np.column_stack([X[order], y[order]])
    return np.cumsum(np.r_[False, (np.diff(both, axis=0) != 0).any(axis=1)]), order


def _independent_columns(X: Matrix) -> npt.NDArray[np.intp]:
    """Return columns that span all columns; all of them if a Cholesky factor exists."""
    m = X.shape[1]
    gram = np.zeros((m + 1, m + 1))
    table = native_table(np.ascontiguousarray(X))
    _native.gram(table, np.empty((len(X), 0)), None, np.zeros(m), True, gram)
    gram = gram[:m, :m]
    root = lapack.cholesky(gram)
    if root[1] == 0 and (np.diagonal(root[0]) ** 2 > 1e-9 * np.diagonal(gram)).all():
        return np.arange(X.shape[1])
    R, order = interruptible(2 * X.size * m, scipy.linalg.qr, X, mode="r", pivoting=True)
    diagonal = np.abs(np.diagonal(R))
    rank = int((diagonal > 1e-11 * max(diagonal.max(initial=0.0), 1e-300)).sum())
    return np.sort(order[:rank])
