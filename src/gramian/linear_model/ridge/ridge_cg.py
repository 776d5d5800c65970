"""Ridge by conjugate gradients, with products of X only; all targets at once.

With fewer rows than columns the unknowns are those of the dual problem, one per row:
(AA' + alpha I) a = y, c = A'a, A the centred rows. Both systems are scaled by their diagonals
(Jacobi), which helps where columns, or rows, are of different lengths; without a penalty, or with
one below rounding, they are not: then all steps are combinations of rows, and of many solutions
the shortest is found.
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
from gramian.linear_model.least_squares.krylov import stacked
from gramian.linear_model.ridge.ridge_problem import Fit, RidgeProblem, with_intercept

_FAR = 1e4  # squared length of the mean, in variances, beyond which differences lose digits
_FEWEST = 10  # iterations that conjugate gradients of some use take
_NEEDLESS = 10  # iterations per unknown before a warning, unless max_iter is given
# Seconds, about: per multiplication of a Gram matrix and its factor, per entry of these; per stored
# number and target of a product, per entry of a vector and target, per iteration.
_MULTIPLIED, _FACTORED = 2.5e-11, 3e-8
_STORED, _ENTRY, _ITERATION = 1.2e-9, 1e-8, 6e-5

_Map: TypeAlias = Callable[[Floats], Floats]
_Product: TypeAlias = Callable[[Floats, Vector], Floats]


class System(NamedTuple):
    """A positive definite system for each target, with right-hand sides and a way back.

    Attributes
    ----------
    product
        From columns V and the alpha of each to the matrix times V.
    right
        Right-hand sides, (unknowns, targets).
    diagonal
        Of the matrix, (unknowns, targets).
    coefficients
        From solutions to coefficients, (columns of X, targets).
    """

    product: _Product
    right: Floats
    diagonal: Floats
    coefficients: _Map


def by_conjugate_gradients(
    rows: Rows, problem: RidgeProblem, tol: float, max_iter: int | None, owner: str
) -> Fit:
    """Solve (X'WX + alpha P) c = X'Wy, with a warning where `max_iter` is not enough."""
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
    X, Y, w = stacked(rows)
    weights = np.ones(len(Y)) if w is None else w
    d = rows.n_features
    if problem.has_bias_column:
        ones = np.ones((len(Y), 1))
        X = sp.csr_array(sp.hstack([X, ones])) if is_sparse(X) else np.hstack([X, ones])
    means = np.zeros(X.shape[1] + rows.n_targets)
    if problem.centred:
        total = weights.sum()
        means = np.concatenate([X.T @ weights, Y.T @ weights]) / total
    mean, off = means[: X.shape[1]], Y - means[X.shape[1] :]
    lengths = _squares(X).T @ weights  # of the columns
    spread = lengths.sum() - weights.sum() * (mean @ mean)
    near = weights.sum() * (mean @ mean) <= _FAR * spread
    plain = problem.penalty is None and bool(problem.alpha.all())
    if plain and near and X.shape[0] < X.shape[1] and is_sparse(X):
        system = _dual(X, off, weights, mean, problem.alpha)
    else:
        P = None if problem.penalty is None else problem.matrix(d)
        lengths = np.maximum(lengths - weights.sum() * mean**2, 0.0)
        system = _primal(X, off, weights, mean, lengths, P, problem.alpha)
    solution, n_iter, solved = solve(system, problem.alpha, tol, max_iter)
    coef = system.coefficients(solution)
    model = np.empty((rows.n_targets, d + 1))
    for t in range(rows.n_targets):
        model[t] = with_intercept(coef[:, t], means, t, problem)
    return Fit(model, "sparse_cg", n_iter), solved


def worthwhile_iterations(X: sp.csr_array, n_targets: int) -> int:
    """Return for how many iterations conjugate gradients cost less than a direct solution.

    0 where these are too few to be of use.
    """
    n, d = X.shape
    small = min(n, d)
    factor = small**3 + (n * n * d if n < d else 0)  # the dual Gram matrix is made of dense rows
    iteration = _ITERATION + n_targets * (_STORED * 2 * X.nnz + _ENTRY * 4 * small)
    allowed = int((_MULTIPLIED * factor + _FACTORED * small**2) / iteration)
    return allowed if allowed >= _FEWEST else 0


def solve(
    system: System, alpha: Vector, tol: float, max_iter: int | None
) -> tuple[Floats, Matrix, bool]:
    """Return the solutions, the iterations of each, and whether all residuals are small."""
    unknowns, targets = system.right.shape
    most = _NEEDLESS * unknowns if max_iter is None else max_iter
    found = np.zeros((unknowns, targets))
    n_iter = np.zeros(targets, dtype=np.int64)
    goal = tol * np.sqrt(_dots(system.right, system.right))
    felt = alpha > np.finfo(np.float64).eps * system.diagonal.max(axis=0, initial=0.0)
    scale = np.where((system.diagonal > 0) & felt, system.diagonal, 1.0)
    left = np.arange(targets)  # the targets not yet solved
    C, R = found.copy(), system.right.copy()
    Z = R / scale
    P, fall = Z, _dots(R, Z)
    for iteration in range(most + 1):
        finished = np.sqrt(_dots(R, R)) <= goal[left]
        n_iter[left] = iteration
        if finished.any():
            found[:, left[finished]] = C[:, finished]
            on = ~finished
            left, scale, C, R, P, fall = (
                left[on], scale[:, on], C[:, on], R[:, on], P[:, on], fall[on]
            )  # fmt: skip
        if not len(left) or iteration == most:
            break
        image = system.product(P, alpha[left])
        curvature = _dots(P, image)
        if not (curvature > 0).all():  # rounding alone is left
            break
        step = fall / curvature
        C += step * P
        image *= step
        R -= image
        Z = R / scale
        fall, before = _dots(R, Z), fall
        P = Z + (fall / before) * P
    found[:, left] = C
    return found, n_iter, not len(left)


def _primal(
    X: Data,
    off: Floats,
    weights: Vector,
    mean: Vector,
    lengths: Vector,
    penalty: Matrix | None,
    alpha: Vector,
) -> System:
    """Return (A'WA + alpha P) c = A'Wy, A the rows about their mean."""
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
        product, back(w * off), lengths[:, None] + np.outer(own, alpha), lambda solution: solution
    )


def _dual(X: sp.csr_array, off: Floats, weights: Vector, mean: Vector, alpha: Vector) -> System:
    """Return (AA' + alpha I) a = y with A the rows about their mean times the root of w.

    A A' = D (XX' - u 1' - 1 u' + m'm 11') D, u = Xm: no vector has an entry per column but X'Da.
    """
    root = np.sqrt(weights)[:, None]
    forward, backward = _products(X)
    along = X @ mean
    square = float(mean @ mean)

    def product(V: Floats, alpha: Vector) -> Floats:
        scaled = root * V
        sums = scaled.sum(axis=0)
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
    return System(product, root * off, np.maximum(lengths, 0.0)[:, None] + alpha, coefficients)


def _products(X: Data) -> tuple[_Map, _Map]:
    """Return the functions V -> XV and U -> X'U; of sparse rows quick for a single column."""
    if not is_sparse(X) or X.dtype != np.float64:
        return partial(times, X), partial(transposed_times, X)
    flipped = X.T

    def forward(V: Floats) -> Floats:
        return (X @ V[:, 0])[:, None] if V.shape[1] == 1 else times(X, V)

    def backward(U: Floats) -> Floats:
        product: Floats = (flipped @ U[:, 0])[:, None] if U.shape[1] == 1 else flipped @ U
        return product

    return forward, backward


def _squares(X: Data) -> Data:
    """Return the squares of all numbers."""
    if not is_sparse(X):
        return np.square(X, dtype=np.float64)
    return sp.csr_array((np.square(X.data, dtype=np.float64), X.indices, X.indptr), shape=X.shape)


def _dots(A: Floats, B: Floats) -> Vector:
    """Return the inner products of columns."""
    if A.shape[1] == 1:
        return np.array([A[:, 0] @ B[:, 0]])
    return np.asarray(np.einsum("ij,ij->j", A, B))
