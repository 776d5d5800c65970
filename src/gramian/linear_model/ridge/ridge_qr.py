"""Ridge by QR: R of the columns stacked on a root of the penalty; least norm if singular."""

import numpy as np

from gramian.base.rows.moments import Rows, Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.non_negative import non_negative
from gramian.linear_model.least_squares.orthogonal import scaled_root
from gramian.linear_model.least_squares.solution import RANK_TOLERANCE
from gramian.linear_model.ridge.ridge_problem import RidgeProblem, with_intercept


def by_qr(rows: Rows, problem: RidgeProblem, *, positive: bool = False) -> Matrix:
    """Solve by the SVD of R stacked on a root of alpha P, with scaled columns."""
    with lapack.threads_for_size(rows.n_features**2):
        return _solved(rows, problem, positive)


def _solved(rows: Rows, problem: RidgeProblem, positive: bool) -> Matrix:
    d, one = rows.n_features, int(problem.fit_intercept)
    R, power, means = scaled_root(rows, ones=problem.fit_intercept, shifted=problem.centred)
    if problem.has_bias_column:  # the columns of R are 1, X, Y: the ones move to the end
        order = np.r_[1 : d + 1, 0]
        left, right = R[: d + 1, order], R[: d + 1, d + 1 :]
        scale = np.append(power[:d], 1.0)
    else:
        left, right = R[one : one + d, one : one + d], R[one : one + d, one + d :]
        scale = power[:d]
    values, vectors = lapack.eigh(problem.matrix(d))
    penalty_root = np.sqrt(np.clip(values, 0, None))[:, None] * vectors.T
    model = np.empty((rows.n_targets, d + 1))
    for t, alpha in enumerate(problem.alpha):
        both = np.vstack([left, np.sqrt(alpha) * penalty_root * scale])
        target = np.append(right[:, t], np.zeros(len(penalty_root)))
        if not positive:
            coef = _least_norm(both, target, scale)
        elif problem.has_bias_column:
            coef = _non_negative_with_free_bias(both, target, scale, np.sqrt(alpha))
        else:
            coef = non_negative(both, target, scale)
        model[t] = with_intercept(coef * scale / power[d + t], means, t, problem)
    return model


def _non_negative_with_free_bias(
    A: Matrix, b: Vector, scale: Vector, bias_penalty: float
) -> Vector:
    """Return c >= 0, except the last, which is the difference of two values >= 0."""
    minus = np.where(np.arange(len(A)) < len(A) - len(scale), -A[:, -1], 0.0)
    rows = np.column_stack([A, minus])
    last = np.append(
        np.zeros(A.shape[1]), bias_penalty
    )  # both parts are penalised, so one of them is 0
    both = non_negative(np.vstack([rows, last]), np.append(b, 0.0), np.append(scale, 1.0))
    coef = both[:-1]
    coef[-1] -= both[-1]
    return coef


def _least_norm(A: Matrix, b: Vector, scale: Vector) -> Vector:
    """Return the minimiser c of |Ac - b| with the least |scale c|."""
    length = np.linalg.norm(A, axis=0)
    used = length > 0
    coef = np.zeros(A.shape[1])
    U, s, Vt = lapack.svd(A[:, used] / length[used])
    kept = s > RANK_TOLERANCE * s.max(initial=0)
    coef[used] = (Vt[kept].T @ ((U[:, kept].T @ b) / s[kept])) / length[used]
    if not kept.all():
        null: Vector = np.zeros((A.shape[1], int((~kept).sum())))
        null[used] = (Vt[~kept] / length[used]).T * scale[used, None]
        null = lapack.orth(null)
        coef = (coef * scale - null @ (null.T @ (coef * scale))) / scale
    return coef
