"""Products with the rows of a table about their mean, without a centred copy.

    (X - 1 m') V = X V - 1 (m' V),      (X - 1 m')' U = X' U - m (1' U)

so sparse rows stay sparse. Where the mean is far from 0 compared with the spread, these differences
would lose digits, and dense rows are centred block by block instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy.sparse as sp

from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.runtime.interruptible import interruptible
from gramian.base.types import Data, Floats, Matrix

_BLOCK = 1 << 20  # numbers of a block that is centred at once
_FAR = 1e4  # squared length of the mean, in variances, from which on blocks are centred


@dataclass(frozen=True)
class CentredTable:
    """The rows of X about a point.

    Attributes
    ----------
    X
        Checked rows, array or CSR (n, d).
    mean
        What is subtracted from each row; zero where the rows are taken as they are.
    squares
        Array (d,): the sum of squares of each column about that point.

    Examples
    --------
    >>> centred = CentredTable.of(np.array([[1.0, 5.0], [3.0, 5.0]]))
    >>> centred.mean.tolist(), centred.squares.tolist()
    ([2.0, 5.0], [2.0, 0.0])
    """

    X: Data
    mean: Floats
    squares: Floats

    @classmethod
    def of(cls, X: Data, *, centre: bool = True) -> "CentredTable":
        """Find the mean and the squares about it, or about 0."""
        moments = ColumnMoments.of(X, np.zeros(X.shape[0], dtype=np.int32), 1, None)
        mean, squares = moments.means[0], moments.squares[0]
        if centre:
            return cls(X, mean, squares)
        return cls(X, np.zeros_like(mean), squares + X.shape[0] * mean**2)

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns."""
        return self.X.shape[0], self.X.shape[1]

    @property
    def total(self) -> float:
        """The sum of squares of all columns, which is that of all singular values."""
        return float(self.squares.sum())

    def times(self, V: Floats) -> Matrix:
        """Return the centred rows times V (d, b); float64 whatever the rows are."""
        V = V.astype(self.X.dtype, copy=False)
        if self._by_blocks:
            parts = [block @ V for _, block in self.blocks()]
            return np.concatenate(parts).astype(np.float64, copy=False)
        product = _product(self.X, V)
        if not self.mean.any():
            return product.astype(np.float64, copy=False)
        return np.asarray(product - self.mean @ V, dtype=np.float64)

    def transposed_times(self, U: Floats) -> Matrix:
        """Return the transposed centred rows times U (n, b)."""
        U = U.astype(self.X.dtype, copy=False)
        if self._by_blocks:
            sums = np.zeros((self.shape[1], U.shape[1]))
            for rows, block in self.blocks():
                sums += block.T @ U[rows]
            return sums
        product = _product(self.X.T, U)
        if not self.mean.any():
            return product.astype(np.float64, copy=False)
        return np.asarray(product - np.outer(self.mean, U.sum(axis=0, dtype=np.float64)))

    def blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """Yield blocks of dense centred rows with their place."""
        n, d = self.shape
        mean = self.mean.astype(self.X.dtype)
        step = max(16, _BLOCK // max(1, d))
        for start in range(0, n, step):
            rows = slice(start, min(start + step, n))
            block = self.X[rows]
            block = block.toarray() if sp.issparse(block) else block
            yield rows, block - mean

    def dense(self) -> Floats:
        """Return a centred copy, float64."""
        X = self.X.toarray() if sp.issparse(self.X) else self.X
        return np.asarray(X - self.mean, dtype=np.float64)

    def gram(self) -> Floats:
        """Return the products of all pairs of centred rows, (n, n)."""
        n, d = self.shape
        if sp.issparse(self.X):
            inner = (self.X @ self.X.T).toarray().astype(np.float64)
            cross = self.X @ self.mean
            return np.asarray(inner - cross[:, None] - cross + self.mean @ self.mean)
        inner = np.zeros((n, n))
        step = max(64, (4 * _BLOCK) // max(1, n))
        mean = self.mean.astype(self.X.dtype)
        for start in range(0, d, step):
            columns = slice(start, start + step)
            part = self.X[:, columns] - mean[columns]
            inner += interruptible(2 * part.size * n, np.matmul, part, part.T)
        return inner

    @property
    def _by_blocks(self) -> bool:
        if sp.issparse(self.X):
            return False
        return self.shape[0] * float(self.mean @ self.mean) > _FAR * self.total


def _product(X: Data, V: Matrix) -> Matrix:
    """Return X V, in a form that Ctrl-C can leave."""
    if sp.issparse(X):
        return np.asarray(X @ V)
    return interruptible(2 * X.size * V.shape[1], partial(np.matmul, X, V))
