"""The multinomial distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_support, check_vectors, is_count
from gramian.distributions.common.distribution import (
    Distribution,
    Trials,
    Vector,
    distribution,
)
from gramian.distributions.common.gamma_differences import log_factorial_rest
from gramian.distributions.common.saddle_point import (
    deviance,
    log_binomial,
    log_multinomial_coefficient,
)
from gramian.distributions.common.simplex import (
    check_probabilities,
    likely_counts,
    multinomial_covariance,
    sums_of_others,
)
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Multinomial(Distribution):
    """Counts of K categories in n trials: P(m) = n! / prod m_k! prod p_k^m_k.

    Parameters
    ----------
    n
        Number of trials.
    probabilities
        Probability of each category, shape (K,).

    Examples
    --------
    >>> round(float(Multinomial(3, [0.5, 0.25, 0.25]).prob([1, 1, 1])), 4)
    0.1875
    >>> Multinomial.fit([[2, 1, 1], [2, 1, 1]], n=4)
    Multinomial(n=4, probabilities=[0.5, 0.25, 0.25])
    """

    n: Trials
    probabilities: Vector

    event_ndim = 1
    discrete = True

    def _check(self) -> None:
        probabilities = self._store("probabilities", self.probabilities)
        checked = check_probabilities(type(self).__name__, "probabilities", probabilities)
        self._store("probabilities", checked)

    @property
    def mean(self) -> Floats:
        """The expected counts, n p."""
        return np.asarray(self.n * self.probabilities)

    @property
    def variance(self) -> Floats:
        """The variance of each count, n p (1 - p)."""
        return np.diag(self.covariance).copy()

    @property
    def covariance(self) -> Floats:
        """The covariance matrix n (diag(p) - p p'), of rank K - 1 at most."""
        return np.asarray(self.n * multinomial_covariance(self.probabilities))

    def _log_prob(self, x: Floats) -> Floats:
        self._check_width(x, len(self.probabilities))
        inside = is_count(x).all(axis=-1) & (x.sum(axis=-1) == self.n)
        left = np.full(x.shape[:-1], float(self.n))
        above = np.append(self.probabilities[::-1].cumsum()[::-1], 0.0)
        value = np.zeros(x.shape[:-1])
        for k, p in enumerate(self.probabilities[:-1]):  # one category against the later ones
            count = np.where(inside, x[..., k], 0.0)
            first, rest = (p / above[k], above[k + 1] / above[k]) if above[k] > 0 else (0.0, 1.0)
            left = left - count
            value += log_binomial(count, left, first, rest)
        impossible = ((x > 0) & (self.probabilities == 0)).any(axis=-1)
        value = np.where(inside & ~impossible, value, -np.inf)
        return np.where(np.isnan(x).any(axis=-1), np.nan, value)

    def coefficient(self, x: npt.ArrayLike) -> Any:
        """Return n! / prod x_k!, the number of sequences of outcomes with these counts.

        It is 0 unless x are counts that sum to n.
        """
        counts = self._events(x)
        self._check_width(counts, len(self.probabilities))
        possible = is_count(counts).all(axis=-1) & (counts.sum(axis=-1) == self.n)
        safe = np.where(possible[..., None], counts, 0.0)
        value = np.where(possible, np.exp(log_multinomial_coefficient(safe)), 0.0)
        return np.rint(value)[()] if self.n <= 20 else value[()]

    def _entropy(self) -> float:
        """Return sum_k E[c(m_k) + D(m_k, n p_k)] - c(n), with c and D of `saddle_point`.

        Each count is binomial. c(n) is subtracted inside the expectation of the most probable
        category, so that it cancels exactly if that category has all trials.
        """
        p, n = self.probabilities, float(self.n)
        others, total = sums_of_others(p), 0.0
        for k in np.flatnonzero(p):
            counts, step = likely_counts(n * p[k], math.sqrt(n * p[k] * others[k]), n)
            weights = step * np.exp(log_binomial(counts, n - counts, p[k], others[k]))
            losses = log_factorial_rest(counts) + deviance(counts, n * p[k])
            if k == p.argmax():
                losses = losses - log_factorial_rest(n)
            total += float(weights @ losses)
        return max(total, 0.0)

    def _mgf(self, t: Floats) -> Floats:
        self._check_width(t, len(self.probabilities))
        return np.asarray((np.exp(t) @ self.probabilities) ** self.n)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.multinomial(self.n, self.probabilities, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, n: int
    ) -> SufficientSums:
        """Return the total weight and the weighted counts of the categories; `n` is known."""
        x, weights = check_vectors(cls.__name__, data, sample_weight)
        inside = is_count(x).all(axis=1) & (x.sum(axis=1) == n)
        check_support(cls.__name__, x, inside, f"counts, integers >= 0, that sum to n={n}")
        log_h = log_multinomial_coefficient(x)
        return SufficientSums(
            total_weight(weights, len(x)),
            weighted_sums(x, weights),
            float(weighted_sums(log_h, weights)),
            {"n": int(n)},
        )

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the proportions of the categories."""
        check_weight(cls.__name__, statistics)
        n, total = statistics.fixed["n"], statistics.total
        return cls(n, total / total.sum() if n else np.full(len(total), 1 / len(total)))
