"""Penalised least squares: the solvers behind Ridge.

Minimises, for each target,

    sum_i w_i (y_i - b - x_i'c)^2 + alpha c'Pc                       P = I: ridge

whose minimiser solves (X'WX + alpha P) c = X'Wy (Tikhonov; Hoerl and Kennard 1970). An unpenalised
intercept is handled by centring; a penalised one is a column of ones with its own 1 in P. Solvers:

  cholesky   The Gram matrix in one pass and a Cholesky factor, refined if the condition requires
           it (see `gramian.linear_model.least_squares.least_squares`).
  dual       Fewer rows than columns: (XX' + alpha I) a = y, c = X'a, an n x n system.
  qr         R of the columns, stacked on a root of the penalty; least norm when singular.
  sparse_cg  Sparse rows: conjugate gradients, for very many columns, or if they reach `tol` sooner
           than a direct solver would finish.
"""

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from scipy.linalg.lapack import dpocon

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.runtime import lapack
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.krylov import too_wide
from gramian.linear_model.least_squares.least_squares import least_squares
from gramian.linear_model.least_squares.refinement import refine
from gramian.linear_model.ridge.ridge_cg import (
    affordable_iterations,
    by_conjugate_gradients,
    conjugate_gradients,
)
from gramian.linear_model.ridge.ridge_dual import by_dual
from gramian.linear_model.ridge.ridge_problem import Fit, RidgeProblem, moments, with_intercept
from gramian.linear_model.ridge.ridge_qr import by_qr

_REFINE_ABOVE = 32.0
_CHOLESKY_BELOW = 1e6


def tikhonov(
    rows: Rows,
    problem: RidgeProblem,
    *,
    solver: str = "auto",
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int | None = None,
    owner: str = "Ridge",
) -> Fit:
    """Minimise by the requested solver, or choose one by shape and condition number."""
    first = rows.first().X
    if positive:
        return Fit(by_qr(rows, problem, positive=True), "nnls")
    if solver in ("sparse_cg", "lsqr") or (sp.issparse(first) and too_wide(first)):
        return by_conjugate_gradients(rows, problem, tol, max_iter, owner)
    if solver == "svd":
        return Fit(by_qr(rows, problem), "svd")
    if not problem.alpha.any() and not problem.has_bias_column:
        plain = least_squares(rows, fit_intercept=problem.fit_intercept, owner=owner)
        return Fit(np.column_stack([plain.coef, plain.intercept]), plain.solver)
    identity = problem.penalty is None and bool(problem.alpha.all())
    if solver != "cholesky" and identity and rows.in_memory and sp.issparse(first):
        iterations = affordable_iterations(first, rows.n_targets)
        if iterations:
            fit, solved = conjugate_gradients(
                rows, problem, tol, min(iterations, max_iter or iterations)
            )
            if solved:
                return fit
    double = sp.issparse(first) or first.dtype != np.float32
    underdetermined = not rows.distributed and rows.n_features > _count_rows(rows)
    if underdetermined and identity:
        return Fit(by_dual(rows, problem), "dual")
    summary = rows.summarise(double=double, shifted=problem.centred)
    with one_blas_thread():
        return _by_cholesky(rows, problem, summary, double)


def from_summary(summary: Summary, problem: RidgeProblem) -> Matrix:
    """Minimise from the Gram matrix alone; least norm if it is singular."""
    gram, cross, means = moments(summary, problem)
    P = problem.matrix(summary.n_features)
    model = np.empty((summary.n_targets, summary.n_features + 1))
    for t, alpha in enumerate(problem.alpha):
        values, vectors = lapack.eigh(gram + alpha * P)
        kept = values > 1e-14 * values.max(initial=0)
        inverse = vectors[:, kept] / np.sqrt(values[kept])
        model[t] = with_intercept(inverse @ (inverse.T @ cross[:, t]), means, t, problem)
    return model


def _count_rows(rows: Rows) -> int:
    """Return the number of rows, at most d."""
    count = 0
    for _, Y, _ in rows.chunks():
        count += len(Y)
        if count >= rows.n_features:
            break
    return count


def _by_cholesky(rows: Rows, problem: RidgeProblem, summary: Summary, double: bool) -> Fit:
    gram, cross, means = moments(summary, problem)
    P = problem.matrix(rows.n_features)
    model = np.empty((rows.n_targets, rows.n_features + 1))
    solver = "cholesky"
    for alpha in np.unique(problem.alpha):
        targets = np.flatnonzero(problem.alpha == alpha)
        inverse, condition = _inverse_root(gram + alpha * P)
        if not double and condition > _REFINE_ABOVE:
            again = rows.summarise(shifted=problem.centred)
            return _by_cholesky(rows, problem, again, double=True)
        if inverse is None or condition > _CHOLESKY_BELOW:
            return Fit(by_qr(rows, problem), "qr")
        coef = cross[:, targets].T @ inverse @ inverse.T
        for t, c in zip(targets, coef, strict=True):
            model[t] = with_intercept(c, means, t, problem)
        if double and condition <= _REFINE_ABOVE:
            continue
        change = _correction(inverse, means, summary.weight, problem)
        model[targets], _ = refine(
            rows.of_targets(targets),
            model[targets],
            change,
            penalty=_penalty_gradient(alpha, P, problem),
            extended=double,
        )
        solver = "cholesky, refined"
    return Fit(model, solver)


def _inverse_root(M: Matrix) -> tuple[Matrix | None, float]:
    """Return F with F F' = M^-1 and the root of M's condition, its diagonal scaled to 1."""
    length = np.sqrt(np.clip(np.diag(M), 0, None))
    if not np.all(np.isfinite(M)) or np.any(length <= 1e-140):
        return None, np.inf
    scaled = M / np.outer(length, length)
    root, info = lapack.cholesky(scaled)
    if info != 0:
        return None, np.inf
    rcond, _ = dpocon(root, np.abs(scaled).sum(axis=0).max(), uplo="L")
    inverse: Matrix = (lapack.inverse_of_lower(root) / length).T
    return inverse, float(np.sqrt(1 / rcond)) if rcond > 0 else np.inf


def _correction(
    inverse: Matrix, means: Vector, weight: float, problem: RidgeProblem
) -> Callable[[Matrix], Matrix]:
    """Return the function that maps a gradient (m, d + 1) to an update of the model."""

    def change(gradient: Matrix) -> Matrix:
        if problem.has_bias_column:
            return gradient @ inverse @ inverse.T
        d = len(inverse)
        centred = gradient[:, :d] - np.outer(gradient[:, d], means[:d])
        coef = centred @ inverse @ inverse.T
        bias = gradient[:, d] / weight - coef @ means[:d] if problem.centred else 0 * coef[:, 0]
        return np.column_stack([coef, bias])

    return change


def _penalty_gradient(alpha: float, P: Matrix, problem: RidgeProblem) -> Callable[[Matrix], Matrix]:
    """Return half the gradient of the penalty, as a function of the model."""
    if problem.has_bias_column:
        return lambda model: alpha * model @ P
    return lambda model: np.column_stack([alpha * model[:, :-1] @ P, np.zeros(len(model))])
