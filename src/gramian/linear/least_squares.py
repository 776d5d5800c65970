"""Linear least squares to the last digit that the data carry, by the cheapest route that can.

The minimiser of sum_i w_i (y_i - b - x_i'c)^2 solves the normal equations X'WX c = X'Wy of the
centred columns, whose condition is the square of X's. So the route depends on the condition:

  cholesky           The Gram matrix, made in one pass, columns scaled to unit length. LAPACK's
                     estimate from its Cholesky factor gives the condition kappa of X.
  cholesky, refined  Above kappa = 32 the error kappa^2 eps would show in the twelfth digit:
                     passes over the rows add the solution for the remaining residual, computed
                     in twice the working precision (Bjoerck 1967, Demmel et al. 2009).
  qr, refined        Above kappa = 500: R of the scaled columns by QR, block by block, instead
                     of the Cholesky factor; its error grows with kappa, not with its square.
  svd                Fewer rows than unknowns: the singular values of the centred rows.
  lsqr               Sparse rows with too many columns for a Gram matrix: Paige and Saunders'
                     bidiagonalisation, to the tolerance asked for.

A rank-deficient problem has many minimisers; the answer is always the one of least norm.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from scipy.linalg import LinAlgWarning, lapack
from scipy.optimize import nnls
from scipy.sparse.linalg import LinearOperator, lsqr

from gramian.base.gate import Data, Matrix
from gramian.linear.summary import Rows, Summary, Vector

EPS = float(np.finfo(np.float64).eps)
_REFINE_ABOVE = 32.0
_QR_ABOVE = 500.0
_WIDEN_ABOVE = 32.0  # products of float32 rows are then made in double
_WARN_ABOVE = 1e14
RANK_TOLERANCE = 32 * EPS  # of the scaled columns
_EXACT_FIT = 1e-6  # share of the variance left: below it y'y - c'X'y has lost its digits
_GRAM_COLUMNS = 5000  # sparse rows with more columns take LSQR
_SUMMARY_TOLERANCE = 1e-13  # of eigenvalues of a Gram matrix without its rows
_DENSE_VALUES = 10_000_000  # sparse rows made dense for an SVD hold at most so many


@dataclass(frozen=True)
class Solution:
    """A minimiser and what is known of it; coefficients are (m, d), one row per target."""

    coef: Matrix
    intercept: Vector
    rss: Vector
    weight: float
    n_rows: int
    rank: int | None
    singular: Vector | None
    condition: float
    solver: str
    inverse_gram: Matrix | None  # ((X, 1)'W(X, 1))^-1; None without full rank

    @classmethod
    def unknown(cls, summary: Summary, coef: Matrix) -> "Solution":
        """Return a solution of which only the shapes are known."""
        blank, nothing = np.full_like(coef, np.nan), np.full(len(coef), np.nan)
        return cls(
            blank, nothing, nothing, summary.weight, summary.n_rows, 0,
            np.zeros(summary.n_features), np.inf, "cholesky", None,
        )  # fmt: skip


@dataclass(frozen=True)
class Factor:
    """F with F F' = (X'WX)^+, X centred; the means of X; an orthonormal basis of X's null space."""

    inverse: Matrix
    means: Vector
    weight: float
    fit_intercept: bool
    null: Matrix | None = None

    def solve(self, gradient: Matrix) -> Matrix:
        """Return the change (m, d + 1) of the model that makes the gradient vanish."""
        centred = gradient[:, :-1] - np.outer(gradient[:, -1], self.means)
        coef = centred @ self.inverse @ self.inverse.T
        return self.model(coef, gradient[:, -1] / self.weight)

    def model(self, coef: Matrix, mean: Vector) -> Matrix:
        """Return (coef, intercept) of each target, of least norm, from the mean of y."""
        if self.null is not None:
            coef = coef - coef @ self.null @ self.null.T
        intercept = mean - coef @ self.means if self.fit_intercept else np.zeros(len(coef))
        return np.column_stack([coef, intercept])

    def inverse_gram(self) -> Matrix:
        """Return ((X, 1)'W(X, 1))^-1, without the last row where there is no intercept."""
        with np.errstate(over="ignore", invalid="ignore"):  # of columns too small to square
            inverse = self.inverse @ self.inverse.T
            if not self.fit_intercept:
                return inverse
            moved = -inverse @ self.means
            corner = 1 / self.weight + self.means @ inverse @ self.means
        return np.block([[inverse, moved[:, None]], [moved[None], np.array([[corner]])]])


