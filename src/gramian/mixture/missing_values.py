"""Gaussian components of rows with missing values: what is missing is integrated out.

With the present part x_o of a row, a component's missing part has the conditional mean and
covariance

    m_m + S_mo S_oo^-1 (x_o - m_o),     S_mm - S_mo S_oo^-1 S_om,

and these take its place in the sums of a step of expectation maximisation (Ghahramani and Jordan,
NIPS 1994). Rows with the same columns missing are treated together.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.special import logsumexp

from gramian.base.rows.class_scores import log_posterior
from gramian.base.types import Data, Floats, RowNumbers, Weights
from gramian.mixture.components import Components, Sums

ScoreKind: TypeAlias = Literal["codes", "posterior", "log_norm"]


def patterns(table: Data) -> Iterator[tuple[RowNumbers, RowNumbers, RowNumbers]]:
    """Yield rows that miss the same columns, with the present and the missing columns."""
    missing = np.isnan(table)
    kinds, kind = np.unique(missing, axis=0, return_inverse=True)
    for number, gone in enumerate(kinds):
        rows = np.flatnonzero(kind.ravel() == number)
        yield rows, np.flatnonzero(~gone), np.flatnonzero(gone)


def marginal_scores(components: Components, table: Data) -> Floats:
    """Return log weight + log density of the present values, (n, K)."""
    scores = np.empty((table.shape[0], len(components.weights)))
    covariances = components.full()
    for rows, here, _ in patterns(table):
        x = np.asarray(table[np.ix_(rows, here)], dtype=np.float64)
        for k, (mean, S) in enumerate(zip(components.means, covariances, strict=True)):
            scores[rows, k] = _log_density(x - mean[here], S[np.ix_(here, here)])[0]
    with np.errstate(divide="ignore"):
        return np.asarray(scores + np.log(components.weights))


def scores_of(components: Components, table: Data, what: ScoreKind) -> Any:
    """Return what is asked for: complete rows by the native pass, others by their margins."""
    scorer = components.scorer()
    gone = np.isnan(table).any(axis=1)
    if not gone.any():
        return getattr(scorer, what)(table)
    out = getattr(scorer, what)(np.where(gone[:, None], 0, table))
    scores = marginal_scores(components, table[gone])
    if what == "codes":
        out[gone] = scores.argmax(axis=1)
    elif what == "posterior":
        out[gone] = np.exp(log_posterior(scores))
    else:
        out[gone] = logsumexp(scores, axis=1)
    return out


def expectation(
    components: Components,
    table: Data,
    weights: Weights | None,
    known: npt.NDArray[np.int32] | None,
) -> tuple[float, Sums]:
    """Return the log likelihood and the expected sums, products as matrices (K, d, d)."""
    scores = marginal_scores(components, table)
    log_norm = np.asarray(logsumexp(scores, axis=1))
    R = np.exp(scores - log_norm[:, None])
    if known is not None:
        told = np.flatnonzero(known >= 0)
        codes = known[told].astype(np.intp)
        log_norm[told] = scores[told, codes]
        R[told] = 0.0
        R[told, codes] = 1.0
    w = np.ones(len(R)) if weights is None else weights
    R *= w[:, None]
    K, d = components.means.shape
    sums = Sums(R.sum(axis=0), np.zeros((K, d)), np.zeros((K, d, d)))
    covariances = components.full()
    for rows, here, gone in patterns(table):
        x = np.asarray(table[np.ix_(rows, here)], dtype=np.float64)
        for k, (mean, S) in enumerate(zip(components.means, covariances, strict=True)):
            away = np.zeros((len(rows), d))
            away[:, here] = x - mean[here]
            spread = np.zeros((d, d))
            root = _log_density(away[:, here], S[np.ix_(here, here)])[1]
            solved = scipy.linalg.solve_triangular(root, S[np.ix_(here, gone)], lower=True)
            white = scipy.linalg.solve_triangular(root, away[:, here].T, lower=True)
            away[:, gone] = white.T @ solved
            spread[np.ix_(gone, gone)] = S[np.ix_(gone, gone)] - solved.T @ solved
            r = R[rows, k]
            sums.first[k] += r @ away
            sums.second[k] += (away.T * r) @ away + r.sum() * spread
    return float(w @ log_norm), sums


def _log_density(away: Floats, S: Floats) -> tuple[Floats, Floats]:
    """Return log N(away; 0, S) and the Cholesky root of S; the density of nothing is 1."""
    root: Floats = np.asarray(np.linalg.cholesky(S), dtype=np.float64)
    white = scipy.linalg.solve_triangular(root, away.T, lower=True)
    log_det = np.log(np.diag(root)).sum()
    constant = log_det + 0.5 * len(S) * np.log(2 * np.pi)
    return -0.5 * (white**2).sum(axis=0) - constant, root
