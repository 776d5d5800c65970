"""Ridge for sparse X with very many columns: conjugate gradients, by products with X only."""

import warnings

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg
from sklearn.exceptions import ConvergenceWarning

from gramian.base.rows.moments import Rows, Vector
from gramian.linear_model.least_squares.krylov import stacked
from gramian.linear_model.ridge.ridge_problem import Fit, RidgeProblem, with_intercept


def by_conjugate_gradients(
    rows: Rows, problem: RidgeProblem, tol: float, max_iter: int | None, owner: str
) -> Fit:
    """Solve (X'WX + alpha P) c = X'Wy by products with X and P only."""
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
    iterations = np.zeros(rows.n_targets, dtype=np.int64)
    for t, alpha in enumerate(problem.alpha):

        def product(c: Vector, alpha: float = alpha) -> Vector:
            fitted = weights * (X @ c - mean @ c)
            change: Vector = X.T @ fitted - mean * fitted.sum() + alpha * (P @ c)
            return change

        def count(_: Vector, t: int = t) -> None:
            iterations[t] += 1

        off = weights * (Y[:, t] - means[d + t])
        right = X.T @ off - mean * off.sum()
        operator = LinearOperator((X.shape[1],) * 2, matvec=product, dtype=np.float64)
        coef, unsolved = cg(operator, right, rtol=tol, maxiter=max_iter, callback=count)
        if unsolved:
            warnings.warn(
                f"{owner}: conjugate gradients did not reach a relative residual of tol={tol:g} in "
                f"{iterations[t]} iterations; raise max_iter, tol or alpha, or scale the columns.",
                ConvergenceWarning,
                stacklevel=5,
            )
        model[t] = with_intercept(coef, means, t, problem)
    return Fit(model, "sparse_cg", iterations)