def least_squares(
    rows: Rows, *, fit_intercept: bool, owner: str, positive: bool = False, tol: float = 1e-6
) -> Solution:
    """Minimise the weighted sum of squares by the route that the condition asks for."""
    first = next(rows.chunks())[0]
    if sp.issparse(first) and too_wide(first) and not positive:
        return _by_lsqr(rows, fit_intercept, tol)
    wide = sp.issparse(first) or first.dtype != np.float32
    summary = rows.summarise(wide=wide, shifted=fit_intercept)
    if summary.n_rows < summary.n_features + fit_intercept and not positive:
        return _by_svd(rows, summary, fit_intercept)
    solution, factor, digits_lost = _by_cholesky(summary, fit_intercept)
    if not wide and digits_lost > _WIDEN_ABOVE:
        wide, summary = True, rows.summarise(shifted=fit_intercept)
        solution, factor, digits_lost = _by_cholesky(summary, fit_intercept)
    if positive:
        return _non_negative(rows, summary, fit_intercept)
    if factor is None or digits_lost > _QR_ABOVE:
        solution, factor = by_qr(rows, summary, fit_intercept)
        if solution.condition > _WARN_ABOVE:
            _warn_of_condition(owner, solution)
    exact = np.any(solution.rss < _EXACT_FIT * np.diag(summary.gram)[summary.n_features : -1])
    if wide and digits_lost <= _REFINE_ABOVE and not exact:
        return solution
    return _refined(rows, solution, factor, extended=wide)


def from_summary(summary: Summary, *, fit_intercept: bool, owner: str) -> Solution:
    """Minimise with nothing but the Gram matrix: digits are lost with the condition's square."""
    solution, factor, digits_lost = _by_cholesky(summary, fit_intercept)
    if factor is not None and digits_lost < _SUMMARY_TOLERANCE**-0.5:
        return solution
    if summary.n_rows >= summary.n_features + fit_intercept:
        warnings.warn(
            f"{owner}: the columns are dependent as far as their Gram matrix can tell; the "
            "answer is the one of least norm. Use fit or fit_chunks, which pass over the rows "
            "again and keep more digits.",
            LinAlgWarning,
            stacklevel=3,
        )
    return _by_eigenvectors(summary, fit_intercept)


def moments(summary: Summary, fit_intercept: bool) -> tuple[Matrix, Matrix, Vector, Vector]:
    """Return X'WX, X'WY, the diagonal of Y'WY and the means of X and Y, all centred if asked."""
    d = summary.n_features
    with np.errstate(over="ignore", invalid="ignore"):  # squares too large go another way
        if fit_intercept:
            products, means = summary.centred(), summary.means
        else:
            about_zero = summary.about(np.zeros_like(summary.shift))
            products, means = about_zero.gram[:-1, :-1], np.zeros_like(summary.shift)
    return products[:d, :d], products[:d, d:], np.diag(products)[d:], means


def _by_cholesky(summary: Summary, fit_intercept: bool) -> tuple[Solution, Factor | None, float]:
    """Solve the normal equations of the columns scaled to unit length.

    The last number is the condition times what centring cancelled: how far the answer can be
    trusted. Without a factor the Gram matrix cannot tell the columns apart.
    """
    d = summary.n_features
    gram, cross, squares, means = moments(summary, fit_intercept)
    unknown = Solution.unknown(summary, cross.T)
    about_shift = np.diag(summary.gram)
    if not np.all(np.isfinite(summary.gram)):
        return unknown, None, np.inf
    length = np.sqrt(np.clip(np.diag(gram), 0, None))
    used = about_shift[:d] > 0  # a column equal to its shift throughout is constant
    # where no column is left, rows must tell constants from differences too small to square
    if not used.any() or np.any(length[used] <= 1e-140):
        return unknown, None, np.inf
    cancelled = np.max(np.sqrt(about_shift[:d][used]) / length[used], initial=1.0)
    scaled = gram[np.ix_(used, used)] / np.outer(length[used], length[used])
    root, info = lapack.dpotrf(scaled, lower=1, clean=1)
    if info != 0:
        return unknown, None, np.inf
    rcond, _ = lapack.dpocon(root, np.abs(scaled).sum(axis=0).max(initial=0), uplo="L")
    condition = float(np.sqrt(1 / rcond)) if rcond > 0 else np.inf
    inverse = np.zeros((d, int(used.sum())))
    inverse[used] = (lapack.dtrtri(root, lower=1)[0] / length[used]).T
    factor = Factor(inverse, means[:d], summary.weight, fit_intercept)
    coef = cross.T @ inverse @ inverse.T
    model = factor.model(coef, means[d:])
    eigenvalues = scipy.linalg.eigvalsh(gram, check_finite=False)[::-1]
    solution = replace(
        unknown,
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=np.clip(squares - np.einsum("td,dt->t", coef, cross), 0, None),
        rank=int(used.sum()),
        singular=np.sqrt(np.clip(eigenvalues, 0, None)),
        condition=condition,
        inverse_gram=factor.inverse_gram() if used.all() else None,
    )
    return solution, factor, condition * float(cancelled)


