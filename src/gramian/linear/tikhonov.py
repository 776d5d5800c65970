"""Penalised least squares: the solvers behind Ridge.

Minimises, for each target,

    sum_i w_i (y_i - b - x_i'c)^2 + alpha c'Pc                       P = I: ridge

whose minimiser solves (X'WX + alpha P) c = X'Wy (Tikhonov; Hoerl and Kennard 1970). An
unpenalised intercept is dealt with by centring; a penalised one is a column of ones with its
own 1 in P. Routes:

  cholesky   The Gram matrix in one pass and a Cholesky factor, refined where the condition
             asks for it (see `gramian.linear.least_squares`).
  dual       Fewer rows than columns: (XX' + alpha I) a = y, c = X'a, an n x n system.
  qr         R of the columns, stacked on a root of the penalty; least norm when singular.
  sparse_cg  Sparse rows with very many columns: conjugate gradients by products alone.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.linalg import lapack
from scipy.sparse.linalg import LinearOperator, cg

from gramian.base.gate import Matrix
from gramian.linear.krylov import stacked, too_wide
from gramian.linear.least_squares import least_squares
from gramian.linear.non_negative import non_negative
from gramian.linear.orthogonal import scaled_root
from gramian.linear.refinement import refine
from gramian.linear.solution import RANK_TOLERANCE
from gramian.linear.summary import Chunk, Rows, Summary, Vector

_REFINE_ABOVE = 32.0
_CHOLESKY_BELOW = 1e6


@dataclass(frozen=True)
class Problem:
    """What is minimised, beside the rows: alpha of each target, and P or None for I."""

    alpha: Vector
    penalty: Matrix | None
    fit_intercept: bool
    penalise_intercept: bool

    @property
    def has_bias_column(self) -> bool:
        """Whether the intercept is one more penalised column, so that nothing is centred."""
        return self.fit_intercept and self.penalise_intercept

    @property
    def centred(self) -> bool:
        """Whether the columns are centred."""
        return self.fit_intercept and not self.penalise_intercept

    def matrix(self, d: int) -> Matrix:
        """Return P, with the bias's 1 where it is penalised."""
        P = np.eye(d) if self.penalty is None else self.penalty
        return scipy.linalg.block_diag(P, [[1.0]]) if self.has_bias_column else P


@dataclass(frozen=True)
class Fit:
    """The model (m, d + 1), intercept last; the route; the turns of an iterative one."""

    model: Matrix
    solver: str
    n_iter: Matrix | None = None


def tikhonov(
    rows: Rows,
    problem: Problem,
    *,
    solver: str = "auto",
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int | None = None,
    owner: str = "Ridge",
) -> Fit:
    """Minimise by the route that suits the shape and the condition, or the one asked for."""
    first, _, _ = next(rows.chunks())
    if positive:
        return Fit(_by_qr(rows, problem, positive=True), "nnls")
    if solver in ("sparse_cg", "lsqr") or (sp.issparse(first) and too_wide(first)):
        return _by_conjugate_gradients(rows, problem, tol, max_iter)
    if solver == "svd":
        return Fit(_by_qr(rows, problem), "svd")
    if not problem.alpha.any() and not problem.has_bias_column:
        plain = least_squares(rows, fit_intercept=problem.fit_intercept, owner=owner)
        return Fit(np.column_stack([plain.coef, plain.intercept]), plain.solver)
    wide = sp.issparse(first) or first.dtype != np.float32
    few = rows.n_features > _few_rows(rows)
    if few and problem.penalty is None and problem.alpha.all():
        return Fit(_by_dual(rows, problem), "dual")
    return _by_cholesky(rows, problem, rows.summarise(wide=wide, shifted=problem.centred), wide)


