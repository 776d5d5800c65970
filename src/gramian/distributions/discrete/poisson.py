"""The Poisson distribution."""

import math
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
from gramian.distributions.common.distribution import Distribution, From0, distribution
from gramian.distributions.common.gamma_tails import gamma_sf
from gramian.distributions.common.saddle_point import log_poisson
from gramian.distributions.common.simplex import entropy_of_logs, likely_counts
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Poisson(Distribution):
    """Counts of independent rare events: P(x) = exp(-rate) rate^x / x!.

    Parameters
    ----------
    rate
        Expected count.

    Examples
    --------
    >>> Poisson.fit([2, 0, 4])
    Poisson(rate=2.0)
    """

    rate: From0

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value, the rate."""
        return self.rate

    @property
    def variance(self) -> float:
        """The variance, which equals the rate."""
        return self.rate

    def _log_prob(self, x: Floats) -> Floats:
        inside = is_count(x)
        value = log_poisson(np.where(inside, x, 0.0), self.rate)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _cdf(self, x: Floats) -> Floats:
        return cdf_by_count(self._cdf_of_each, x)

    def _cdf_of_each(self, x: Floats) -> Floats:
        inside = (x >= 0) & np.isfinite(x)
        count = np.floor(np.where(inside, x, 0.0))
        value = gamma_sf(count + 1, self.rate, lambda: np.log(np.asarray(self.rate)))
        return np.where(inside, value, np.where(np.isnan(x), np.nan, x > 0))

    def _quantile(self, q: Floats) -> Floats:
        def guess(q: Floats) -> Floats:
            return normal_guess(self.rate, self.rate, 1.0, q)

        return smallest_count(self._cdf, q, guess, math.inf if self.rate else 0.0)

    def _entropy(self) -> float:
        if self.rate > 1e3:  # Stirling's series
            inverse = 1 / self.rate
            tail = inverse / 12 + inverse**2 / 24 + 19 / 360 * inverse**3
            return float(0.5 * (math.log(2 * math.pi * self.rate) + 1) - tail)
        counts, _ = likely_counts(self.rate, math.sqrt(self.rate))
        return entropy_of_logs(self.log_prob(counts))

    def _mgf(self, t: Floats) -> Floats:
        return np.exp(self.rate * np.expm1(t))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.poisson(self.rate, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the weighted sum of the counts."""
        x, weights = check_counts(cls.__name__, data, sample_weight)
        return SufficientSums(
            total_weight(weights, len(x)),
            weighted_sums(x[:, None], weights),
            -float(weighted_sums(special.gammaln(x + 1), weights)),
        )

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the mean count."""
        return cls(float(statistics.total[0]) / check_weight(cls.__name__, statistics))
