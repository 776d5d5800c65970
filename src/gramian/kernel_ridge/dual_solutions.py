"""Solutions of (K + alpha I) a = y: by Cholesky, for many penalties at once, or of least norm."""

import warnings
from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError
from gramian.base.runtime.lapack import cholesky, eigh, solve_by_cholesky
from gramian.base.types import Floats
from gramian.kernel_ridge.banded_form import banded_form

_MANY = 6  # different penalties from which one reduction is cheaper than that many factors


def solve_dual(owner: str, K: Floats, Y: Floats, alphas: Floats) -> Floats:
    """Return a of each target's penalty; K, whose diagonal is changed, and Y are float64."""
    solution = np.empty_like(Y)
    different = np.unique(alphas)
    form = banded_form(K) if len(different) >= _MANY else None
    diagonal = np.diag(K).copy()
    for alpha in different:
        columns = alphas == alpha
        if form is not None:
            try:
                solution[:, columns] = form.solve(Y[:, columns], float(alpha))[0]
                continue
            except np.linalg.LinAlgError:
                pass
        K.flat[:: len(K) + 1] = diagonal + alpha
        root, failed = cholesky(K)
        if failed or _is_singular(root):
            solution[:, columns] = _least_norm(owner, K, Y[:, columns], float(alpha))
        else:
            solution[:, columns] = solve_by_cholesky(root, Y[:, columns])
    return solution


def _is_singular(root: Floats) -> bool:
    sizes = np.abs(np.diag(root))
    return bool(sizes.min() < 10 * np.finfo(np.float64).eps * len(root) * sizes.max())


def _least_norm(owner: str, A: Floats, Y: Floats, alpha: float) -> Floats:
    values, vectors = eigh(A)
    size = float(np.abs(values).max())
    if size == 0:
        return np.zeros_like(Y)
    kept = np.abs(values) > len(A) * np.finfo(np.float64).eps * size
    warnings.warn(
        f"{owner}: K + alpha I is singular or not positive definite for alpha={alpha:g} (its "
        f"smallest eigenvalue is {values[0]:.3g}); the solution of least squares is used. Raise "
        "alpha, or check the kernel (gramian.kernels.check_kernel).",
        ConvergenceWarning,
        stacklevel=4,
    )
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=kept)
    return np.asarray(vectors @ (inverse[:, None] * (vectors.T @ Y)))


class LeftOut(NamedTuple):
    """Residuals of left-out rows (n, targets, alphas), and a of each (alphas, n, targets)."""

    residuals: Floats
    solutions: Floats


def leave_one_out(owner: str, K: Floats, Y: Floats, alphas: Floats) -> LeftOut:
    """Leave out each row in turn, for every penalty, from one reduction of K.

    The residual of a left-out row is a_i / [(K + alpha I)^-1]_ii.
    """
    form = banded_form(K)
    residuals, solutions = np.empty((*Y.shape, len(alphas))), np.empty((len(alphas), *Y.shape))
    for i, alpha in enumerate(alphas):
        try:
            solutions[i], diagonal = form.solve(Y, float(alpha))
        except np.linalg.LinAlgError:
            raise DataError(
                f"{owner}: K + alpha I is not positive definite for alpha={alpha:g}; raise the "
                "smallest of alphas, or check the kernel (gramian.kernels.check_kernel)."
            ) from None
        residuals[:, :, i] = solutions[i] / diagonal[:, None]
    return LeftOut(residuals, solutions)