def from_summary(summary: Summary, problem: Problem) -> Matrix:
    """Minimise with nothing but the Gram matrix; where that is singular, of least norm."""
    gram, cross, means = _moments(summary, problem)
    P = problem.matrix(summary.n_features)
    model = np.empty((summary.n_targets, summary.n_features + 1))
    for t, alpha in enumerate(problem.alpha):
        values, vectors = scipy.linalg.eigh(gram + alpha * P, check_finite=False)
        kept = values > 1e-14 * values.max(initial=0)
        inverse = vectors[:, kept] / np.sqrt(values[kept])
        model[t] = _with_intercept(inverse @ (inverse.T @ cross[:, t]), means, t, problem)
    return model


def _few_rows(rows: Rows) -> int:
    """Return the number of rows, or d once they are not fewer."""
    count = 0
    for _, Y, _ in rows.chunks():
        count += len(Y)
        if count >= rows.n_features:
            break
    return count


def _moments(summary: Summary, problem: Problem) -> tuple[Matrix, Matrix, Vector]:
    """Return A'WA, A'WY for the columns that are penalised, and the means taken off."""
    d = summary.n_features
    if problem.centred:
        products = summary.centred()
        return products[:d, :d], products[:d, d:], summary.means
    about_zero = summary.about(np.zeros_like(summary.shift)).gram
    columns = [*range(d), len(about_zero) - 1] if problem.has_bias_column else [*range(d)]
    nothing = np.zeros_like(summary.shift)
    return about_zero[np.ix_(columns, columns)], about_zero[columns, d:-1], nothing


def _with_intercept(coef: Vector, means: Vector, target: Any, problem: Problem) -> Vector:
    """Return (c, b) from what was solved for."""
    if problem.has_bias_column:
        return coef
    d = len(coef)
    bias = means[d + target] - coef @ means[:d] if problem.centred else 0.0
    return np.append(coef, bias)


def _by_cholesky(rows: Rows, problem: Problem, summary: Summary, wide: bool) -> Fit:
    gram, cross, means = _moments(summary, problem)
    P = problem.matrix(rows.n_features)
    model = np.empty((rows.n_targets, rows.n_features + 1))
    solver = "cholesky"
    for alpha in np.unique(problem.alpha):
        targets = np.flatnonzero(problem.alpha == alpha)
        inverse, condition = _inverse_root(gram + alpha * P)
        if not wide and condition > _REFINE_ABOVE:
            again = rows.summarise(shifted=problem.centred)
            return _by_cholesky(rows, problem, again, wide=True)
        if inverse is None or condition > _CHOLESKY_BELOW:
            return Fit(_by_qr(rows, problem), "qr")
        coef = cross[:, targets].T @ inverse @ inverse.T
        for t, c in zip(targets, coef, strict=True):
            model[t] = _with_intercept(c, means, t, problem)
        if wide and condition <= _REFINE_ABOVE:
            continue
        change = _correction(inverse, means, summary.weight, problem)
        part = Rows(_targets_of(rows, targets), rows.n_features, len(targets))
        model[targets], _ = refine(
            part, model[targets], change, penalty=_pull(alpha, P, problem), extended=wide
        )
        solver = "cholesky, refined"
    return Fit(model, solver)


def _targets_of(rows: Rows, targets: Matrix) -> Callable[[], Iterator[Chunk]]:
    if len(targets) == rows.n_targets:
        return rows.chunks
    return lambda: ((X, np.ascontiguousarray(Y[:, targets]), w) for X, Y, w in rows.chunks())


def _inverse_root(M: Matrix) -> tuple[Matrix | None, float]:
    """Return F with F F' = M^-1 and the root of M's condition, its diagonal scaled to 1."""
    length = np.sqrt(np.clip(np.diag(M), 0, None))
    if not np.all(np.isfinite(M)) or np.any(length <= 1e-140):
        return None, np.inf
    scaled = M / np.outer(length, length)
    root, info = lapack.dpotrf(scaled, lower=1, clean=1)
    if info != 0:
        return None, np.inf
    rcond, _ = lapack.dpocon(root, np.abs(scaled).sum(axis=0).max(), uplo="L")
    inverse: Matrix = (lapack.dtrtri(root, lower=1)[0] / length).T
    return inverse, float(np.sqrt(1 / rcond)) if rcond > 0 else np.inf


