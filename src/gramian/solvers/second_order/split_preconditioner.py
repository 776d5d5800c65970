"""A preconditioner for many unknowns: the Hessian along the scores, its mean elsewhere.

The Hessian of a linear problem of K outputs at W is

    H = sum_i omega_i C_i (x) x_i x_i' + I (x) diag(ridge),    C_i = L''(y_i, W'x_i) of (K, K),

and C_i depends on x_i only by its scores W'x_i. Take coordinates u = A^-1 x, where the bound B =
AA' of the second moments is the identity, an orthonormal basis Q of the directions of the scores
and of the mean of u, and P of all others. If P'u has mean 0 and a covariance that does not depend
on Q'u, as for normal x, then H splits into two parts:

    along Q    sum_i omega_i C_i (x) Q'u_i u_i'Q: a small Hessian, which is formed,
    along P    (sum_i omega_i C_i) / sup L'' (x) I: the mean curvature.

For other x it is an approximation, which L-BFGS corrects. For one output, with Stein's lemma
instead of the small Hessian: Erdogdu 2015, the Newton-Stein method.
"""

from collections.abc import Callable

import numpy as np
from scipy.linalg import solve_triangular

from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.solvers.second_order.preconditioners import (
    Bound,
    bound_preconditioner,
    hessian_preconditioner,
    split_classes,
    with_ridge,
)

_ROWS = 30  # rows for each unknown of the small Hessian, if available,
_FEW = 2000  # and at least this many
_LEAST = 1e-3  # smallest eigenvalue allowed, relative to the largest of the mean curvature


def split_preconditioner(
    problem: LinearProblem, x: Floats, bound: Bound, unknowns: int
) -> Callable[[Floats], Floats]:
    """Return v -> M^-1 v for the Hessian M of the model above at x.

    Parameters
    ----------
    problem
        The problem on the rows that the preconditioner is computed from.
    x
        The point.
    bound
        The problem's bound.
    unknowns
        Maximum number of unknowns of the small Hessian.

    Examples
    --------
    >>> from gramian.objectives import Logistic
    >>> problem = LinearProblem([[2.0], [-2.0]], [0.0, 1.0], Logistic(), intercept=False)
    >>> preconditioner = split_preconditioner(problem, np.zeros(1), Bound.of(problem), 10)
    >>> preconditioner(np.array([1.0])).round(6)                     # the Hessian itself: 4 / 4
    array([1.])
    """
    m = problem.shape[0]
    W = x.reshape(m, -1)
    K = W.shape[1]
    most = unknowns // K - 1  # directions, besides the bias that represents the others
    if most < 1 or not np.isfinite(bound.matrix).all():  # the bound cannot be used
        return bound_preconditioner(problem, bound)
    A = np.asarray(np.linalg.cholesky(with_ridge(bound.matrix)), dtype=float)
    Q = _directions(problem, W, A, most)
    along, mean_curvature = _small_hessian(problem, W, A, Q, bound.ridge)
    if not np.trace(mean_curvature) > 0:  # all rows have weight 0 or probabilities of 0 and 1
        return bound_preconditioner(problem, bound)
    flatter = _inverse(mean_curvature / problem.loss.curvature_bound)
    inverse = hessian_preconditioner(along)

    def apart(V: Floats) -> Floats:
        U = solve_triangular(A, V, lower=True, check_finite=False)
        U_Q = Q.T @ U
        step = (U - Q @ U_Q) @ flatter + Q @ inverse(U_Q.reshape(-1)).reshape(U_Q.shape)
        return np.asarray(solve_triangular(A, step, lower=True, trans="T", check_finite=False))

    if problem.loss.targets != "classes":
        return lambda v: apart(v.reshape(m, K)).reshape(-1)

    def of_classes(v: Floats) -> Floats:
        V, together = split_classes(v.reshape(m, K), bound.ridge)
        return np.asarray(apart(V) + together).reshape(-1)

    return of_classes


def _directions(problem: LinearProblem, W: Floats, A: Floats, most: int) -> Floats:
    """Return Q with at most `most` columns: the mean, then where scores vary most."""
    omega = problem.functional.weights(np.zeros(problem.n_rows))
    mean = np.asarray(problem.X.T @ omega)
    mean = np.append(mean, omega.sum()) if problem.intercept else mean
    first = solve_triangular(A, mean, lower=True, check_finite=False)
    length = np.linalg.norm(first)
    Q = first[:, None] / length if length > 0 else np.zeros((len(A), 0))
    of_classes = problem.loss.targets == "classes"  # a common shift changes no probability
    scores = A.T @ (W - W.mean(axis=1, keepdims=True) if of_classes else W)
    scores -= Q @ (Q.T @ scores)
    U, size, _ = np.linalg.svd(scores, full_matrices=False)
    kept = size > 1e-8 * max(1.0, float(np.linalg.norm(scores)))
    Q = np.hstack([Q, U[:, kept]])[:, :most]
    return Q if Q.shape[1] > 0 else np.eye(len(A), 1)  # any direction suffices


def _small_hessian(
    problem: LinearProblem, W: Floats, A: Floats, Q: Floats, ridge: Floats
) -> tuple[Floats, Floats]:
    """Return the Hessian along Q, and the Hessian of a bias, sum_i omega_i C_i."""
    T = solve_triangular(A, Q, lower=True, trans="T", check_finite=False)  # Q'u = T'x
    d, unknowns = problem.X.shape[1], Q.shape[1] * W.shape[1]
    every = problem.n_rows // max(_FEW, _ROWS * unknowns)
    problem = problem.subset(np.arange(0, problem.n_rows, every)) if every > 1 else problem
    rows = np.ascontiguousarray(problem.X @ T[:d] + (T[d] if problem.intercept else 0.0), float)
    several = len(problem.shape) > 1
    small = LinearProblem(
        rows,
        problem.y,
        problem.loss,
        functional=problem.functional,
        outputs=W.shape[1] if several else None,
    )
    start = np.vstack([Q.T @ (A.T @ W), np.zeros((1, W.shape[1]))])  # the current scores
    r, K = Q.shape[1], W.shape[1]
    H = small.hessian(start.reshape(-1))
    along = H[: r * K, : r * K] + np.kron(T.T @ (ridge[:, None] * T), np.eye(K))
    return along, H[r * K :, r * K :]


def _inverse(C: Floats) -> Floats:
    """Return the inverse of C, with small eigenvalues bounded from below."""
    values, U = np.linalg.eigh(C)
    return np.asarray((U / np.maximum(values, _LEAST * values[-1])) @ U.T)
