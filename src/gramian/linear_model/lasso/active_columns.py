"""The active columns of least-angle regression, as a QR factorisation that grows and shrinks."""

import numpy as np
from scipy.linalg import qr_delete, solve_triangular

from gramian.base.moments import Vector
from gramian.base.types import Matrix

_DEPENDENT = 1e-8  # share of a column's length beside the active ones below which it adds nothing


class ActiveColumns:
    """The active columns with their signs; X_A = Q R and y = Q h + rest."""

    def __init__(self, X: Matrix, y: Vector) -> None:
        self.X, self.y = X, y
        self.columns: list[int] = []
        self.signs, self.h = np.zeros(0), np.zeros(0)
        self.rest = y.copy()
        self._room = np.empty((len(X), 16), order="F")  # Q in its first columns
        self.R = np.zeros((0, 0))

    @property
    def Q(self) -> Matrix:  # noqa: N802 - the factor's name
        """Return the orthonormal basis of the active columns."""
        return self._room[:, : len(self.columns)]

    def append(self, j: int, sign: float) -> bool:
        """Let a column in, unless it depends on the others."""
        x, Q, k = self.X[:, j], self.Q, len(self.columns)
        above = Q.T @ x
        beside = x - Q @ above
        again = Q.T @ beside  # twice is enough
        beside, above = beside - Q @ again, above + again
        size = float(np.linalg.norm(beside))
        if k == len(x) or size <= _DEPENDENT * float(np.linalg.norm(x)):
            return False
        if k == self._room.shape[1]:
            self._room = np.concatenate([self._room.T, np.empty((k, len(x)))]).T
        self._room[:, k] = q = beside / size
        self.R = np.block([[self.R, above[:, None]], [np.zeros((1, k)), np.array([[size]])]])
        self.h = np.append(self.h, q @ self.rest)
        self.rest = self.rest - q * self.h[-1]
        self.columns.append(j)
        self.signs = np.append(self.signs, sign)
        return True

    def remove(self, j: int) -> None:
        """Let a column out."""
        k, left = self.columns.index(j), len(self.columns) - 1
        if left:
            Q, self.R = qr_delete(self.Q, self.R, k, which="col")
            self._room[:, :left] = Q
        else:
            self.R = np.zeros((0, 0))
        self.columns.remove(j)
        self.signs = np.delete(self.signs, k)
        self.h = self.Q.T @ self.y
        self.rest = self.y - self.Q @ self.h
        self.rest -= self.Q @ (self.Q.T @ self.rest)

    def line(self) -> tuple[Vector, Vector, Vector, Vector]:
        """Return p and a of all columns, X_j' r / n = p_j + C a_j, and u and v: b_A = u - C v."""
        n = len(self.y)
        p = self.X.T @ (self.rest / n)
        if not self.columns:
            return p, np.zeros(self.X.shape[1]), np.zeros(0), np.zeros(0)
        along = solve_triangular(self.R, self.signs, trans="T", check_finite=False)
        both = np.column_stack([self.h, n * along])
        u, v = solve_triangular(self.R, both, check_finite=False).T
        return p, self.X.T @ (self.Q @ along), u, v