def by_qr(rows: Rows, summary: Summary, fit_intercept: bool) -> tuple[Solution, Factor]:
    """Solve through R of the columns scaled by powers of two, which rounds nothing."""
    d, one = rows.n_features, int(fit_intercept)
    R, power, means = scaled_root(rows, ones=fit_intercept, shifted=fit_intercept)
    weight = R[0, 0] ** 2 if fit_intercept else summary.weight
    centred, target = R[one : one + d, one : one + d], R[one : one + d, one + d :]
    length = np.linalg.norm(centred, axis=0)
    whole = np.linalg.norm(R[:, one : one + d], axis=0)
    used = length > RANK_TOLERANCE * whole
    lost = np.max(whole[used] / length[used], initial=1.0)  # digits that centring cancelled
    U, s, Vt = scipy.linalg.svd(
        centred[:, used] / length[used], full_matrices=False, check_finite=False
    )
    kept = s > RANK_TOLERANCE * lost * s.max(initial=0)
    inverse = np.zeros((d, int(kept.sum())))
    inverse[used] = (Vt[kept] / length[used] / s[kept, None]).T * power[:d][used, None]
    null = np.zeros((d, int((~kept).sum())))
    null[used] = (Vt[~kept] / length[used]).T * power[:d][used, None]
    factor = Factor(
        inverse, means[:d], weight, fit_intercept, None if kept.all() else scipy.linalg.orth(null)
    )
    coef = ((target / power[d:]).T @ U[:, kept]) @ inverse.T
    model = factor.model(coef, means[d:])
    condition = 1.0 if not len(s) else float(s[0] / s[-1]) if s[-1] > 0 else np.inf
    solution = replace(
        Solution.unknown(summary, coef),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=np.square(np.linalg.norm(R[one + d :, one + d :], axis=0) / power[d:]),
        weight=weight,
        rank=int(kept.sum()),
        singular=scipy.linalg.svdvals(centred / power[:d], check_finite=False),
        condition=condition,
        solver="qr",
        inverse_gram=factor.inverse_gram() if used.all() and kept.all() else None,
    )
    return solution, factor


def scaled_root(rows: Rows, *, ones: bool, shifted: bool) -> tuple[Matrix, Vector, Vector]:
    """Return R of the columns (1, X, Y), their scales, powers of two, and their means.

    With `shifted` a point near the data is taken off first, so that large means do not drown
    the columns' differences; means are zero where nothing is to be centred.
    """
    shift = rows.pilot() if shifted else np.zeros(rows.n_features + rows.n_targets)
    largest = rows.largest(shift)
    power = np.exp2(-np.floor(np.log2(np.where(largest > 0, largest, 1.0))))
    R = rows.root(shift, power, ones=ones)
    means = shift + R[0, 1:] / R[0, 0] / power if shifted else np.zeros(len(power))
    return R, power, means


