"""Products with the rows of a table about their mean, without a centred copy.

    (X - 1 m') V = X V - 1 (m' V),      (X - 1 m')' U = X' U - m (1' U)

so sparse rows stay sparse. If the mean is far from 0 compared with the spread, these differences
would lose digits, and dense rows are centred block by block instead.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from gramian.base.cached import cached_property
from gramian.base.rows.column_moments import ColumnMoments
from gramian.base.rows.table_products import gram_times, times, transposed_times
from gramian.base.runtime.blas import gram_of, product
from gramian.base.types import Data, Floats, is_sparse

_BLOCK = 1 << 20  # entries of a block that is centred at once
_FAR = 1e4  # squared length of the mean, in variances, above which blocks are centred


@dataclass(frozen=True)
class CentredTable:
    """The rows of X about a point.

    Attributes
    ----------
    X
        Checked rows, array or CSR (n, d).
    mean
        The point subtracted from each row; zero for uncentred rows.
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
        """Compute the mean and the squares about it, or about 0."""
        moments = ColumnMoments.of(X, np.zeros(X.shape[0], dtype=np.int32), 1, None)
        mean, squares = moments.means[0], moments.squares[0]
        if centre:
            return cls(X, mean, squares)
        return cls(X, np.zeros_like(mean), squares + X.shape[0] * mean**2)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.X.shape[0], self.X.shape[1]

    @property
    def total(self) -> float:
        """Sum of squares of all columns, equal to that of all singular values."""
        return float(self.squares.sum())

    def times(self, V: Floats) -> Floats:
        """Return the centred rows times V (d, b), in float64 for any dtype of the rows."""
        if self._by_blocks:
            return np.concatenate([product(block, V) for _, block in self.blocks()])
        found = times(self.X, V)
        if self._moved:
            found -= self.mean @ V
        return found

    def transposed_times(self, U: Floats) -> Floats:
        """Return the transposed centred rows times U (n, b)."""
        if self._by_blocks:
            sums = np.zeros((self.shape[1], U.shape[1]))
            for rows, block in self.blocks():
                sums += product(block.T, U[rows])
            return sums
        flipped = self._flipped
        found = transposed_times(self.X, U) if flipped is None else times(flipped, U)
        if self._moved:
            found -= np.outer(self.mean, U.sum(axis=0))
        return found

    def gram_times(self, V: Floats) -> Floats:
        """Return the transposed centred rows times the centred rows times V (d, b)."""
        if self._by_blocks or self._flipped is not None:
            return self.transposed_times(self.times(V))
        return gram_times(self.X, V, self.mean if self._moved else None)

    @cached_property
    def _moved(self) -> bool:
        """Whether the point is not zero."""
        return bool(self.mean.any())

    @cached_property
    def _flipped(self) -> Data | None:
        """X' as CSR for sparse rows, so that products with it read rows in order."""
        return sp.csr_array(self.X.T) if is_sparse(self.X) else None

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Yield blocks of dense centred rows with their slices."""
        n, d = self.shape
        step = max(16, _BLOCK // max(1, d))
        for start in range(0, n, step):
            rows = slice(start, min(start + step, n))
            block = self.X[rows]
            block = block.toarray() if is_sparse(block) else block
            yield rows, block - self.mean

    def dense(self) -> Floats:
        """Return a centred copy, float64."""
        X = self.X.toarray() if is_sparse(self.X) else self.X
        return np.asarray(X - self.mean, dtype=np.float64)

    def gram(self) -> Floats:
        """Return the products of all pairs of centred rows, (n, n)."""
        n, d = self.shape
        if is_sparse(self.X):
            inner = (self.X @ self.X.T).toarray().astype(np.float64)
            cross = self.X @ self.mean
            return np.asarray(inner - cross[:, None] - cross + self.mean @ self.mean)
        inner = np.zeros((n, n))
        step = max(64, (4 * _BLOCK) // max(1, n))
        mean = self.mean.astype(self.X.dtype)
        for start in range(0, d, step):
            columns = slice(start, start + step)
            part = self.X[:, columns] - mean[columns]
            inner += gram_of(part)
        return inner

    @cached_property
    def _by_blocks(self) -> bool:
        if is_sparse(self.X):
            return False
        return self.shape[0] * float(self.mean @ self.mean) > _FAR * self.total
