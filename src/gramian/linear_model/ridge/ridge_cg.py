"""Ridge by conjugate gradients, using only products with X, for all targets at once.

With fewer rows than columns the unknowns are those of the dual problem, one per row:
(AA' + alpha I) a = y, c = A'a, A the centred rows. Both systems are scaled by their diagonals
(Jacobi), which helps if columns, or rows, have different lengths. Without a penalty, or with a
negligible one, they are not scaled: then all steps are combinations of rows, and the solution has
the least norm.
"""

import warnings
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import caller_level
from gramian.base.rows.moments import Rows, Vector
from gramian.base.rows.table_products import times, transposed_times
from gramian.base.types import Data, Floats, Matrix, is_sparse
from gramian.linear_model.least_squares.krylov import stack_rows
from gramian.linear_model.ridge.ridge_problem import Fit, RidgeProblem, with_intercept

_MAX_OFFSET = 1e4  # squared mean over variance beyond which differences lose digits
_MIN_ITERATIONS = 10  # fewest iterations for which conjugate gradients are useful
_ITERATIONS_PER_UNKNOWN = 10  # default maximum number of iterations per unknown
# Approximate seconds: per multiplication in a Gram matrix and its factor, per entry of these; per
# stored value and target of a product, per entry of a vector and target, per iteration.
_PRODUCT_TIME, _FACTOR_TIME = 2.5e-11, 3e-8
_VALUE_TIME, _ENTRY_TIME, _ITERATION_TIME = 1.2e-9, 1e-8, 6e-5

_Map: TypeAlias = Callable[[Floats], Floats]
_Product: TypeAlias = Callable[[Floats, Vector], Floats]


class System(NamedTuple):
    """A positive definite linear system for each target.

    Attributes
    ----------
    product
        Maps columns V, and the alpha of each, to the matrix times V.
    right
        Right-hand sides, (unknowns, targets).
    diagonal
        Diagonal of the matrix, (unknowns, targets).
    coefficients
        Maps solutions to coefficients, (columns of X, targets).
    """

    product: _Product
    right: Floats
    diagonal: Floats
    coefficients: _Map


