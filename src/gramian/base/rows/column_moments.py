"""Means and sums of squares of each column within each class, by one native pass.

The sums are taken about a point near each class's rows; where that point turns out to be far from
the mean, compared with the spread, a second pass takes them about the means.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gramian import _native
from gramian.base.inputs.targets import Codes
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Weights

_PILOT_ROWS = 15  # odd: the median is a value of the column, so that a constant one becomes zero
_FIRST_ROWS = 4096  # the first rows, where they are searched first
_FAR = 1e4  # squared distance of the point from the mean, in variances, that requires a second pass


@dataclass(frozen=True)
class ColumnMoments:
    """Weight, means and sums of squares of each class; moments of parts of the rows merge.

    Attributes
    ----------
    weights
        Array (K,): the total weight of each class.
    means
        Array (K, d): the weighted means, zero for a class of weight 0.
    squares
        Array (K, d): sum of w (x - mean)^2.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [5.0], [9.0]])
    >>> moments = ColumnMoments.of(X, np.array([0, 0, 1, 1]), 2, None)
    >>> moments.means.tolist(), moments.squares.tolist(), moments.total().squares.tolist()
    ([[1.0], [7.0]], [[2.0], [8.0]], [[46.0]])
    """

    weights: Floats
    means: Floats
    squares: Floats

    @classmethod
    def of(cls, X: Data, codes: Codes, n_classes: int, weights: Weights | None) -> "ColumnMoments":
        """Summarise checked rows."""
        shifts = class_pilots(X, codes, n_classes)
        moments, far = _about(X, codes, weights, shifts)
        return _about(X, codes, weights, moments.means)[0] if far else moments

    def merge(self, other: "ColumnMoments") -> "ColumnMoments":
        """Return the moments of both sets of rows together (Chan, Golub and LeVeque 1979)."""
        weights = self.weights + other.weights
        part = np.divide(other.weights, weights, out=np.zeros_like(weights), where=weights > 0)
        away = other.means - self.means
        means = self.means + part[:, None] * away
        between = (self.weights * part)[:, None] * away**2
        return ColumnMoments(weights, means, self.squares + other.squares + between)

    def total(self) -> "ColumnMoments":
        """Return the moments of all rows, as of one class."""
        weight: float = self.weights.sum()
        with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses what is too large
            mean = self.weights @ self.means / weight
            squares = self.squares.sum(axis=0) + self.weights @ (self.means - mean) ** 2
        return ColumnMoments(np.array([weight]), mean[None], squares[None])


def class_pilots(X: Data, codes: Codes, n_classes: int) -> Floats:
    """Return a point near the rows of each class, (K, d): the median of a few of the first.

    Sparse columns stay where they are, and so does a class without rows.
    """
    shifts = np.zeros((n_classes, X.shape[1]))
    if sp.issparse(X):
        return shifts
    for k in range(n_classes):
        rows = np.flatnonzero(codes[:_FIRST_ROWS] == k)[:_PILOT_ROWS]
        if len(rows) < _PILOT_ROWS and len(codes) > _FIRST_ROWS:
            rows = np.flatnonzero(codes == k)[:_PILOT_ROWS]
        if len(rows):
            shifts[k] = np.median(X[rows[: len(rows) - 1 + len(rows) % 2]], axis=0)
    return shifts


def _about(
    X: Data, codes: Codes, weights: Weights | None, shifts: Floats
) -> tuple[ColumnMoments, bool]:
    """Return the moments from sums about the shifts, and whether these were far from the means."""
    totals, sums, squares = np.zeros(len(shifts)), np.zeros_like(shifts), np.zeros_like(shifts)
    dense_shifts = None if sp.issparse(X) else shifts
    _native.class_sums(native_table(X), narrow(codes), weights, dense_shifts, totals, sums, squares)
    some = np.where(totals > 0, totals, 1.0)[:, None]
    with np.errstate(over="ignore", invalid="ignore"):  # the caller refuses what is too large
        away = sums / some
        shifted = some * away**2
        centred = np.maximum(squares - shifted, 0.0)
        far = dense_shifts is not None and bool((shifted > _FAR * centred).any())
    means = np.where(totals[:, None] > 0, shifts + away, 0.0)
    return ColumnMoments(totals, means, centred), far


def narrow(codes: Codes) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    """Convert codes to the integer type of the native core."""
    return np.ascontiguousarray(codes, dtype=np.int32)
