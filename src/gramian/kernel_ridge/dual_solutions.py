"""Solutions of (K + alpha I) a = y, for one or many penalties; least norm if singular."""

import warnings
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, caller_level
from gramian.base.runtime.lapack import cholesky, eigh, solve_by_cholesky
from gramian.base.types import Floats
from gramian.kernel_ridge.banded_form import BandedForm, BandFactor, banded_form

_MIN_REDUCED_PENALTIES = 10  # from this number of penalties one reduction is cheaper than factors
_PENALTIES_AT_ONCE = 8  # penalties whose factors are in memory together


def solve_dual(owner: str, K: Floats, Y: Floats, alphas: Floats) -> Floats:
    """Return a for the penalty of each target; overwrites the diagonal of K."""
    solution = np.empty_like(Y)
    different = np.unique(alphas)
    solved = np.zeros(len(alphas), dtype=np.bool_)
    if len(different) >= _MIN_REDUCED_PENALTIES:
        solution, solved = _solve_banded(K, Y, alphas)
    diagonal = np.diag(K).copy()
    for alpha in np.unique(alphas[~solved]):
        columns = alphas == alpha
        K.flat[:: len(K) + 1] = diagonal + alpha
        root, failed = cholesky(K)
        if failed or _is_singular(root):
            solution[:, columns] = _least_norm(owner, K, Y[:, columns], float(alpha))
        else:
            solution[:, columns] = solve_by_cholesky(root, Y[:, columns])
    return solution


def _solve_banded(K: Floats, Y: Floats, alphas: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return a for the penalty of each target, and where K + alpha I is positive definite."""
    form = banded_form(K)
    rotated, solved = form.rotated(Y), np.ones(len(alphas), dtype=np.bool_)
    for alpha in np.unique(alphas):
        columns = alphas == alpha
        try:
            rotated[:, columns] = form.factor(float(alpha)).solve(rotated[:, columns])
        except np.linalg.LinAlgError:
            solved[columns] = False
    return form.rotated_back(rotated), solved


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
        f"smallest eigenvalue is {values[0]:.3g}); the least-squares solution is used. Raise "
        "alpha, or check the kernel (gramian.kernels.check_kernel).",
        ConvergenceWarning,
        stacklevel=caller_level(),
    )
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=kept)
    return np.asarray(vectors @ (inverse[:, None] * (vectors.T @ Y)))


class LeaveOneOutResult(NamedTuple):
    """Residuals of left-out rows (n, targets, alphas), and solutions (alphas, n, targets)."""

    residuals: Floats
    solutions: Floats


def leave_one_out(owner: str, K: Floats, Y: Floats, alphas: Floats) -> LeaveOneOutResult:
    """Leave out each row, for every penalty, from one reduction of K; overwrites K.

    The residual of a left-out row is a_i / [(K + alpha I)^-1]_ii.
    """
    form = banded_form(K, overwrite=True)
    rotated = form.rotated(Y)
    residuals, solutions = np.empty((*Y.shape, len(alphas))), np.empty((len(alphas), *Y.shape))
    for first in range(0, len(alphas), _PENALTIES_AT_ONCE):
        part = slice(first, first + _PENALTIES_AT_ONCE)
        factors = [_factor(owner, form, float(alpha)) for alpha in alphas[part]]
        found = form.rotated_back(np.hstack([factor.solve(rotated) for factor in factors]))
        solutions[part] = found.reshape(len(Y), len(factors), -1).swapaxes(0, 1)
        diagonals = form.inverse_diagonals(factors)
        residuals[:, :, part] = (solutions[part] / diagonals[:, :, None]).transpose(1, 2, 0)
    return LeaveOneOutResult(residuals, solutions)


def _factor(owner: str, form: BandedForm, alpha: float) -> BandFactor:
    try:
        return form.factor(alpha)
    except np.linalg.LinAlgError:
        raise DataError(
            f"{owner}: K + alpha I is not positive definite for alpha={alpha:g}; raise the "
            "smallest of alphas, or check the kernel (gramian.kernels.check_kernel)."
        ) from None