def by_conjugate_gradients(
    rows: Rows, problem: RidgeProblem, tol: float, max_iter: int | None, owner: str
) -> Fit:
    """Solve (X'WX + alpha P) c = X'Wy; warn if `max_iter` is reached."""
    fit, solved = conjugate_gradients(rows, problem, tol, max_iter)
    if not solved and fit.n_iter is not None:
        warnings.warn(
            f"{owner}: conjugate gradients did not reach a relative residual of tol={tol:g} in "
            f"{fit.n_iter.max()} iterations; raise max_iter, tol or alpha, or scale the columns.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    return fit


def conjugate_gradients(
    rows: Rows, problem: RidgeProblem, tol: float, max_iter: int | None
) -> tuple[Fit, bool]:
    """Return the fit and whether all relative residuals are at most `tol`."""
    X, Y, w = stack_rows(rows)
    weights = np.ones(len(Y)) if w is None else w
    d = rows.n_features
    if problem.has_bias_column:
        ones = np.ones((len(Y), 1))
        X = sp.csr_array(sp.hstack([X, ones])) if is_sparse(X) else np.hstack([X, ones])
    means = np.zeros(X.shape[1] + rows.n_targets)
    if problem.centred:
        total: float = weights.sum()
        means = np.concatenate([X.T @ weights, Y.T @ weights]) / total
    mean, targets = means[: X.shape[1]], Y - means[X.shape[1] :]
    lengths = _squares(X).T @ weights  # of the columns
    spread = lengths.sum() - weights.sum() * (mean @ mean)
    near = weights.sum() * (mean @ mean) <= _MAX_OFFSET * spread
    plain = problem.penalty is None and bool(problem.alpha.all())
    if plain and near and X.shape[0] < X.shape[1] and is_sparse(X):
        system = _dual(X, targets, weights, mean, problem.alpha)
    else:
        P = None if problem.penalty is None else problem.matrix(d)
        lengths = np.maximum(lengths - weights.sum() * mean**2, 0.0)
        system = _primal(X, targets, weights, mean, lengths, P, problem.alpha)
    solution, n_iter, solved = solve(system, problem.alpha, tol, max_iter)
    coef = system.coefficients(solution)
    model = np.empty((rows.n_targets, d + 1))
    for t in range(rows.n_targets):
        model[t] = with_intercept(coef[:, t], means, t, problem)
    return Fit(model, "sparse_cg", n_iter), solved


def affordable_iterations(X: sp.csr_array, n_targets: int) -> int:
    """Return how many iterations of conjugate gradients cost less than a direct solver.

    0 if they are too few to be useful.
    """
    n, d = X.shape
    small = min(n, d)
    factor = small**3 + (n * n * d if n < d else 0)  # the dual Gram matrix needs dense rows
    iteration = _ITERATION_TIME + n_targets * (_VALUE_TIME * 2 * X.nnz + _ENTRY_TIME * 4 * small)
    allowed = int((_PRODUCT_TIME * factor + _FACTOR_TIME * small**2) / iteration)
    return allowed if allowed >= _MIN_ITERATIONS else 0


def solve(
    system: System, alpha: Vector, tol: float, max_iter: int | None
) -> tuple[Floats, Matrix, bool]:
    """Return the solutions, the number of iterations of each, and whether all converged."""
    unknowns, n_targets = system.right.shape
    limit = _ITERATIONS_PER_UNKNOWN * unknowns if max_iter is None else max_iter
    found = np.zeros((unknowns, n_targets))
    n_iter = np.zeros(n_targets, dtype=np.int64)
    goal = tol * np.sqrt(_dots(system.right, system.right))
    penalised = alpha > np.finfo(np.float64).eps * system.diagonal.max(axis=0, initial=0.0)
    scale = np.where((system.diagonal > 0) & penalised, system.diagonal, 1.0)
    active = np.arange(n_targets)  # the targets not yet solved
    C, R = found.copy(), system.right.copy()
    Z = R / scale
    P, decrease = Z, _dots(R, Z)
    for iteration in range(limit + 1):
        finished = np.sqrt(_dots(R, R)) <= goal[active]
        n_iter[active] = iteration
        if finished.any():
            found[:, active[finished]] = C[:, finished]
            rest = ~finished
            active, scale, decrease = active[rest], scale[:, rest], decrease[rest]
            C, R, P = C[:, rest], R[:, rest], P[:, rest]
        if not len(active) or iteration == limit:
            break
        image = system.product(P, alpha[active])
        curvature = _dots(P, image)
        if not (curvature > 0).all():  # only rounding errors are left
            break
        step = decrease / curvature
        C += step * P
        image *= step
        R -= image
        Z = R / scale
        decrease, before = _dots(R, Z), decrease
        P = Z + (decrease / before) * P
    found[:, active] = C
    return found, n_iter, not len(active)


def _primal(
    X: Data,
    targets: Floats,
    weights: Vector,
    mean: Vector,
    lengths: Vector,
    penalty: Matrix | None,
    alpha: Vector,
) -> System:
    """Return the system (A'WA + alpha P) c = A'Wy, where the rows of A are centred."""
    w = weights[:, None]
    forward, backward = _products(X)

    def back(U: Floats) -> Floats:
        product = backward(U)
        if mean.any():
            product -= np.outer(mean, U.sum(axis=0))
        return product

    def product(V: Floats, alpha: Vector) -> Floats:
        fitted = forward(V)
        fitted -= mean @ V
        fitted *= w
        image = back(fitted)
        image += alpha * (V if penalty is None else penalty @ V)
        return image

    own = np.ones(len(lengths)) if penalty is None else np.diag(penalty)
    return System(
        product,
        back(w * targets),
        lengths[:, None] + np.outer(own, alpha),
        lambda solution: solution,
    )


def _dual(X: sp.csr_array, targets: Floats, weights: Vector, mean: Vector, alpha: Vector) -> System:
    """Return the system (AA' + alpha I) a = y; A has the centred rows times the root of w.

    A A' = D (XX' - u 1' - 1 u' + m'm 11') D, u = Xm: only X'Da has an entry per column.
    """
    root = np.sqrt(weights)[:, None]
    forward, backward = _products(X)
    along = X @ mean
    square = float(mean @ mean)

    def product(V: Floats, alpha: Vector) -> Floats:
        scaled = root * V
        sums: Floats = scaled.sum(axis=0)
        image = forward(backward(scaled))
        image -= np.outer(along, sums)
        image -= along @ scaled - square * sums
        image *= root
        image += alpha * V
        return image

    def coefficients(solution: Floats) -> Floats:
        scaled = root * solution
        return backward(scaled) - np.outer(mean, scaled.sum(axis=0))

    lengths = weights * (_squares(X).sum(axis=1) - 2 * along + square)
    return System(product, root * targets, np.maximum(lengths, 0.0)[:, None] + alpha, coefficients)


def _products(X: Data) -> tuple[_Map, _Map]:
    """Return the functions V -> XV and U -> X'U, with a fast path for one sparse column."""
    if not is_sparse(X) or X.dtype != np.float64:
        return partial(times, X), partial(transposed_times, X)
    transposed = X.T

    def forward(V: Floats) -> Floats:
        return (X @ V[:, 0])[:, None] if V.shape[1] == 1 else times(X, V)

    def backward(U: Floats) -> Floats:
        product: Floats = (transposed @ U[:, 0])[:, None] if U.shape[1] == 1 else transposed @ U
        return product

    return forward, backward


def _squares(X: Data) -> Data:
    """Return the elementwise squares."""
    if not is_sparse(X):
        return np.square(X, dtype=np.float64)
    return sp.csr_array((np.square(X.data, dtype=np.float64), X.indices, X.indptr), shape=X.shape)


def _dots(A: Floats, B: Floats) -> Vector:
    """Return the inner products of columns."""
    if A.shape[1] == 1:
        return np.array([A[:, 0] @ B[:, 0]])
    return np.asarray(np.einsum("ij,ij->j", A, B))
