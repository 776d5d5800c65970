"""Linear least squares to full accuracy, by the cheapest solver that achieves it.

The minimiser of sum_i w_i (y_i - b - x_i'c)^2 solves the normal equations X'WX c = X'Wy of the
centred columns, whose condition number is that of X squared. The condition number decides on the
solver:

  cholesky           The Gram matrix from one pass, columns scaled to unit length. LAPACK's
                     estimate from its Cholesky factor gives the condition kappa of X.
  cholesky, refined  Above kappa = 32 the error kappa^2 eps would show in the twelfth digit:
                     passes over the rows add the solution for the remaining residual, computed
                     in twice the working precision (Bjoerck 1967, Demmel et al. 2009).
  qr, refined        Above kappa = 500: R of the scaled columns by QR, block by block, instead
                     of the Cholesky factor; its error grows with kappa, not with its square.
  svd                Fewer rows than unknowns: the singular values of the centred rows.
  lsqr               Sparse rows with too many columns for a Gram matrix: Paige and Saunders'
                     bidiagonalisation, to the requested tolerance.

A rank-deficient problem has many minimisers; the solution is always the one of least norm.
"""

import warnings

import numpy as np
import scipy.sparse as sp
from scipy.linalg import LinAlgWarning

from gramian.base.errors import caller_level
from gramian.base.rows.moments import Rows, Summary
from gramian.linear_model.least_squares.krylov import by_lsqr, too_wide
from gramian.linear_model.least_squares.non_negative import by_non_negative
from gramian.linear_model.least_squares.normal_equations import (
    SUMMARY_TOLERANCE,
    by_cholesky,
    by_eigenvectors,
)
from gramian.linear_model.least_squares.orthogonal import by_qr, by_svd
from gramian.linear_model.least_squares.refinement import refined
from gramian.linear_model.least_squares.solution import Factor, Solution

_REFINE_ABOVE = 32.0
_QR_ABOVE = 500.0
_WIDEN_ABOVE = 32.0  # products of float32 rows are then computed in double
_WARN_ABOVE = 1e14
_EXACT_FIT = 1e-6  # fraction of the variance left below which y'y - c'X'y is inaccurate


def least_squares(
    rows: Rows, *, fit_intercept: bool, owner: str, positive: bool = False, tol: float = 1e-6
) -> Solution:
    """Minimise the weighted sum of squares by a solver chosen by the condition number."""
    first = rows.first().X
    if sp.issparse(first) and too_wide(first) and not positive:
        return by_lsqr(rows, fit_intercept, tol, owner)
    # If every pass reads the rows again, one pass in double is cheaper than two in single
    # precision.
    double = sp.issparse(first) or first.dtype != np.float32 or not rows.cheap_to_reread
    summary = rows.summarise(double=double, shifted=fit_intercept)
    few = summary.n_rows < summary.n_features + fit_intercept
    if few and not positive and not rows.distributed:
        return by_svd(rows, summary, fit_intercept)
    solution, factor, digits_lost = _from_gram(rows, summary, fit_intercept)
    if not double and digits_lost > _WIDEN_ABOVE:
        double, summary = True, rows.summarise(shifted=fit_intercept)
        solution, factor, digits_lost = _from_gram(rows, summary, fit_intercept)
    if positive:
        return by_non_negative(rows, summary, fit_intercept)
    if factor is None or digits_lost > _QR_ABOVE:
        solution, factor = by_qr(rows, summary, fit_intercept)
        if solution.condition > _WARN_ABOVE:
            _warn_ill_conditioned(owner, solution)
    exact = np.any(solution.rss < _EXACT_FIT * np.diag(summary.gram)[summary.n_features : -1])
    if double and digits_lost <= _REFINE_ABOVE and not exact:
        return solution
    return refined(rows, solution, factor, extended=double)


def _from_gram(
    rows: Rows, summary: Summary, fit_intercept: bool
) -> tuple[Solution, Factor | None, float]:
    """Solve by Cholesky; return no factor if the squares of a varying column underflow."""
    solution, factor, digits_lost = by_cholesky(summary, fit_intercept)
    zero = np.flatnonzero(np.diag(summary.gram)[: summary.n_features] == 0)
    if factor is not None and zero.size and rows.vary(zero, summary.shift[zero]):
        return solution, None, np.inf
    return solution, factor, digits_lost


def from_summary(summary: Summary, *, fit_intercept: bool, owner: str) -> Solution:
    """Minimise from the Gram matrix alone: the error grows with the squared condition number."""
    solution, factor, digits_lost = by_cholesky(summary, fit_intercept)
    if factor is not None and digits_lost < SUMMARY_TOLERANCE**-0.5:
        return solution
    if summary.n_rows >= summary.n_features + fit_intercept:
        warnings.warn(
            f"{owner}: the columns appear linearly dependent in their Gram matrix, so the "
            "solution of least norm is returned. fit and fit_chunks are more accurate, because "
            "they pass over the rows again.",
            LinAlgWarning,
            stacklevel=caller_level(),
        )
    return by_eigenvectors(summary, fit_intercept)


def _warn_ill_conditioned(owner: str, solution: Solution) -> None:
    warnings.warn(
        f"{owner}: the columns of X are nearly or exactly dependent (rank {solution.rank} of "
        f"{solution.coef.shape[1]}, scaled condition {solution.condition:.1e}, above "
        f"{_WARN_ABOVE:.0e}); single coefficients are inaccurate. Drop columns or "
        "use Ridge.",
        LinAlgWarning,
        stacklevel=caller_level(),
    )
