"""Least squares by orthogonal factorisations of X: QR, or the SVD if there are few rows."""

from dataclasses import replace

import numpy as np

from gramian.base.rows.moments import Rows, Summary, Vector
from gramian.base.runtime import lapack
from gramian.base.types import Matrix
from gramian.linear_model.least_squares.solution import EPS, RANK_TOLERANCE, Factor, Solution


def by_qr(rows: Rows, summary: Summary, fit_intercept: bool) -> tuple[Solution, Factor]:
    """Solve by QR of the columns, scaled by powers of two to avoid rounding.

    In the original units squares may overflow, and so may coefficients of columns below 1e-308.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return _by_qr(rows, summary, fit_intercept)


def _by_qr(rows: Rows, summary: Summary, fit_intercept: bool) -> tuple[Solution, Factor]:
    d, one = rows.n_features, int(fit_intercept)
    R, power, means = scaled_root(rows, ones=fit_intercept, shifted=fit_intercept)
    weight = R[0, 0] ** 2 if fit_intercept else summary.weight
    centred, target = R[one : one + d, one : one + d], R[one : one + d, one + d :]
    length = np.linalg.norm(centred, axis=0)
    full_length = np.linalg.norm(R[:, one : one + d], axis=0)
    used = length > RANK_TOLERANCE * full_length
    lost = np.max(full_length[used] / length[used], initial=1.0)  # digits that centring cancelled
    U, s, Vt = lapack.svd(centred[:, used] / length[used])
    kept = s > RANK_TOLERANCE * lost * s.max(initial=0)
    inverse = np.zeros((d, int(kept.sum())))
    inverse[used] = (Vt[kept] / length[used] / s[kept, None]).T * power[:d][used, None]
    null = np.zeros((d, int((~kept).sum())))
    null[used] = (Vt[~kept] / length[used]).T * power[:d][used, None]
    factor = Factor(
        inverse, means[:d], weight, fit_intercept, None if kept.all() else lapack.orth(null)
    )
    coef = ((target / power[d:]).T @ U[:, kept]) @ inverse.T
    model = factor.model(coef, means[d:])
    condition = 1.0 if not len(s) else float(s[0] / s[-1]) if s[-1] > 0 else np.inf
    rss = np.square(np.linalg.norm(R[one + d :, one + d :], axis=0) / power[d:])
    scaled = centred / power[:d]
    solution = replace(
        Solution.unknown(summary, coef),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=rss,
        weight=weight,
        rank=int(kept.sum()),
        singular=lapack.svdvals(scaled),
        condition=condition,
        solver="qr",
        inverse_gram=factor.inverse_gram() if used.all() and kept.all() else None,
    )
    return solution, factor


def scaled_root(rows: Rows, *, ones: bool, shifted: bool) -> tuple[Matrix, Vector, Vector]:
    """Return R of the columns (1, X, Y), their scales (powers of two) and their means.

    With `shifted` a point near the data is subtracted first, so that large means do not hide the
    differences within columns. Without it the means are zero.
    """
    shift = rows.pilot() if shifted else np.zeros(rows.n_features + rows.n_targets)
    largest = rows.largest(shift)
    tiny = np.finfo(np.float64).tiny
    power = np.exp2(-np.floor(np.log2(np.where(largest > 0, np.maximum(largest, tiny), 1.0))))
    R = rows.root(shift, power, ones=ones)
    means = shift + R[0, 1:] / R[0, 0] / power if shifted else np.zeros(len(power))
    return R, power, means


def by_svd(rows: Rows, summary: Summary, fit_intercept: bool) -> Solution:
    """Return the least-norm solution for fewer rows than unknowns."""
    blocks = list(rows.blocks())
    X, Y = np.vstack([b[0] for b in blocks]), np.vstack([b[1] for b in blocks])
    w = np.concatenate([np.ones(len(b[1])) if b[2] is None else b[2] for b in blocks])
    means, target_means = np.zeros(rows.n_features), np.zeros(rows.n_targets)
    if fit_intercept:
        means, target_means = np.average(X, axis=0, weights=w), np.average(Y, axis=0, weights=w)
    root = np.sqrt(w)[:, None]
    left, right = (X - means) * root, (Y - target_means) * root
    coef, rank, singular = lapack.lstsq(left, right, EPS * max(X.shape))
    model = Factor(np.zeros((0, 0)), means, 1.0, fit_intercept).model(coef.T, target_means)
    kept = singular[:rank]
    return replace(
        Solution.unknown(summary, coef.T),
        coef=model[:, :-1],
        intercept=model[:, -1],
        rss=np.square(right - left @ coef).sum(axis=0),
        rank=rank,
        singular=singular,
        condition=float(kept[0] / kept[-1]) if rank else 1.0,
        solver="svd",
    )