def _by_svd(rows: Rows, summary: Summary, fit_intercept: bool) -> Solution:
    """Return the least-norm solution of fewer rows than unknowns."""
    blocks = list(rows.blocks())
    X, Y = np.vstack([b[0] for b in blocks]), np.vstack([b[1] for b in blocks])
    w = np.concatenate([np.ones(len(b[1])) if b[2] is None else b[2] for b in blocks])
    means, target_means = np.zeros(rows.n_features), np.zeros(rows.n_targets)
    if fit_intercept:
        means, target_means = np.average(X, axis=0, weights=w), np.average(Y, axis=0, weights=w)
    root = np.sqrt(w)[:, None]
    left, right = (X - means) * root, (Y - target_means) * root
    coef, _, rank, singular = scipy.linalg.lstsq(
        left, right, cond=EPS * max(X.shape), check_finite=False
    )
    model = Factor(np.zeros((0, 0)), means, 1.0, fit_intercept).model(coef.T, target_means)
    kept = singular[:rank]
    return replace(
        Solution.unknown(summary, coef.T),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=np.square(right - left @ coef).sum(axis=0),
        rank=int(rank),
        singular=singular,
        condition=float(kept[0] / kept[-1]) if rank else 1.0,
        solver="svd",
    )


def _by_eigenvectors(summary: Summary, fit_intercept: bool) -> Solution:
    """Return the least-norm solution that a Gram matrix alone can give."""
    d = summary.n_features
    gram, cross, squares, means = moments(summary, fit_intercept)
    values, vectors = scipy.linalg.eigh(gram, check_finite=False)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = values > _SUMMARY_TOLERANCE * values.max(initial=0)
    inverse = vectors[:, kept] / np.sqrt(values[kept])
    coef = cross.T @ inverse @ inverse.T
    model = Factor(inverse, means[:d], summary.weight, fit_intercept).model(coef, means[d:])
    return replace(
        Solution.unknown(summary, coef),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=np.clip(squares - np.einsum("td,dt->t", coef, cross), 0, None),
        rank=int(kept.sum()),
        singular=np.sqrt(np.clip(values, 0, None)),
        condition=float(np.sqrt(values[0] / values[kept][-1])) if kept.any() else 1.0,
        solver="eigh",
    )


def _by_lsqr(rows: Rows, fit_intercept: bool, tol: float) -> Solution:
    """Return the least-norm solution for sparse rows with very many columns, by products only."""
    X, Y, w = stacked(rows)
    weights = np.ones(len(Y)) if w is None else w
    total = weights.sum()
    means, target_means = np.zeros(rows.n_features), np.zeros(rows.n_targets)
    if fit_intercept:
        means, target_means = X.T @ weights / total, Y.T @ weights / total
    root = np.sqrt(weights)
    centred = LinearOperator(
        X.shape,
        matvec=lambda v: root * (X @ v.ravel() - means @ v.ravel()),
        rmatvec=lambda u: X.T @ (root * u.ravel()) - means * (root @ u.ravel()),
        dtype=np.float64,
    )
    right = (Y - target_means) * root[:, None]
    coef = np.array([lsqr(centred, target, atol=tol, btol=tol)[0] for target in right.T])
    model = Factor(np.zeros((0, 0)), means, 1.0, fit_intercept).model(coef, target_means)
    left_over = Y - X @ model[:, :-1].T - model[:, -1]
    return Solution(
        model[:, :-1], model[:, -1], weights @ np.square(left_over), float(total), len(Y),
        None, None, np.nan, "lsqr", None,
    )  # fmt: skip


def _non_negative(rows: Rows, summary: Summary, fit_intercept: bool) -> Solution:
    """Minimise over coefficients >= 0, by Lawson and Hanson's method on R in place of X."""
    d, one = rows.n_features, int(fit_intercept)
    R, power, means = scaled_root(rows, ones=fit_intercept, shifted=fit_intercept)
    left, right = R[one : one + d, one : one + d], R[one : one + d, one + d :]
    coef = np.array([non_negative(left, target, power[:d]) for target in right.T])
    coef = coef * power[:d] / power[d:, None]
    model = Factor(np.zeros((0, 0)), means[:d], 1.0, fit_intercept).model(coef, means[d:])
    _, rss = rows.residuals(model, np.zeros_like(model), extended=False)
    singular = scipy.linalg.svdvals(left / power[:d], check_finite=False)
    return replace(
        Solution.unknown(summary, coef),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=rss,
        rank=int(np.sum(singular > EPS * max(summary.n_rows, d) * singular.max(initial=0))),
        singular=singular,
        solver="nnls",
    )


