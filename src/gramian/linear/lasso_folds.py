"""Errors of lasso and elastic net on held-out folds, for all penalties at once."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.gate import Data, Matrix, Weights
from gramian.linear.sparse_problem import SparseProblem, gram_paths, moments
from gramian.linear.summary import Rows, Summary, Vector

Split: TypeAlias = tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]  # rows to fit, rows held out

_SMALL = 0.01  # share of the weight that must stay for a difference of Gram matrices to be good


def held_out_errors(
    X: Data,
    y: Vector,
    weights: Weights | None,
    splits: Sequence[Split],
    l1: Vector,
    l2: Vector,
    *,
    centre: bool,
    positive: bool,
    tol: float,
    max_iter: int,
) -> Matrix:
    """Return the mean squared error of each penalty on each split's held-out rows, (k, splits).

    Where the table is tall, the Gram matrix of a split's rows is that of all rows less that of the
    rows held out, so the table is read once for all splits, and their paths run side by side.
    """
    if SparseProblem.is_tall(X):
        fits = _by_grams(X, y, weights, splits, l1, l2, centre, positive, tol, max_iter)
    else:
        fits = []
        for fit, _ in splits:
            part = SparseProblem(X[fit], _at(weights, fit), centre=centre)
            path = part.path(y[fit], l1, l2, positive=positive, tol=tol, max_iter=max_iter)
            fits.append((path.coef, path.intercept))
    errors = np.empty((len(l1), len(splits)))
    for k, ((coef, intercept), (_, out)) in enumerate(zip(fits, splits, strict=True)):
        residuals = y[out, None] - X[out] @ coef.T.astype(X.dtype) - intercept
        errors[:, k] = np.average(residuals**2, axis=0, weights=_at(weights, out))
    return errors


def _by_grams(
    X: Matrix,
    y: Vector,
    weights: Weights | None,
    splits: Sequence[Split],
    l1: Vector,
    l2: Vector,
    centre: bool,
    positive: bool,
    tol: float,
    max_iter: int,
) -> list[tuple[Matrix, Vector]]:
    rows = np.ascontiguousarray(X)

    def summary(at: npt.NDArray[np.intp]) -> Summary:
        return Rows.of(rows[at], y[at, None], _at(weights, at)).summarise()

    parts = [summary(out) for _, out in splits]
    counted = np.bincount(np.concatenate([out for _, out in splits]), minlength=len(y))
    if (counted == 1).all():  # a partition: the folds add up to all rows
        total = parts[0]
        for part in parts[1:]:
            total = total.merge(part)
        fits = [_less(total, part.about(total.shift)) for part in parts]
        fits = [
            found
            if len(fit) + len(out) == len(y) and found.weight > _SMALL * total.weight
            else summary(fit)
            for found, (fit, out) in zip(fits, splits, strict=True)
        ]
    else:
        fits = [summary(fit) for fit, _ in splits]
    grams, q, yy, means = zip(*(moments(fit, centre=centre) for fit in fits), strict=True)
    d = X.shape[1]
    coef, _, _ = gram_paths(
        np.array(grams), np.array(q), np.array(yy), l1, l2, positive, tol, max_iter
    )
    levels = [fit.means[d] if centre else 0.0 for fit in fits]
    return [(c, level - c @ mean) for c, level, mean in zip(coef, levels, means, strict=True)]


def _less(total: Summary, part: Summary) -> Summary:
    return Summary(total.gram - part.gram, total.shift, total.n_rows - part.n_rows, total.n_targets)


def _at(weights: Weights | None, rows: npt.NDArray[np.intp]) -> Weights | None:
    return None if weights is None else weights[rows]
