"""Kernel ridge regression on some centres, for very many rows.

With centres c_1 .. c_M, f(x) = sum_j a_j k(c_j, x) minimises

    sum_i w_i (y_i - f(x_i))^2 + alpha a' K_MM a,

whose equations are (K_nM' W K_nM + alpha K_MM) a = K_nM' W y. Centres that are nearly combinations
of others are left out. Conjugate gradients with the preconditioner B = T^-1 A^-1, T'T = K_MM,
A'A = (n/M) T T' + alpha I, then need a few iterations (Falkon; Rudi, Carratino and Rosasco 2017).
Each is one pass over the rows whose tiles of K_nM are computed and forgotten: memory for M^2
numbers and a tile, O(n M d) operations. Where a pass is dear, because there are many rows for each
centre, A'A comes from more rows than the centres, which saves more passes than it costs.
"""

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack, solve_triangular
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import DataError, caller_level
from gramian.base.randomness import stream
from gramian.base.rows.table_products import times
from gramian.base.runtime.blas import add_gram, divide_by_upper, product
from gramian.base.runtime.lapack import cholesky
from gramian.base.types import Data, Floats, Matrix, RowNumbers, Weights
from gramian.kernels import Kernel
from gramian.kernels.matrix import checked_kernel_matrix, map_kernel_rows, row_blocks

# What a centre must add to the others, of the largest k(c, c): far above the rounding of tiles.
_INDEPENDENT = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}

# Rows that the preconditioner is made from, at most: for each centre; of so many rows one.
_ROWS_PER_CENTER, _ROWS_PER_DRAWN = 4, 16
_BLOCK_BYTES = 32 << 20  # of kernel values of these rows


class CenterFit(NamedTuple):
    """The independent ones of the centres, their weights, and the iterations made."""

    centers: Data
    coef: Floats
    n_iter: int


def fit_centers(
    owner: str,
    kernel: Kernel,
    X: Data,
    Y: Floats,
    weights: Weights | None,
    centers: Data,
    *,
    alpha: float,
    tol: float,
    max_iter: int,
    task: Task,
) -> CenterFit:
    """Fit the weights of given centres to targets (n, outputs)."""
    wide = centers.astype(np.float64, copy=False)
    K = checked_kernel_matrix(owner, kernel, wide)
    kept, T = _independent(owner, K, _INDEPENDENT[X.dtype])
    K, centers = K[np.ix_(kept, kept)], centers[kept]
    n, M = X.shape[0], len(K)
    count = min(_ROWS_PER_CENTER * M, n // _ROWS_PER_DRAWN)
    if count > M:
        drawn = np.sort(stream(0).choice(n, count, replace=False))
        of_drawn = None if weights is None else weights[drawn]
        inner = _normal_matrix(owner, kernel, X[drawn], of_drawn, centers, T)
        inner *= n / count
    else:
        inner = product(T, T.T)
        inner *= (float(n) if weights is None else float(weights.sum())) / M
    inner.flat[:: M + 1] += alpha
    A, _ = cholesky(inner, lower=False)

    def unpreconditioned(beta: Floats) -> Floats:
        return np.asarray(solve_triangular(T, solve_triangular(A, beta)))

    def preconditioned(v: Floats) -> Floats:
        return np.asarray(solve_triangular(A, solve_triangular(T, v, trans="T"), trans="T"))

    def normal_product(a: Floats) -> Floats:
        """Return (K_nM' W K_nM) a in one pass over the rows."""

        def of_block(rows: slice, block: Matrix) -> Floats:
            fitted = block @ a  # in float64, so that every iteration sees one and the same matrix
            if weights is not None:
                fitted *= weights[rows, None]
            return np.asarray(block.T @ fitted)

        return sum_of(of_block)

    def sum_of(part: Callable[[slice, Matrix], Floats]) -> Floats:
        return sum(map_kernel_rows(owner, kernel, X, centers, part), np.zeros((M, Y.shape[1])))

    def weighted_targets(rows: slice, block: Matrix) -> Floats:
        weighted = Y[rows] if weights is None else Y[rows] * weights[rows, None]
        return np.asarray(block.T @ weighted)

    right = sum_of(weighted_targets)
    residual = preconditioned(right)
    beta, direction = np.zeros_like(residual), residual.copy()
    size = start = np.einsum("ij,ij->j", residual, residual)
    n_iter = 0
    while n_iter < max_iter and (size > tol**2 * start).any():
        n_iter += 1
        a = unpreconditioned(direction)
        moved = preconditioned(normal_product(a) + alpha * times(K, a))
        curvature = np.einsum("ij,ij->j", direction, moved)
        step = np.divide(size, curvature, out=np.zeros_like(size), where=curvature > 0)
        beta += step * direction
        residual -= step * moved
        before, size = size, np.einsum("ij,ij->j", residual, residual)
        ratio = np.divide(size, before, out=np.zeros_like(size), where=before > 0)
        direction = residual + ratio * direction
        task.iteration(dict, name="iteration")
    if (size > tol**2 * start).any():
        worst = float(np.sqrt(np.max(size / np.where(start > 0, start, 1.0))))
        warnings.warn(
            f"{owner}: not converged: the relative residual is {worst:.2g} after "
            f"max_iter={max_iter} iterations; raise max_iter, tol or alpha.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    return CenterFit(centers, unpreconditioned(beta), max(1, n_iter))


def _normal_matrix(
    owner: str, kernel: Kernel, X: Data, weights: Weights | None, centers: Data, T: Floats
) -> Floats:
    """Return the upper triangle of T'^-1 K' W K T^-1, K the kernel of rows and centres."""
    out = np.zeros(T.shape, order="F")
    for rows in row_blocks(X.shape[0], len(T), tile_bytes=_BLOCK_BYTES):
        K = checked_kernel_matrix(owner, kernel, X[rows], centers).astype(np.float64, copy=False)
        if weights is not None:
            K *= np.sqrt(weights[rows, None])
        divide_by_upper(T, K.T)
        add_gram(out, K.T)
    return out.T


def _independent(owner: str, K: Floats, least: float) -> tuple[RowNumbers, Floats]:
    """Return centres of which none is nearly a combination of the others, and R with R'R their K.

    By Cholesky with pivoting, so that no pivot is small beside the first.
    """
    root, pivots, rank, _ = lapack.dpstrf(K, tol=least * float(np.diag(K).max()))
    if np.diag(K).min() < 0 or rank < 1:
        raise DataError(
            f"{owner}: the kernel matrix of the centres is not positive semidefinite; use another "
            "kernel (see gramian.kernels.check_kernel), or solver='dual'."
        )
    return pivots[:rank] - 1, np.asfortranarray(np.triu(root[:rank, :rank]))