def _correction(
    inverse: Matrix, means: Vector, weight: float, problem: Problem
) -> Callable[[Matrix], Matrix]:
    """Return what turns a gradient (m, d + 1) into a change of the model."""

    def change(gradient: Matrix) -> Matrix:
        if problem.has_bias_column:
            return gradient @ inverse @ inverse.T
        d = len(inverse)
        centred = gradient[:, :d] - np.outer(gradient[:, d], means[:d])
        coef = centred @ inverse @ inverse.T
        bias = gradient[:, d] / weight - coef @ means[:d] if problem.centred else 0 * coef[:, 0]
        return np.column_stack([coef, bias])

    return change


def _pull(alpha: float, P: Matrix, problem: Problem) -> Callable[[Matrix], Matrix]:
    """Return the gradient of the penalty, half of it, as a function of the model."""
    if problem.has_bias_column:
        return lambda model: alpha * model @ P
    return lambda model: np.column_stack([alpha * model[:, :-1] @ P, np.zeros(len(model))])


def _by_qr(rows: Rows, problem: Problem, *, positive: bool = False) -> Matrix:
    """Solve through the singular values of R stacked on a root of alpha P, columns scaled."""
    d, one = rows.n_features, int(problem.fit_intercept)
    R, power, means = scaled_root(rows, ones=problem.fit_intercept, shifted=problem.centred)
    if problem.has_bias_column:  # the columns of R are 1, X, Y: the ones move to the end
        order = np.r_[1 : d + 1, 0]
        left, right = R[: d + 1, order], R[: d + 1, d + 1 :]
        scale = np.append(power[:d], 1.0)
    else:
        left, right = R[one : one + d, one : one + d], R[one : one + d, one + d :]
        scale = power[:d]
    values, vectors = scipy.linalg.eigh(problem.matrix(d))
    penalty_root = np.sqrt(np.clip(values, 0, None))[:, None] * vectors.T
    model = np.empty((rows.n_targets, d + 1))
    for t, alpha in enumerate(problem.alpha):
        both = np.vstack([left, np.sqrt(alpha) * penalty_root * scale])
        target = np.append(right[:, t], np.zeros(len(penalty_root)))
        if not positive:
            coef = _least_norm(both, target, scale)
        elif problem.has_bias_column:
            coef = _non_negative_but_bias(both, target, scale, np.sqrt(alpha))
        else:
            coef = non_negative(both, target, scale)
        model[t] = _with_intercept(coef * scale / power[d + t], means, t, problem)
    return model


def _non_negative_but_bias(A: Matrix, b: Vector, scale: Vector, pull: float) -> Vector:
    """Return c >= 0 except the last, which is the difference of two numbers >= 0."""
    minus = np.where(np.arange(len(A)) < len(A) - len(scale), -A[:, -1], 0.0)
    rows = np.column_stack([A, minus])
    last = np.append(np.zeros(A.shape[1]), pull)  # either part is penalised, so one is 0
    both = non_negative(np.vstack([rows, last]), np.append(b, 0.0), np.append(scale, 1.0))
    coef = both[:-1]
    coef[-1] -= both[-1]
    return coef


