"""A symmetric matrix as Q B Q' with B banded: solutions for every penalty from one reduction.

(K + alpha I)^-1 = Q (B + alpha I)^-1 Q'. The reduction to a band of width b is products of large
matrices throughout, while that to a tridiagonal matrix, the first step to eigenvectors, spends half
of its operations in products with one vector, at the speed of the memory. After it, a penalty costs
O(n b^2) for solutions and O(n^2 b) for the diagonal of the inverse, and needs no eigenvectors.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from gramian.base.runtime.lapack import product, subtract_product
from gramian.base.types import Floats

_NARROW, _WIDE = 32, 64  # widths of the band
_LARGE = 4000  # rows from which the wider one pays


@dataclass(frozen=True)
class BandedForm:
    """Q and the blocks of B, the diagonal ones and those below them."""

    Q: Floats
    diagonal: list[Floats]
    below: list[Floats]

    @property
    def width(self) -> int:
        """Rows of a block but the last."""
        return len(self.diagonal[0])

    def solve(self, Y: Floats, alpha: float) -> tuple[Floats, Floats]:
        """Return (K + alpha I)^-1 Y and the diagonal of that inverse.

        Raises `numpy.linalg.LinAlgError` unless K + alpha I is positive definite.
        """
        roots, lower = self._cholesky(alpha)
        n, b = len(self.Q), self.width
        right = self.Q.T @ Y
        inverse_diagonal = np.zeros(n)
        before: Any = None
        solved: list[Floats] = []
        for k, root in enumerate(roots):
            part = slice(k * b, min(n, (k + 1) * b))
            inverse_root = solve_triangular(root, np.eye(len(root)), lower=True)
            columns = self.Q[:, part]
            part_of_y = right[part]
            if before is not None:
                columns = columns - before @ lower[k - 1].T
                part_of_y = part_of_y - lower[k - 1] @ solved[-1]
            before = columns @ inverse_root.T  # rows of L^-1 Q', transposed
            inverse_diagonal += np.einsum("ij,ij->i", before, before)
            solved.append(inverse_root @ part_of_y)
        for k in range(len(roots) - 1, -1, -1):
            if k + 1 < len(roots):
                solved[k] = solved[k] - lower[k].T @ solved[k + 1]
            solved[k] = solve_triangular(roots[k], solved[k], lower=True, trans="T")
        return self.Q @ np.concatenate(solved), inverse_diagonal

    def _cholesky(self, alpha: float) -> tuple[list[Floats], list[Floats]]:
        """Return the blocks of the Cholesky factor of B + alpha I."""
        roots: list[Floats] = []
        lower: list[Floats] = []
        for k, block in enumerate(self.diagonal):
            left = block + alpha * np.eye(len(block))
            if k > 0:
                lower.append(solve_triangular(roots[-1], self.below[k - 1].T, lower=True).T)
                left = left - lower[-1] @ lower[-1].T
            roots.append(np.asarray(np.linalg.cholesky(left), dtype=np.float64))
        return roots, lower


def banded_form(K: Floats, width: int | None = None) -> BandedForm:
    """Reduce a symmetric matrix to a band by Householder's reflections, in 10/3 n^3 operations.

    Parameters
    ----------
    K : array (n, n)
        The matrix; it is copied.
    width : int or None
        Of the band, below and above the diagonal.

    Returns
    -------
    form : BandedForm

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 0.5], [1.0, 2.0, 1.0], [0.5, 1.0, 2.0]])
    >>> a, inverse = banded_form(K, 1).solve(np.ones((3, 1)), 1.0)
    >>> bool(np.allclose((K + np.eye(3)) @ a, 1.0))
    True
    """
    n = len(K)
    b = width or (_WIDE if n >= _LARGE else _NARROW)
    A = np.array(K, order="C")
    reflections: list[tuple[int, Floats, Floats]] = []
    for start in range(b, n, b):
        V, T, R = _reflection(A[start - b : start, start:])
        A[start - b : start, start:] = R
        reflections.append((start, V, T))
        rest = A[start:, start:]
        Y = product(rest, V) @ T
        W = Y - 0.5 * V @ (T.T @ (V.T @ Y))
        subtract_product(rest.T, np.hstack([V, W]), np.hstack([W, V]).T)
    Q = np.eye(n)
    for start, V, T in reversed(reflections):
        rest = Q[start:, start:]
        subtract_product(rest.T, (rest.T @ V) @ T.T, V.T)
    starts = range(0, n, b)
    diagonal = [_symmetric(A[s : s + b, s : s + b]) for s in starts]
    below = [A[s : s + b, s + b : s + 2 * b].T.copy() for s in starts[:-1]]
    return BandedForm(Q, diagonal, below)


def _reflection(rows: Floats) -> tuple[Floats, Floats, Floats]:
    """Return V, T and R' with (I - V T V')' rows' = R upper triangular (Householder).

    The columns of rows' are reflected one by one, without BLAS: they are few, and its threads
    would wait for each other at every one.
    """
    R = rows.copy()
    k, m = R.shape
    few = min(m, k)
    Vt, inverse = np.zeros((few, m)), np.eye(few)
    for j in range(few):
        x = R[j, j:]
        size = float(np.sqrt(np.einsum("i,i->", x, x)))
        if not np.any(x[1:]):
            continue  # nothing to reflect
        first = float(x[0]) + (size if x[0] >= 0 else -size)
        v = x / first
        v[0] = 1.0
        tau = 2.0 / float(np.einsum("i,i->", v, v))
        others = R[j:, j:]
        others -= np.multiply.outer(tau * np.einsum("ij,j->i", others, v), v)
        R[j, j + 1 :] = 0.0
        Vt[j, j:] = v
        inverse[j, j] = 1.0 / tau
    inverse += np.triu(Vt @ Vt.T, 1)
    T = solve_triangular(inverse, np.eye(few), lower=False)
    return np.ascontiguousarray(Vt.T), T, R


def _symmetric(lower: Floats) -> Floats:
    return np.tril(lower) + np.tril(lower, -1).T
