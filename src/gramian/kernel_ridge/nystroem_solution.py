"""Kernel ridge regression on a sample of centres, for very many rows.

With centres c_1 .. c_M, f(x) = sum_j a_j k(c_j, x) minimises

    sum_i w_i (y_i - f(x_i))^2 + alpha a' K_MM a,

whose equations are (K_nM' W K_nM + alpha K_MM) a = K_nM' W y. Centres that are nearly linear
combinations of others are dropped. Conjugate gradients with the preconditioner B = T^-1 A^-1, T'T =
K_MM, A'A = (n/M) T T' + alpha I, then need a few iterations (Falkon; Rudi, Carratino and Rosasco
2017). Each is one pass over the rows, which computes K_nM in tiles without storing it: memory for
M^2 numbers and a tile, O(n M d) operations. With many rows per centre a pass is expensive; then A'A
is computed from more rows than the centres, which saves more passes than it costs.
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

# Smallest pivot of an independent centre, relative to the largest k(c, c).
_MIN_RELATIVE_PIVOT = {np.dtype(np.float64): 1e-9, np.dtype(np.float32): 1e-5}

# The preconditioner uses at most 4 rows per centre, and at most 1 of 16 rows.
_ROWS_PER_CENTER, _MIN_SAMPLING_RATIO = 4, 16
_BLOCK_BYTES = 32 << 20  # for kernel values of these rows


class CenterFit(NamedTuple):
    """The independent centres, their weights, and the number of iterations."""

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
    """Fit the weights of the centres to targets (n, outputs)."""
    double = centers.astype(np.float64, copy=False)
    K = checked_kernel_matrix(owner, kernel, double)
    kept, T = _independent_centers(owner, K, _MIN_RELATIVE_PIVOT[X.dtype])
    K, centers = K[np.ix_(kept, kept)], centers[kept]
    n, M = X.shape[0], len(K)
    count = min(_ROWS_PER_CENTER * M, n // _MIN_SAMPLING_RATIO)
    if count > M:
        drawn = np.sort(stream(0).choice(n, count, replace=False))
        drawn_weights = None if weights is None else weights[drawn]
        inner = _normal_matrix(owner, kernel, X[drawn], drawn_weights, centers, T)
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

        def multiply_block(rows: slice, block: Matrix) -> Floats:
            fitted = block @ a  # in float64, so that every iteration uses the same matrix
            if weights is not None:
                fitted *= weights[rows, None]
            return np.asarray(block.T @ fitted)

        return sum_over_blocks(multiply_block)

    def sum_over_blocks(part: Callable[[slice, Matrix], Floats]) -> Floats:
        return sum(map_kernel_rows(owner, kernel, X, centers, part), np.zeros((M, Y.shape[1])))

    def weighted_targets(rows: slice, block: Matrix) -> Floats:
        weighted = Y[rows] if weights is None else Y[rows] * weights[rows, None]
        return np.asarray(block.T @ weighted)

    right = sum_over_blocks(weighted_targets)
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
            f"{owner}: did not converge: the relative residual is {worst:.2g} after "
            f"max_iter={max_iter} iterations; raise max_iter, tol or alpha.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    return CenterFit(centers, unpreconditioned(beta), max(1, n_iter))


def _normal_matrix(
    owner: str, kernel: Kernel, X: Data, weights: Weights | None, centers: Data, T: Floats
) -> Floats:
    """Return the upper triangle of T'^-1 K' W K T^-1, K the kernel between rows and centres."""
    out = np.zeros(T.shape, order="F")
    for rows in row_blocks(X.shape[0], len(T), tile_bytes=_BLOCK_BYTES):
        K = checked_kernel_matrix(owner, kernel, X[rows], centers).astype(np.float64, copy=False)
        if weights is not None:
            K *= np.sqrt(weights[rows, None])
        divide_by_upper(T, K.T)
        add_gram(out, K.T)
    return out.T


def _independent_centers(owner: str, K: Floats, least: float) -> tuple[RowNumbers, Floats]:
    """Return linearly independent centres, and the upper Cholesky factor of their kernel matrix.

    Pivoted Cholesky stops before pivots that are small relative to the first.
    """
    root, pivots, rank, _ = lapack.dpstrf(K, tol=least * float(np.diag(K).max()))
    if np.diag(K).min() < 0 or rank < 1:
        raise DataError(
            f"{owner}: the kernel matrix of the centres is not positive semidefinite; use another "
            "kernel (see gramian.kernels.check_kernel), or solver='dual'."
        )
    return pivots[:rank] - 1, np.asfortranarray(np.triu(root[:rank, :rank]))
