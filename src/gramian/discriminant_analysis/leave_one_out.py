"""Leave-one-out posteriors of Gaussian classes in closed form.

Removing row x of weight w from a class of weight W, mean m and scatter S gives

    W' = W - w,   x - m' = W / W' (x - m),   S' = S - (w W / W') (x - m)(x - m)',

a rank-one change, whose inverse and determinant follow from D = (x - m)' S^-1 (x - m).
"""

import numpy as np

from gramian.base.errors import DataError
from gramian.base.inputs.targets import Codes
from gramian.base.rows.class_moments import ClassMoments
from gramian.base.rows.class_scores import log_posterior
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats, Weights

_BLOCK_ROWS = 1 << 13


def linear_leave_one_out(
    table: Data,
    codes: Codes,
    weights: Weights | None,
    moments: ClassMoments,
    priors: Floats | None,
) -> Floats:
    """Return the posteriors of linear discriminant analysis; priors=None means proportions."""
    n = table.shape[0]
    W, means, total = moments.weights, moments.means, float(moments.weights.sum())
    white = _whitening(moments.within())
    mu = means @ white
    posterior = np.empty((n, len(W)))
    for first in range(0, n, _BLOCK_ROWS):
        part = slice(first, min(first + _BLOCK_ROWS, n))
        own, rows = codes[part], np.arange(part.stop - part.start)
        w = np.ones(len(rows)) if weights is None else weights[part]
        centred = (np.asarray(table[part], dtype=np.float64) @ white)[:, None] - mu  # (b, K, d)
        own_centred = centred[rows, own]
        left = _check_remaining(W[own] - w)
        D: Floats = (own_centred**2).sum(axis=1)
        a = w * W[own] / left
        rest = _check_nonsingular(1 - a * D)
        cross = np.einsum("bkd,bd->bk", centred, own_centred)
        squares = (centred**2).sum(axis=2) + (a / rest)[:, None] * cross**2
        squares[rows, own] = (W[own] / left) ** 2 * D / rest
        scores = -0.5 * (total - w)[:, None] * squares
        scores += _log_priors(W, own, w, priors)
        posterior[part] = np.exp(log_posterior(scores))
    return posterior


def quadratic_leave_one_out(
    table: Data,
    codes: Codes,
    weights: Weights | None,
    moments: ClassMoments,
    priors: Floats | None,
) -> Floats:
    """Return the posteriors of quadratic discriminant analysis; priors=None means proportions."""
    n, d = table.shape
    W = moments.weights
    rows = np.asarray(table, dtype=np.float64)
    w = np.ones(n) if weights is None else weights
    scores = np.empty((n, len(W)))
    for k, weight in enumerate(W):
        root, info = lapack.cholesky(moments.scatter(k))
        if info:
            raise _singular("the covariance of a class")
        white = lapack.inverse_of_lower(root)
        log_det = 2 * np.log(np.diag(root)).sum()
        D = (((rows - moments.means[k]) @ white.T) ** 2).sum(axis=1)
        scores[:, k] = -0.5 * (weight * D + log_det - d * np.log(weight))
        own = codes == k
        left = _check_remaining(weight - w[own])
        a = w[own] * weight / left
        rest = _check_nonsingular(1 - a * D[own])
        squares = left * (weight / left) ** 2 * D[own] / rest
        scores[own, k] = -0.5 * (squares + log_det + np.log(rest) - d * np.log(left))
    return np.exp(log_posterior(scores + _log_priors(W, codes, w, priors)))


def _whitening(scatter: Floats) -> Floats:
    """Return A with A' S A = I."""
    root, info = lapack.cholesky(scatter)
    if info:
        raise _singular("the within-class scatter")
    return lapack.inverse_of_lower(root).T


def _singular(what: str) -> DataError:
    return DataError(
        f"leave_one_out: {what} is singular; drop collinear or constant columns, or use "
        "sklearn.model_selection.LeaveOneOut."
    )


def _check_remaining(weights: Floats) -> Floats:
    if not (weights > 0).all():
        raise DataError(
            "leave_one_out: each class must have at least two rows; a class has only one. Add "
            "rows, or drop the class."
        )
    return weights


def _check_nonsingular(ratio: Floats) -> Floats:
    if not (ratio > 1e-12).all():
        raise DataError(
            "leave_one_out: without one of the rows the covariance is singular; add rows."
        )
    return ratio


def _log_priors(W: Floats, own: Codes, w: Floats, priors: Floats | None) -> Floats:
    if priors is not None:
        with np.errstate(divide="ignore"):
            return np.broadcast_to(np.log(priors), (len(own), len(W)))
    left = np.tile(W, (len(own), 1))
    left[np.arange(len(own)), own] -= w
    return np.asarray(np.log(left / (W.sum() - w)[:, None]))
