"""Gaussian components of rows with missing values, which are integrated out.

Given the observed part x_o of a row, a component's missing part has the conditional mean and
covariance

    m_m + S_mo S_oo^-1 (x_o - m_o),     S_mm - S_mo S_oo^-1 S_om,

which replace it in the sums of a step of expectation maximisation (Ghahramani and Jordan, NIPS
1994). Rows with the same missing columns are processed together.
"""

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from gramian.base.errors import DataError
from gramian.base.rows.class_scores import log_posterior
from gramian.base.runtime import lapack
from gramian.base.types import Data, Floats, Mask, RowNumbers, Weights
from gramian.mixture.components import Components, Sums

ScoreKind: TypeAlias = Literal["codes", "posterior", "log_norm"]
_BLOCK = 4096  # rows whose responsibilities are in memory at a time


def check_columns(table: Data) -> None:
    """Raise if all values of a column are missing."""
    empty = np.flatnonzero(np.isnan(table).all(axis=0))
    if len(empty):
        raise DataError(
            f"GaussianMixture: every column must have at least one value; column {empty[0]} "
            "has only "
            "missing values. Drop it."
        )


def patterns(table: Data) -> Iterator[tuple[RowNumbers, RowNumbers, RowNumbers]]:
    """Yield rows with the same missing columns, with the observed and the missing columns."""
    missing = np.isnan(table)
    kinds, kind = np.unique(missing, axis=0, return_inverse=True)
    for number, gone in enumerate(kinds):
        rows = np.flatnonzero(kind.ravel() == number)
        yield rows, np.flatnonzero(~gone), np.flatnonzero(gone)


class _Pattern:
    """Marginal components of the observed columns, `here`; `gone` are the missing columns."""

    def __init__(self, components: Components, here: RowNumbers, gone: RowNumbers) -> None:
        self.here, self.gone, self.means = here, gone, components.means
        present = np.ix_(here, here)
        self.covariances = full = components.full()
        self.roots = [_inverse_root(S[present]) for S in full]
        with np.errstate(divide="ignore"):  # a component that vanished
            offsets = np.log(components.weights)
        log_det = np.array([np.log(np.diag(root)).sum() for root in self.roots])
        self.offsets = offsets + log_det - 0.5 * len(here) * np.log(2 * np.pi)

    def whitened(self, rows: Data) -> list[Floats]:
        """Return W_k (x_o - m_o) of each component, (n, present columns)."""
        x = np.asarray(rows[:, self.here], dtype=np.float64)
        pairs = zip(self.roots, self.means, strict=True)
        return [(x - mean[self.here]) @ root.T for root, mean in pairs]

    def scores(self, white: list[Floats]) -> Floats:
        """Return log weight + log density of the observed values, (n, K)."""
        squares = np.stack([(w * w).sum(axis=1) for w in white], axis=1)
        return np.asarray(self.offsets - 0.5 * squares)

    def add(self, R: Floats, rows: Data, white: list[Floats], sums: Sums) -> None:
        """Add the expected sums of rows with responsibilities R, (n, K)."""
        here, gone = self.here, self.gone
        x = np.asarray(rows[:, here], dtype=np.float64)
        for k, (S, root) in enumerate(zip(self.covariances, self.roots, strict=True)):
            solved = root @ S[np.ix_(here, gone)]
            away = np.empty((len(rows), S.shape[0]))
            away[:, here] = x - self.means[k][here]
            away[:, gone] = white[k] @ solved
            r = R[:, k]
            sums.first[k] += r @ away
            sums.second[k] += (away.T * r) @ away
            spread = S[np.ix_(gone, gone)] - solved.T @ solved
            sums.second[k][np.ix_(gone, gone)] += r.sum() * spread


def _inverse_root(S: Floats) -> Floats:
    """Return lower triangular W with W'W the inverse of S."""
    root = np.asarray(np.linalg.cholesky(S), dtype=np.float64)
    return lapack.inverse_of_lower(root) if len(S) else root


def scores_of(components: Components, table: Data, what: ScoreKind) -> Any:
    """Return the requested scores: complete rows by the native pass, others by marginals."""
    scorer = components.scorer()
    missing = cast("Mask", np.isnan(table).any(axis=1))
    if not missing.any():
        return getattr(scorer, what)(table)
    out = getattr(scorer, what)(np.where(missing[:, None], 0, table))
    for rows, pattern in _blocks(components, table, np.flatnonzero(missing)):
        scores = pattern.scores(pattern.whitened(table[rows]))
        if what == "codes":
            out[rows] = scores.argmax(axis=1)
        elif what == "posterior":
            out[rows] = np.exp(log_posterior(scores))
        else:
            out[rows] = logsumexp(scores, axis=1)
    return out


def _blocks(
    components: Components, table: Data, chosen: RowNumbers
) -> Iterator[tuple[RowNumbers, _Pattern]]:
    """Yield the selected rows in blocks with the same missing columns."""
    for rows, here, gone in patterns(table[chosen]):
        pattern = _Pattern(components, here, gone)
        for first in range(0, len(rows), _BLOCK):
            yield chosen[rows[first : first + _BLOCK]], pattern


def expectation(
    components: Components,
    table: Data,
    weights: Weights | None,
    known: npt.NDArray[np.int32] | None,
) -> tuple[float, Sums]:
    """Return the log likelihood and the expected sums, products as matrices (K, d, d)."""
    K, d = components.means.shape
    sums = Sums(np.zeros(K), np.zeros((K, d)), np.zeros((K, d, d)))
    total = 0.0
    for rows, pattern in _blocks(components, table, np.arange(len(table))):
        white = pattern.whitened(table[rows])
        scores = pattern.scores(white)
        log_norm = np.asarray(logsumexp(scores, axis=1))
        R = np.exp(scores - log_norm[:, None])
        if known is not None:
            labelled = np.flatnonzero(known[rows] >= 0)
            codes = known[rows[labelled]].astype(np.intp)
            log_norm[labelled] = scores[labelled, codes]
            R[labelled] = 0.0
            R[labelled, codes] = 1.0
        w = np.ones(len(rows)) if weights is None else weights[rows]
        R *= w[:, None]
        total += float(w @ log_norm)
        np.add(sums.weights, R.sum(axis=0), out=sums.weights)
        pattern.add(R, table[rows], white, sums)
    return total, sums
