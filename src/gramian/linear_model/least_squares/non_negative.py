"""Non-negative least squares."""

from dataclasses import replace

import numpy as np
import scipy.linalg
from scipy.optimize import nnls

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.orthogonal import scaled_root
from gramian.linear_model.least_squares.solution import EPS, Factor, Solution


def by_non_negative(rows: Rows, summary: Summary, fit_intercept: bool) -> Solution:
    """Minimise over coefficients >= 0, by Lawson and Hanson's method on R in place of X."""
    d, one = rows.n_features, int(fit_intercept)
    R, power, means = scaled_root(rows, ones=fit_intercept, shifted=fit_intercept)
    left, right = R[one : one + d, one : one + d], R[one : one + d, one + d :]
    with lapack.threads_for_size(left.size):
        coef = np.array([non_negative(left, target, power[:d]) for target in right.T])
    coef = coef * power[:d] / power[d:, None]
    model = Factor(np.zeros((0, 0)), means[:d], 1.0, fit_intercept).model(coef, means[d:])
    _, rss = rows.residuals(model, np.zeros_like(model), extended=False)
    singular = lapack.svdvals(left / power[:d])
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

    If they are linearly dependent there are many minimisers. A slight penalty on scale * c, the
    coefficients in the original units, then chooses the columns, so that the choice does not depend
    on the order of the rows; least-norm least squares on these columns removes the penalty.
    """
    s = lapack.svdvals(A)
    if s[-1] > 1e-10 * s[0]:
        return np.asarray(nnls(A, b)[0])
    scaled = A / scale
    slight = 1e-4 * np.linalg.norm(scaled, 2) * np.diag(scale)
    penalised = np.asarray(nnls(np.vstack([A, slight]), np.append(b, np.zeros(len(slight))))[0])
    free = penalised > 0
    coef = np.zeros_like(penalised)
    if free.any():
        coef[free] = scipy.linalg.lstsq(scaled[:, free], b, check_finite=False)[0] / scale[free]
    better = np.linalg.norm(A @ coef - b) <= np.linalg.norm(A @ penalised - b)
    return coef if better and np.all(coef >= 0) else penalised
