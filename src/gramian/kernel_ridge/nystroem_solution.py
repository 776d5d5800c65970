"""Kernel ridge regression on some centres, for very many rows.

With centres c_1 .. c_M, f(x) = sum_j a_j k(c_j, x) minimises

    sum_i w_i (y_i - f(x_i))^2 + alpha a' K_MM a,

whose equations are (K_nM' W K_nM + alpha K_MM) a = K_nM' W y. They are solved by conjugate
gradients with the preconditioner B = T^-1 A^-1, T'T = K_MM, A'A = (n/M) T T' + alpha I, for which
a few iterations do (Falkon; Rudi, Carratino and Rosasco 2017). An iteration is one pass over the
rows whose tiles of K_nM are computed and forgotten: O(M^2 + tile) memory, O(n M d) operations.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import DataError
from gramian.base.runtime.lapack import cholesky
from gramian.base.types import Data, Floats, Weights
from gramian.kernels import Kernel
from gramian.kernels.matrix import checked_kernel_matrix, kernel_rows


class CenterFit(NamedTuple):
    """The weights of the centres, and the iterations made."""

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
    K = checked_kernel_matrix(owner, kernel, centers).astype(np.float64, copy=False)
    n, M = X.shape[0], len(K)
    T = _root(owner, K)
    total = float(n) if weights is None else float(weights.sum())
    inner = T @ T.T
    inner *= total / M
    inner.flat[:: M + 1] += alpha
    A = _root(owner, inner)

    def unpreconditioned(beta: Floats) -> Floats:
        return np.asarray(solve_triangular(T, solve_triangular(A, beta)))

    def preconditioned(v: Floats) -> Floats:
        return np.asarray(solve_triangular(A, solve_triangular(T, v, trans="T"), trans="T"))

    def normal_product(a: Floats) -> Floats:
        """Return (K_nM' W K_nM) a in one pass over the rows."""
        out = np.zeros((M, a.shape[1]))
        for rows, block in kernel_rows(owner, kernel, X, centers):
            fitted = block @ a.astype(block.dtype, copy=False)
            if weights is not None:
                fitted *= weights[rows, None].astype(block.dtype)
            out += block.T @ fitted
        return out

    right = np.zeros((M, Y.shape[1]))
    for rows, block in kernel_rows(owner, kernel, X, centers):
        weighted = Y[rows] if weights is None else Y[rows] * weights[rows, None]
        right += block.T @ weighted.astype(block.dtype, copy=False)
    residual = preconditioned(right)
    beta, direction = np.zeros_like(residual), residual.copy()
    size = start = np.einsum("ij,ij->j", residual, residual)
    n_iter = 0
    while n_iter < max_iter and (size > tol**2 * start).any():
        n_iter += 1
        a = unpreconditioned(direction)
        moved = preconditioned(normal_product(a) + alpha * (K @ a))
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
            stacklevel=4,
        )
    return CenterFit(unpreconditioned(beta), n_iter)


def _root(owner: str, A: Floats) -> Floats:
    """Return upper R with R'R = A + e I, e the least power of ten that makes it definite."""
    size = float(np.abs(np.diag(A)).mean()) or 1.0
    diagonal = np.diag(A).copy()
    B = A.copy()
    added = len(A) * np.finfo(np.float64).eps
    while added < 1.0:
        B.flat[:: len(A) + 1] = diagonal + added * size
        root, failed = cholesky(B, lower=False)
        if not failed:
            return root
        added *= 10
    raise DataError(
        f"{owner}: the kernel matrix of the centres is not positive semidefinite; use another "
        "kernel (see gramian.kernels.check_kernel), or solver='dual'."
    )
