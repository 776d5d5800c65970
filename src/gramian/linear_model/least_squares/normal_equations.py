"""Least squares from the Gram matrix alone, by Cholesky or by eigenvectors."""

from dataclasses import replace

import numpy as np
from scipy.linalg.lapack import dpocon

from gramian.base.rows.moments import Summary
from gramian.base.runtime import lapack
from gramian.linear_model.least_squares.solution import Factor, Solution, moments

SUMMARY_TOLERANCE = 1e-13  # relative size of the eigenvalues kept


def by_cholesky(summary: Summary, fit_intercept: bool) -> tuple[Solution, Factor | None, float]:
    """Solve the normal equations of the columns scaled to unit length.

    The last value is the condition number times the cancellation by centring, a measure of the lost
    digits. No factor is returned if the Gram matrix is numerically singular.
    """
    d = summary.n_features
    gram, cross, squares, means = moments(summary, fit_intercept)
    unknown = Solution.unknown(summary, cross.T)
    about_shift = np.diag(summary.gram)
    if not np.all(np.isfinite(summary.gram)):
        return unknown, None, np.inf
    length = np.sqrt(np.clip(np.diag(gram), 0, None))
    used = about_shift[:d] > 0  # a column equal to its shift throughout is constant
    # if no column is left, only the rows can tell constants from differences too small to square
    if not used.any() or np.any(length[used] <= 1e-140):
        return unknown, None, np.inf
    cancelled = np.max(np.sqrt(about_shift[:d][used]) / length[used], initial=1.0)
    scaled = gram[np.ix_(used, used)] / np.outer(length[used], length[used])
    root, info = lapack.cholesky(scaled)
    if info != 0:
        return unknown, None, np.inf
    rcond, _ = dpocon(root, np.abs(scaled).sum(axis=0).max(initial=0), uplo="L")
    condition = float(np.sqrt(1 / rcond)) if rcond > 0 else np.inf
    inverse = np.zeros((d, int(used.sum())))
    inverse[used] = (lapack.inverse_of_lower(root) / length[used]).T
    factor = Factor(inverse, means[:d], summary.weight, fit_intercept)
    coef = cross.T @ inverse @ inverse.T
    model = factor.model(coef, means[d:])
    eigenvalues = lapack.eigvalsh(gram)[::-1]
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


def by_eigenvectors(summary: Summary, fit_intercept: bool) -> Solution:
    """Return the least-norm solution from a Gram matrix alone."""
    d = summary.n_features
    gram, cross, squares, means = moments(summary, fit_intercept)
    values, vectors = lapack.eigh(gram)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = values > SUMMARY_TOLERANCE * values.max(initial=0)
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
