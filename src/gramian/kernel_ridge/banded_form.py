"""A symmetric matrix as Q B Q' with banded B: one reduction works for every penalty.

(K + alpha I)^-1 = Q (B + alpha I)^-1 Q'. The reduction to a band of width b uses products of large
matrices only. The reduction to a tridiagonal matrix, the first step towards eigenvectors, spends
half of its operations in matrix-vector products, which are limited by memory bandwidth. Afterwards
a penalty costs O(n b^2) for solutions and O(n^2 b) for the diagonal of the inverse; eigenvectors
are not needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, lapack

from gramian.base.runtime.blas import (
    add_product,
    bands,
    product,
    run_in_parallel,
    subtract_symmetric,
    symmetric_product,
)
from gramian.base.runtime.lapack import householder
from gramian.base.types import Floats

_BAND_WIDTH = 64  # width of the band
_BLOCK_ROWS = 128  # rows of Q multiplied together, whose products fit into the cache


@dataclass(frozen=True)
class BandFactor:
    """The Cholesky factor L of B + alpha I: inverse diagonal blocks, and the blocks below."""

    inverse_roots: list[Floats]
    lower: list[Floats]

    def solve(self, right: Floats) -> Floats:
        """Return (B + alpha I)^-1 times the given columns."""
        b = len(self.inverse_roots[0])
        solved: list[Floats] = []
        for k, inverse_root in enumerate(self.inverse_roots):
            part = right[k * b : (k + 1) * b]
            if k > 0:
                part = part - self.lower[k - 1] @ solved[-1]
            solved.append(inverse_root @ part)
        for k in range(len(solved) - 1, -1, -1):
            if k + 1 < len(solved):
                solved[k] = solved[k] - self.lower[k].T @ solved[k + 1]
            solved[k] = self.inverse_roots[k].T @ solved[k]
        return np.concatenate(solved)


@dataclass(frozen=True)
class BandedForm:
    """Q, and the blocks of B on and below the diagonal."""

    Q: Floats
    diagonal: list[Floats]
    below: list[Floats]

    def factor(self, alpha: float) -> BandFactor:
        """Return the Cholesky factor of B + alpha I.

        Raises `numpy.linalg.LinAlgError` unless it is positive definite.
        """
        roots: list[Floats] = []
        lower: list[Floats] = []
        for k, block in enumerate(self.diagonal):
            left = block + alpha * np.eye(len(block))
            if k > 0:
                lower.append(blas.dtrsm(1.0, roots[-1], self.below[k - 1].T, lower=1).T)
                left -= lower[-1] @ lower[-1].T
            roots.append(np.asarray(np.linalg.cholesky(left), dtype=np.float64))
        return BandFactor([lapack.dtrtri(root, lower=1)[0] for root in roots], lower)

    def rotated(self, Y: Floats) -> Floats:
        """Return Q'Y."""
        return product(self.Q.T, Y)

    def rotated_back(self, Z: Floats) -> Floats:
        """Return Q Z."""
        return product(self.Q, Z)

    def inverse_diagonals(self, factors: Sequence[BandFactor]) -> Floats:
        """Return the diagonal of (K + alpha I)^-1 for each factor, (factors, n).

        It consists of the squared norms of the columns of L^-1 Q', computed by blocks of rows: Z_k
        = R_k (Q_k' - L_k Z_(k-1)), R_k the inverse of the root. Blocks of columns run on several
        threads; the result does not depend on their number.
        """
        b, n = len(self.diagonal[0]), len(self.Q)
        roots = [np.stack([f.inverse_roots[k].T for f in factors]) for k in range(-(-n // b))]
        lower = [np.stack([f.lower[k].T for f in factors]) for k in range(len(roots) - 1)]
        out = np.zeros((len(factors), n))

        def add(rows: slice) -> None:
            Z: Floats = np.empty(0)
            for k, root in enumerate(roots):
                block: Floats = np.ascontiguousarray(self.Q[rows, k * b : (k + 1) * b])
                if k > 0:
                    block = block - Z @ lower[k - 1]
                Z = block @ root
                out[:, rows] += np.einsum("aij,aij->ai", Z, Z)

        run_in_parallel(4.0 * n**2 * b, add, bands(n, size=_BLOCK_ROWS))
        return out


def banded_form(K: Floats, width: int = _BAND_WIDTH, *, overwrite: bool = False) -> BandedForm:
    """Reduce a symmetric matrix to a band by Householder reflections, in 8/3 n^3 operations.

    Parameters
    ----------
    K : array (n, n)
        The matrix.
    width : int
        Width of the band, below and above the diagonal.
    overwrite : bool
        Whether to store Q in the memory of K; then only a few columns of extra memory are needed.

    Returns
    -------
    form : BandedForm

    Examples
    --------
    >>> K = np.array([[2.0, 1.0, 0.5], [1.0, 2.0, 1.0], [0.5, 1.0, 2.0]])
    >>> form = banded_form(K, 1)
    >>> form.inverse_diagonals([form.factor(1.0)]).round(4)
    array([[0.3765, 0.4118, 0.3765]])
    """
    n, b = len(K), width
    A = K.T if overwrite and K.flags.c_contiguous else np.array(K, order="F")
    below: list[Floats] = []
    factors: list[Floats] = []
    for start in range(b, n, b):
        panel, rest = A[start:, start - b : start], A[start:, start:]
        V, T, R = householder(panel)
        panel[:, : len(T)] = V
        below.append(R)
        factors.append(T)
        Y = _product(symmetric_product(rest, V), T)
        inner = _product(T.T, _product(V.T, Y))
        add_product(Y, V, inner, -0.5)
        subtract_symmetric(rest, V, Y)
    starts = range(0, n, b)
    diagonal = [_symmetric(A[s : s + b, s : s + b]) for s in starts]
    for start in reversed(starts):  # replace the reflections with Q'
        corner = slice(start, min(n, start + b))
        A[start:, corner] = A[corner, start:] = 0.0
        A[np.arange(n)[corner], np.arange(n)[corner]] = 1.0
        if start > 0:
            T, rest = factors.pop(), A[start:, start:]
            V = np.asfortranarray(A[start:, start - b : start - b + len(T)])
            add_product(rest, _product(_product(rest, V), T.T), V.T, -1.0)
    return BandedForm(A.T, diagonal, below)


def _product(A: Floats, B: Floats) -> Floats:
    out = np.zeros((A.shape[0], B.shape[1]), order="F")
    add_product(out, A, B)
    return out


def _symmetric(lower: Floats) -> Floats:
    return np.tril(lower) + np.tril(lower, -1).T
