"""The binomial distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats
from gramian.distributions.common.count_quantiles import (
    cdf_by_count,
    normal_guess,
    smallest_count,
)
from gramian.distributions.common.data_checks import check_counts, is_count
from gramian.distributions.common.distribution import (
    Distribution,
    Probability,
    Trials,
    distribution,
)
from gramian.distributions.common.saddle_point import log_binomial, log_choose
from gramian.distributions.common.simplex import entropy_of_logs, likely_counts
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Binomial(Distribution):
    """Number of successes in n independent trials: P(m) = C(n, m) p^m (1 - p)^(n - m).

    Parameters
    ----------
    n
        Number of trials.
    p
        Probability of success in each trial.

    Examples
    --------
    Eight heads in ten tosses, and their likelihood at the estimate:

    >>> coin = Binomial.fit([8], n=10)
    >>> coin
    Binomial(n=10, p=0.8)
    >>> round(float(coin.prob(8)), 5)
    0.30199
    """

    n: Trials
    p: Probability

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value n p."""
        return self.n * self.p

    @property
    def variance(self) -> float:
        """The variance, n p (1 - p)."""
        return self.n * self.p * (1 - self.p)

    def _log_prob(self, x: Floats) -> Floats:
        inside = is_count(x) & (x <= self.n)
        count = np.where(inside, x, 0.0)
        value = log_binomial(count, self.n - count, self.p, 1 - self.p)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _cdf(self, x: Floats) -> Floats:
        return cdf_by_count(self._cdf_of_each, x)

    def _cdf_of_each(self, x: Floats) -> Floats:
        inside = (x >= 0) & (x < self.n)
        count = np.floor(np.where(inside, x, 0.0))
        if self.p <= 0.5:  # 1 - p would lose digits of a small p
            value = special.betaincc(count + 1, self.n - count, self.p)
        else:
            value = special.betainc(self.n - count, count + 1, 1 - self.p)
        return np.where(inside, value, np.where(np.isnan(x), np.nan, x >= self.n))

    def _quantile(self, q: Floats) -> Floats:
        def guess(q: Floats) -> Floats:
            return normal_guess(self.mean, self.variance, 1 - 2 * self.p, q)

        return smallest_count(self._cdf, q, guess, self.n if self.p else 0.0)

    def _entropy(self) -> float:
        counts, step = likely_counts(self.mean, np.sqrt(self.variance), self.n)
        return step * entropy_of_logs(self.log_prob(counts))

    def _mgf(self, t: Floats) -> Floats:
        return np.asarray(np.exp(self.n * np.log1p(self.p * np.expm1(t))))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.binomial(self.n, self.p, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, n: int
    ) -> SufficientSums:
        """Return the total weight and the weighted number of successes; `n` is known."""
        x, weights = check_counts(cls.__name__, data, sample_weight, most=cls(n, 0.5).n)
        log_h = log_choose(x, n - x)
        return SufficientSums(
            total_weight(weights, len(x)),
            weighted_sums(x[:, None], weights),
            float(weighted_sums(log_h, weights)),
            {"n": int(n)},
        )

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return p = successes / trials."""
        weight, n = check_weight(cls.__name__, statistics), statistics.fixed["n"]
        return cls(n, min(float(statistics.total[0]) / (weight * n), 1.0) if n else 0.0)
