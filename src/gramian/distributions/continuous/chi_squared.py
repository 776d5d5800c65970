"""The chi-squared distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_support
from gramian.distributions.common.digamma_equations import inverse_digamma
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)
from gramian.distributions.continuous.gamma import Gamma


@distribution
class ChiSquared(Distribution):
    """The distribution of |z|^2 for z ~ N(0, I) in df dimensions: Gamma(df / 2, 1 / 2).

    Parameters
    ----------
    df
        Degrees of freedom, which need not be an integer.

    Examples
    --------
    >>> ChiSquared(3).mean, ChiSquared(3).variance
    (3.0, 6.0)
    """

    df: Above0

    @property
    def _gamma(self) -> Gamma:
        return Gamma(self.df / 2, 0.5)

    @property
    def mean(self) -> float:
        """The expected value, df."""
        return self.df

    @property
    def variance(self) -> float:
        """The variance, 2 df."""
        return 2 * self.df

    def _log_prob(self, x: Floats) -> Floats:
        return np.asarray(self._gamma.log_prob(x))

    def _cdf(self, x: Floats) -> Floats:
        return np.asarray(self._gamma.cdf(x))

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(self._gamma.quantile(q))

    def _entropy(self) -> float:
        return self._gamma.entropy()

    def _mgf(self, t: Floats) -> Floats:
        return np.asarray(self._gamma.mgf(t))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.chisquare(self.df, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the weighted sum of the logarithms."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        check_support(cls.__name__, x, x > 0, "numbers > 0")
        logs = np.log(x)
        log_h = -float(weighted_sums(x / 2 + logs, weights))
        total = weighted_sums(logs[:, None], weights)
        return SufficientSums(total_weight(weights, len(x)), total, log_h)

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the df with digamma(df / 2) + log 2 = mean logarithm."""
        mean_log = float(statistics.total[0]) / check_weight(cls.__name__, statistics)
        return cls(2 * float(inverse_digamma(mean_log - math.log(2))))