def _least_norm(A: Matrix, b: Vector, scale: Vector) -> Vector:
    """Return c that minimises |Ac - b|, of those the one of least |scale c|."""
    length = np.linalg.norm(A, axis=0)
    used = length > 0
    coef = np.zeros(A.shape[1])
    U, s, Vt = scipy.linalg.svd(A[:, used] / length[used], full_matrices=False)
    kept = s > RANK_TOLERANCE * s.max(initial=0)
    coef[used] = (Vt[kept].T @ ((U[:, kept].T @ b) / s[kept])) / length[used]
    if not kept.all():
        null = np.zeros((A.shape[1], int((~kept).sum())))
        null[used] = (Vt[~kept] / length[used]).T * scale[used, None]
        null = scipy.linalg.orth(null)
        coef = (coef * scale - null @ (null.T @ (coef * scale))) / scale
    return coef


def _by_dual(rows: Rows, problem: Problem) -> Matrix:
    """Solve for one number per row instead of one per column."""
    blocks = list(rows.blocks())
    X, Y = np.vstack([b[0] for b in blocks]), np.vstack([b[1] for b in blocks])
    w = np.concatenate([np.ones(len(b[1])) if b[2] is None else b[2] for b in blocks])
    if problem.has_bias_column:
        X = np.column_stack([X, np.ones(len(X))])
    means = np.zeros(X.shape[1] + Y.shape[1])
    if problem.centred:
        means = np.average(np.hstack([X, Y]), axis=0, weights=w)
    d = X.shape[1]
    root = np.sqrt(w)[:, None]
    A, B = (X - means[:d]) * root, (Y - means[d:]) * root
    kernel = A @ A.T
    model = np.empty((rows.n_targets, rows.n_features + 1))
    for t, alpha in enumerate(problem.alpha):
        dual = _solve_kernel(kernel + alpha * np.eye(len(A)), B[:, t])
        model[t] = _with_intercept(A.T @ dual, means, t, problem)
    return model


def _solve_kernel(K: Matrix, b: Vector) -> Vector:
    """Solve K a = b with one step of refinement; where K is singular, of least norm."""
    try:
        factor = scipy.linalg.cho_factor(K, check_finite=False)
    except scipy.linalg.LinAlgError:
        solution: Vector = scipy.linalg.lstsq(K, b, check_finite=False)[0]
        return solution
    a: Vector = scipy.linalg.cho_solve(factor, b, check_finite=False)
    a += scipy.linalg.cho_solve(factor, b - K @ a, check_finite=False)
    return a


def _by_conjugate_gradients(rows: Rows, problem: Problem, tol: float, max_iter: int | None) -> Fit:
    """Solve (X'WX + alpha P) c = X'Wy by products with X and P alone."""
    X, Y, w = stacked(rows)
    weights = np.ones(len(Y)) if w is None else w
    d = rows.n_features
    if problem.has_bias_column:
        ones = np.ones((len(Y), 1))
        X = sp.csr_array(sp.hstack([X, ones])) if sp.issparse(X) else np.hstack([X, ones])
    means = np.zeros(d + rows.n_targets)
    if problem.centred:
        total = weights.sum()
        means = np.concatenate([X.T @ weights, Y.T @ weights]) / total
    mean = means[:d] if not problem.has_bias_column else np.zeros(d + 1)
    P = sp.eye_array(X.shape[1]) if problem.penalty is None else problem.matrix(d)
    model = np.empty((rows.n_targets, d + 1))
    turns = np.zeros(rows.n_targets, dtype=np.int64)
    for t, alpha in enumerate(problem.alpha):

        def product(c: Vector, alpha: float = alpha) -> Vector:
            fitted = weights * (X @ c - mean @ c)
            change: Vector = X.T @ fitted - mean * fitted.sum() + alpha * (P @ c)
            return change

        def count(_: Vector, t: int = t) -> None:
            turns[t] += 1

        off = weights * (Y[:, t] - means[d + t])
        right = X.T @ off - mean * off.sum()
        operator = LinearOperator((X.shape[1],) * 2, matvec=product, dtype=np.float64)
        coef, _ = cg(operator, right, rtol=tol, maxiter=max_iter, callback=count)
        model[t] = _with_intercept(coef, means, t, problem)
    return Fit(model, "sparse_cg", turns)
