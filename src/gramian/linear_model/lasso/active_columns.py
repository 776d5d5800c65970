"""The active columns of least-angle regression, as a QR factorisation that grows and shrinks."""

from math import sqrt

import numpy as np
from scipy.linalg import qr_delete
from scipy.linalg.blas import dtrsv

from gramian.base.rows.moments import Vector
from gramian.base.types import Floats, Matrix

_CANCELLATION = 0.7  # relative length of a remainder below which rounding errors matter
# Relative distance from the span of the active columns that counts as 0.
_MIN_RELATIVE_DISTANCE = 1e-8


class ActiveColumns:
    """The active columns with their signs; X_A = Q R and y = Q h + residual.

    X and y may be a triangular factor of `n_rows` rows of X and the same rotation of y.
    """

    def __init__(self, X: Matrix, y: Vector, n_rows: int | None = None) -> None:
        self.X, self.y = X, y
        self.n_rows = n_rows or len(y)
        self.columns: list[int] = []
        self.signs, self.h = np.zeros(0), np.zeros(0)
        self.residual = y.copy()
        self._buffer = np.empty((len(X), 16), order="F")  # Q in its first columns
        self.R: Floats = np.zeros((0, 0))

    @property
    def Q(self) -> Matrix:  # noqa: N802 - the factor's name
        """Return the orthonormal basis of the active columns."""
        return self._buffer[:, : len(self.columns)]

    def append(self, j: int, sign: float) -> bool:
        """Add a column unless it depends on the active ones; return whether it was added."""
        x, Q, k = self.X[:, j], self.Q, len(self.columns)
        inside = Q.T @ x
        orthogonal = x - Q @ inside
        length, size = sqrt(x @ x), sqrt(orthogonal @ orthogonal)
        if size < _CANCELLATION * length:  # then orthogonalise again; twice is enough
            correction = Q.T @ orthogonal
            orthogonal, inside = orthogonal - Q @ correction, inside + correction
            size = sqrt(orthogonal @ orthogonal)
        if k == len(x) or size <= _MIN_RELATIVE_DISTANCE * length:
            return False
        if k == self._buffer.shape[1]:
            self._buffer = np.concatenate([self._buffer.T, np.empty((k, len(x)))]).T
        self._buffer[:, k] = q = orthogonal / size
        larger = np.zeros((k + 1, k + 1))
        larger[:k, :k], larger[:k, k], larger[k, k] = self.R, inside, size
        self.R = larger
        self.h = np.concatenate((self.h, (q @ self.residual,)))
        self.residual = self.residual - q * self.h[-1]
        self.columns.append(j)
        self.signs = np.concatenate((self.signs, (sign,)))
        return True

    def remove(self, j: int) -> None:
        """Remove a column."""
        k, left = self.columns.index(j), len(self.columns) - 1
        if left:
            Q, R = qr_delete(self.Q, self.R, k, which="col")
            # A square Q is a full decomposition to SciPy: it stays square, and R gets a row of 0.
            self._buffer[:, :left], self.R = Q[:, :left], np.asarray(R[:left], dtype=np.float64)
        else:
            self.R = np.zeros((0, 0))
        self.columns.remove(j)
        self.signs = np.delete(self.signs, k)
        self.h = self.Q.T @ self.y
        self.residual = self.y - self.Q @ self.h
        self.residual -= self.Q @ (self.Q.T @ self.residual)

    def segment(self) -> tuple[Vector, Vector, Vector, Vector]:
        """Return p, a, u, v of this part of the path: X_j' r / n = p_j + C a_j, b_A = u - C v."""
        n = self.n_rows
        p = self.X.T @ (self.residual / n)
        if not self.columns:
            return p, np.zeros(self.X.shape[1]), np.zeros(0), np.zeros(0)
        # LAPACK starts threads for systems of any size, BLAS for large ones only.
        lower = self.R.T
        along = dtrsv(lower, self.signs, lower=1)
        u, v = (dtrsv(lower, b, lower=1, trans=1) for b in (self.h, n * along))
        return p, self.X.T @ (self.Q @ along), u, v
