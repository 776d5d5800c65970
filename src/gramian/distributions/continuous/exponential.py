"""The exponential distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_support
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Exponential(Distribution):
    """The density rate exp(-rate x) of x >= 0.

    Parameters
    ----------
    rate
        The rate, 1 / mean.

    Examples
    --------
    >>> Exponential.fit([1.0, 2.0, 3.0])
    Exponential(rate=0.5)
    """

    rate: Above0 = 1.0

    @property
    def mean(self) -> float:
        """The expected value, 1 / rate."""
        return 1 / self.rate

    @property
    def variance(self) -> float:
        """The variance, 1 / rate^2."""
        return self.mean * self.mean

    def _log_prob(self, x: Floats) -> Floats:
        value = np.where(x >= 0, math.log(self.rate) - self.rate * x, -np.inf)
        return np.where(np.isnan(x), np.nan, value)

    def _cdf(self, x: Floats) -> Floats:
        return -np.expm1(-self.rate * np.maximum(x, 0.0))

    def _quantile(self, q: Floats) -> Floats:
        return -np.log1p(-q) / self.rate

    def _entropy(self) -> float:
        return 1 - math.log(self.rate)

    def _mgf(self, t: Floats) -> Floats:
        return np.where(t >= self.rate, np.inf, self.rate / (self.rate - t))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.standard_exponential(n) / self.rate

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the weighted sum."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        check_support(cls.__name__, x, x >= 0, "numbers >= 0")
        return SufficientSums(total_weight(weights, len(x)), weighted_sums(x[:, None], weights))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the rate, 1 / mean."""
        weight, total = check_weight(cls.__name__, statistics), float(statistics.total[0])
        if not total > 0:
            raise DataError(
                f"{cls.__name__}: the likelihood is unbounded, because all events are 0; use "
                "events that differ, or a prior."
            )
        return cls(weight / total)
