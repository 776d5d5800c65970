"""The beta-binomial distribution."""

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats
from gramian.distributions.common.count_quantiles import smallest_count
from gramian.distributions.common.count_sums import MAX_TABLE, CountSums
from gramian.distributions.common.data_checks import check_counts, check_tabulated, is_count
from gramian.distributions.common.distribution import Above0, Distribution, Trials, distribution
from gramian.distributions.common.polya import (
    generating_function,
    log_beta_binomial,
    polya_concentration,
)
from gramian.distributions.common.simplex import entropy_of_logs
from gramian.distributions.common.statistics import SufficientCounts, check_weight, total_weight


@distribution
class BetaBinomial(Distribution):
    """Number of successes in n trials whose probability of success is Beta(a, b).

    P(x) = C(n, x) B(x + a, n - x + b) / B(a, b), the predictive distribution of n trials under a
    beta prior or posterior.

    Parameters
    ----------
    n
        Number of trials.
    a, b
        Parameters of the beta distribution.

    Examples
    --------
    >>> round(float(BetaBinomial(1, 10, 4).prob(1)), 6)
    0.714286
    """

    n: Trials
    a: Above0
    b: Above0

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value, n a / (a + b)."""
        return self.n * self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """The variance, that of the binomial times (a + b + n) / (a + b + 1)."""
        total = self.a + self.b
        p = self.a / total
        return self.n * p * (self.b / total) * (total + self.n) / (total + 1)

    def _log_prob(self, x: Floats) -> Floats:
        inside = is_count(x) & (x <= self.n)
        value = log_beta_binomial(np.where(inside, x, 0.0), self.n, self.a, self.b)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _sums(self) -> CountSums:
        return CountSums(self.n, self.mean, math.sqrt(self.variance))

    def _log_probs(self, counts: Floats) -> Floats:
        """Return the logarithms of real numbers in the range too, between those of counts."""
        return np.minimum(log_beta_binomial(counts, self.n, self.a, self.b), 0.0)

    def _table(self) -> Floats:
        """Return the distribution function of each count."""
        steps = np.exp(self._log_probs(np.arange(self.n + 1.0))).cumsum()
        steps[-1] = 1.0
        return np.minimum(steps, 1.0)

    def _up_to(self) -> Callable[[Floats], Floats]:
        """Return the distribution function for x >= 0."""
        if self.n <= MAX_TABLE:
            steps = self._table()
            return lambda x: steps[np.minimum(x, self.n).astype(np.intp)]
        sums = self._sums()
        up_to = sums.cumulative(np.exp(self._log_probs(sums.nodes)))
        return lambda x: np.where(x >= self.n, 1.0, np.minimum(up_to(x), 1.0))

    def _cdf(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < self.n)
        value = self._up_to()(np.where(inside, x, 0.0))
        return np.where(inside, value, np.where(np.isnan(x), np.nan, x >= self.n))

    def _quantile(self, q: Floats) -> Floats:
        if self.n <= MAX_TABLE:
            return np.where(q == 1, float(self.n), np.searchsorted(self._table(), q))
        total = self.a + self.b
        # a beta distribution with the mean and variance of the proportion x / n
        scale = (self.n - 1) / (total + self.n)

        def guess(q: Floats) -> Floats:
            return np.asarray(self.n * special.betaincinv(self.a * scale, self.b * scale, q))

        return smallest_count(self._up_to(), q, guess, self.n)

    def _entropy(self) -> float:
        if self.n <= MAX_TABLE:
            return entropy_of_logs(self._log_probs(np.arange(self.n + 1.0)))
        sums = self._sums()
        return sums.entropy(self._log_probs(sums.nodes))

    def _mgf(self, t: Floats) -> Floats:
        if self.n <= MAX_TABLE:
            values = np.stack([np.exp(t), np.ones_like(t)], axis=-1)
            return generating_function(values, np.array([self.a, self.b]), self.n)
        sums = self._sums()
        value = sums.moment_generating(self._log_probs(sums.nodes), t.ravel()).reshape(t.shape)
        ends = np.where(t > 0, np.inf, np.exp(self._log_probs(np.zeros(()))))
        return np.where(np.isinf(t), ends, value)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.binomial(self.n, rng.beta(self.a, self.b, size=n))

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, n: int
    ) -> SufficientCounts:
        """Return the total weight, and the weight of each count; `n` is known."""
        most = check_tabulated(cls.__name__, cls(n, 1, 1).n)
        x, weights = check_counts(cls.__name__, data, sample_weight, most=most)
        codes = x.astype(np.intp)
        ones = np.bincount(codes, weights=weights, minlength=n + 1).astype(np.float64)
        fixed = {"n": int(n)}
        return SufficientCounts(total_weight(weights, len(x)), np.stack([ones, ones[::-1]]), fixed)

    @classmethod
    def from_statistics(cls, statistics: SufficientCounts) -> Self:
        """Return the a and b that maximize the likelihood."""
        weight, n = check_weight(cls.__name__, statistics), statistics.fixed["n"]
        alpha = polya_concentration(cls.__name__, statistics.counts / weight, n)
        return cls(n, *alpha.tolist())
