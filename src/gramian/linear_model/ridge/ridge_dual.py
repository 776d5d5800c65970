"""Ridge with fewer rows than columns: (XX' + alpha I) a = y, c = X'a, an n x n system."""

import numpy as np

from gramian.base.rows.moments import Rows
from gramian.base.runtime import blas, lapack
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.solution import EPS
from gramian.linear_model.ridge.ridge_problem import RidgeProblem, with_intercept


def by_dual(rows: Rows, problem: RidgeProblem) -> Matrix:
    """Solve the dual problem, with one unknown per row instead of one per column."""
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
    kernel = blas.product(A, A.T)
    model = np.empty((rows.n_targets, rows.n_features + 1))
    for alpha in np.unique(problem.alpha):
        targets = np.flatnonzero(problem.alpha == alpha)
        dual = _solve_kernel(kernel + alpha * np.eye(len(A)), B[:, targets])
        coef = blas.product(A.T, dual)
        for t, c in zip(targets, coef.T, strict=True):
            model[t] = with_intercept(c, means, t, problem)
    return model


def _solve_kernel(K: Matrix, b: Matrix) -> Matrix:
    """Solve K a = b with one step of refinement; least norm if K is singular."""
    root, failed = lapack.cholesky(K, lower=False)
    if failed:
        return lapack.lstsq(K, b, EPS)[0]
    a = lapack.solve_by_cholesky(root, b, lower=False)
    a += lapack.solve_by_cholesky(root, b - blas.product(K, a), lower=False)
    return a
