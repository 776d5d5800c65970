"""The gamma distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_support
from gramian.distributions.common.digamma_equations import gamma_shape
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.gamma_differences import digamma_error, stirling_error
from gramian.distributions.common.gamma_tails import (
    LEAST,
    gamma_cdf,
    gamma_quantile,
    log_small_quantile,
)
from gramian.distributions.common.saddle_point import log_poisson, log_ratio
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Gamma(Distribution):
    """The density rate^shape / Gamma(shape) x^(shape - 1) exp(-rate x) of x > 0.

    Parameters
    ----------
    shape
        The shape a.
    rate
        The rate, 1 / scale.

    Examples
    --------
    >>> Gamma(shape=3, rate=2).mean
    1.5
    >>> round(Gamma.fit([1.0, 2.0, 6.0]).mean, 12)
    3.0
    """

    shape: Above0
    rate: Above0 = 1.0

    @property
    def mean(self) -> float:
        """The expected value, shape / rate."""
        return self.shape / self.rate

    @property
    def variance(self) -> float:
        """The variance, shape / rate^2."""
        return self.mean / self.rate

    @property
    def mode(self) -> float:
        """The mode: (shape - 1) / rate, or 0 if shape < 1."""
        return max(self.shape - 1, 0.0) / self.rate

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x > 0) & np.isfinite(x)
        positive = np.where(inside, x, 1.0)
        y, log_y = positive * self.rate, lambda: self._log_scaled(positive)
        if self.shape >= 1:
            value = log_poisson(self.shape - 1, y, log_y) + math.log(self.rate)
        else:  # shape / x times a density of shape + 1
            value = log_poisson(self.shape, y, log_y) + log_ratio(self.shape, positive)
        at_zero = math.log(self.rate) if self.shape == 1 else math.copysign(np.inf, 1 - self.shape)
        outside = np.where(x == 0, at_zero, -np.inf)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, outside))

    def _cdf(self, x: Floats) -> Floats:
        positive = np.maximum(x, 0.0)
        return gamma_cdf(self.shape, positive * self.rate, lambda: self._log_scaled(positive))

    def _log_scaled(self, x: Floats) -> Floats:
        """Return log(rate x), even if rate x underflows."""
        return np.log(x) + math.log(self.rate)

    def _quantile(self, q: Floats) -> Floats:
        y = gamma_quantile(self.shape, q)
        tiny = y < LEAST
        if not tiny.any():
            return y / self.rate
        return np.where(
            tiny, np.exp(log_small_quantile(self.shape, q) - math.log(self.rate)), y / self.rate
        )

    def _entropy(self) -> float:
        a = self.shape
        leading = 0.5 * math.log(2 * math.pi * a) - math.log(self.rate)
        return leading + float(stirling_error(a) + (1 - a) * digamma_error(a))

    def _mgf(self, t: Floats) -> Floats:
        ratio = np.minimum(t / self.rate, 1.0)
        return np.where(t >= self.rate, np.inf, np.exp(-self.shape * np.log1p(-ratio)))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.standard_gamma(self.shape, size=n) / self.rate

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, shape: float | None = None
    ) -> SufficientSums:
        """Return the total weight and the sums of log x and of x."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        check_support(cls.__name__, x, x > 0, "numbers > 0")
        sums = np.array([weighted_sums(np.log(x), weights), weighted_sums(x, weights)])
        return SufficientSums(total_weight(weights, len(x)), sums, fixed={"shape": shape})

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the shape with log a - digamma(a) = log mean - mean log, and shape / mean."""
        return cls(*shape_and_rate(cls.__name__, statistics))


def shape_and_rate(owner: str, statistics: SufficientSums) -> tuple[float, float]:
    """Return the maximum likelihood estimate from the sums of log x and of x."""
    weight = check_weight(owner, statistics)
    mean_log, mean = (statistics.total / weight).tolist()
    shape = statistics.fixed["shape"]
    if shape is None:
        shape = gamma_shape(owner, math.log(mean) - mean_log)
    return shape, shape / mean