def non_negative(A: Matrix, b: Vector, scale: Vector) -> Vector:
    """Minimise |A c - b| over c >= 0, by Lawson and Hanson's method; A's columns are scaled.

    Where they are dependent there are many minimisers: a slight penalty on scale * c, the
    coefficients in the given units, chooses the columns, so that the choice does not hang on
    the order of the rows, and least squares of least norm on those takes the penalty away.
    """
    s = scipy.linalg.svdvals(A, check_finite=False)
    if s[-1] > 1e-10 * s[0]:
        return np.asarray(nnls(A, b)[0])
    given = A / scale
    slight = 1e-4 * np.linalg.norm(given, 2) * np.diag(scale)
    penalised = np.asarray(nnls(np.vstack([A, slight]), np.append(b, np.zeros(len(slight))))[0])
    free = penalised > 0
    coef = np.zeros_like(penalised)
    if free.any():
        coef[free] = scipy.linalg.lstsq(given[:, free], b, check_finite=False)[0] / scale[free]
    better = np.linalg.norm(A @ coef - b) <= np.linalg.norm(A @ penalised - b)
    return coef if better and np.all(coef >= 0) else penalised


def _refined(rows: Rows, solution: Solution, factor: Factor, *, extended: bool) -> Solution:
    """Add the solution for the remaining residual until no digit changes."""
    model = np.column_stack([solution.coef, solution.intercept])
    model, rss = refine(rows, model, factor.solve, extended=extended)
    if factor.null is not None:
        means = model[:, -1] + model[:, :-1] @ factor.means
        model = factor.model(model[:, :-1], means)
    return replace(
        solution,
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=rss,
        solver=f"{solution.solver}, refined",
    )


def refine(
    rows: Rows,
    model: Matrix,
    solve: Callable[[Matrix], Matrix],
    *,
    penalty: Callable[[Matrix], Matrix] | None = None,
    extended: bool = True,
) -> tuple[Matrix, Vector]:
    """Refine (coef, intercept) of each target; return it with the sums of squares.

    A turn makes the gradient X'W(y - Xc) - Pc, and adds its solution to the model, which is
    carried as high + low while `extended`. It ends when no coefficient changes in its last
    digit, or a turn no longer halves the change. Without `extended` (float32 rows, condition
    below 32) the first turn takes an error of at most 1e-4 to 1e-7, which is enough.
    """
    low = np.zeros_like(model)
    last = np.inf
    rss = np.zeros(len(model))
    for _ in range(10 if extended else 1):
        gradient, rss = rows.residuals(model, low, extended=extended)
        if penalty is not None:
            gradient = gradient - penalty(model)
        change = solve(gradient)
        size = float(np.max(np.abs(change) / np.maximum(np.abs(model), np.finfo(float).tiny)))
        if not np.all(np.isfinite(change)) or size > last / 2:
            break
        total = model + (low + change)
        low = (model - total) + (low + change)
        model, last = total, size
        if size <= EPS / 2:
            break
    return model, rss


def stacked(rows: Rows) -> tuple[Data, Matrix, Vector | None]:
    """Return all rows together."""
    chunks = list(rows.chunks())
    tables = [c[0] for c in chunks]
    X = sp.csr_array(sp.vstack(tables)) if sp.issparse(tables[0]) else np.vstack(tables)
    weights = [np.ones(len(y)) if w is None else w for _, y, w in chunks]
    return (
        X,
        np.vstack([c[1] for c in chunks]),
        None if all(c[2] is None for c in chunks) else np.concatenate(weights),
    )


def too_wide(X: sp.csr_array) -> bool:
    """Tell whether sparse rows have too many columns for a Gram matrix and an SVD."""
    rows, columns = X.shape
    return bool(columns > _GRAM_COLUMNS and (rows > columns or rows * columns > _DENSE_VALUES))


def _warn_of_condition(owner: str, solution: Solution) -> None:
    warnings.warn(
        f"{owner}: the columns of X are nearly or exactly dependent (rank {solution.rank} of "
        f"{solution.coef.shape[1]}, scaled condition {solution.condition:.1e}, above "
        f"{_WARN_ABOVE:.0e}); few digits of single coefficients mean anything. Drop columns or "
        "use Ridge.",
        LinAlgWarning,
        stacklevel=4,
    )
