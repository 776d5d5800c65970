"""The normal distribution in one dimension."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr, ndtri

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers
from gramian.distributions.common.distribution import Distribution, Finite, From0, distribution
from gramian.distributions.common.statistics import SufficientMoments, check_weight, total_weight


@distribution
class Gaussian(Distribution):
    """The normal density (2 pi v)^(-1/2) exp(-(x - mean)^2 / (2 v)), v the variance.

    A variance of 0, the estimate if all data are equal, gives a point mass at the mean.

    Parameters
    ----------
    mean
        The mean.
    variance
        The variance, the square of the standard deviation.

    Examples
    --------
    >>> Gaussian.fit([1.0, 3.0])
    Gaussian(mean=2.0, variance=1.0)
    >>> round(float(Gaussian().quantile(0.975)), 4)
    1.96
    """

    mean: Finite = 0.0
    variance: From0 = 1.0

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    def _z(self, x: Floats) -> Floats:
        return (x - self.mean) / self.standard_deviation

    def _log_prob(self, x: Floats) -> Floats:
        if self.variance == 0:
            return np.where(np.isnan(x), np.nan, np.where(x == self.mean, 0.0, -np.inf))
        z = self._z(x)
        return -0.5 * z * z - (0.5 * math.log(2 * math.pi) + math.log(self.standard_deviation))

    def _cdf(self, x: Floats) -> Floats:
        if self.variance == 0:
            return np.where(np.isnan(x), np.nan, (x >= self.mean).astype(np.float64))
        z = self._z(x)
        value = ndtr(z)
        far = z < -37  # SciPy's underflows to 0 too early
        return np.where(far, np.exp(log_ndtr(z)), value) if far.any() else value

    def _quantile(self, q: Floats) -> Floats:
        if self.variance == 0:
            return np.full_like(q, self.mean)
        return self.mean + self.standard_deviation * ndtri(q)

    def _entropy(self) -> float:
        if self.variance == 0:
            return 0.0
        return 0.5 * math.log(2 * math.pi * math.e) + math.log(self.standard_deviation)

    def _mgf(self, t: Floats) -> Floats:
        return np.exp(t * self.mean + t * t * self.variance / 2)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return self.mean + self.standard_deviation * rng.standard_normal(n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientMoments:
        """Return the total weight, the mean and the sum of squares about it."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        weight = total_weight(weights, len(x))
        if not weight:
            return SufficientMoments(0.0, 0.0, 0.0)
        mean = float(np.average(x, weights=weights))
        away = x - mean
        mean += float(np.average(away, weights=weights))  # corrects the rounding of the first sum
        away = x - mean
        scatter = away @ away if weights is None else away @ (weights * away)
        return SufficientMoments(weight, mean, float(scatter))

    @classmethod
    def from_statistics(cls, statistics: SufficientMoments) -> Self:
        """Return the mean, and the mean square about it (divided by N, not by N - 1)."""
        weight = check_weight(cls.__name__, statistics)
        return cls(float(statistics.mean), float(statistics.scatter) / weight)
