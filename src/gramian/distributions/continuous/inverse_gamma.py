"""The inverse gamma distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_support
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.gamma_differences import digamma_error, stirling_error
from gramian.distributions.common.gamma_tails import (
    LEAST,
    gamma_sf,
    gamma_upper_quantile,
    log_small_quantile,
)
from gramian.distributions.common.saddle_point import log_poisson, log_ratio
from gramian.distributions.common.statistics import SufficientSums
from gramian.distributions.continuous.gamma import Gamma, shape_and_rate


@distribution
class InverseGamma(Distribution):
    """The distribution of 1 / y for y ~ Gamma(shape, rate=scale).

    Its density is scale^shape / Gamma(shape) x^(-shape - 1) exp(-scale / x) of x > 0; it is the
    conjugate prior of a normal variance.

    Parameters
    ----------
    shape
        The shape a.
    scale
        The scale b.

    Examples
    --------
    >>> InverseGamma(3, 4).mean
    2.0
    """

    shape: Above0
    scale: Above0 = 1.0

    @property
    def mean(self) -> float:
        """The expected value, scale / (shape - 1); infinite if shape <= 1."""
        return self.scale / (self.shape - 1) if self.shape > 1 else math.inf

    @property
    def variance(self) -> float:
        """The variance, mean^2 / (shape - 2); infinite if shape <= 2."""
        return self.mean * (self.mean / (self.shape - 2)) if self.shape > 2 else math.inf

    @property
    def mode(self) -> float:
        """The mode, scale / (shape + 1)."""
        return self.scale / (self.shape + 1)

    def _log_prob(self, x: Floats) -> Floats:
        inside = x > 0
        positive = np.where(inside, x, 1.0)
        log_y = lambda: log_ratio(self.scale, positive)  # noqa: E731
        value = log_poisson(self.shape, self.scale / positive, log_y)
        value = value + log_ratio(self.shape, positive)
        value = np.where(inside & np.isfinite(x), value, -np.inf)
        return np.where(np.isnan(x), np.nan, value)

    def _cdf(self, x: Floats) -> Floats:
        positive = np.where(x > 0, x, 1.0)
        log_y = lambda: log_ratio(self.scale, positive)  # noqa: E731
        value = gamma_sf(self.shape, self.scale / positive, log_y)
        return np.where(np.isnan(x), np.nan, np.where(x > 0, value, 0.0))

    def _quantile(self, q: Floats) -> Floats:
        y = gamma_upper_quantile(self.shape, q)
        tiny = y < LEAST
        if not tiny.any():
            return self.scale / y
        far = np.exp(math.log(self.scale) - log_small_quantile(self.shape, 1 - q))
        return np.where(tiny, far, self.scale / y)

    def _entropy(self) -> float:
        a = self.shape
        leading = math.log(self.scale) + 0.5 * math.log(2 * math.pi) - 1.5 * math.log(a)
        return leading + float(stirling_error(a) - (1 + a) * digamma_error(a))

    def _mgf(self, t: Floats) -> Floats:
        z = np.sqrt(4 * self.scale * np.where(t < 0, -t, 1.0))
        logs = math.log(2) + self.shape * np.log(z / 2) - special.gammaln(self.shape)
        below = np.exp(logs - z) * special.kve(self.shape, z)
        return np.where(t > 0, np.inf, np.where(t == 0, 1.0, np.where(t < 0, below, np.nan)))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return self.scale / rng.standard_gamma(self.shape, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, shape: float | None = None
    ) -> SufficientSums:
        """Return the total weight and the sums of -log x and of 1 / x."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        with np.errstate(over="ignore", divide="ignore"):
            check_support(cls.__name__, x, (x > 0) & np.isfinite(1 / x), "numbers > 0")
        inverses: SufficientSums = Gamma.sufficient_statistics(1 / x, weights, shape=shape)
        return inverses

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the parameters of the gamma distribution of 1 / x."""
        return cls(*shape_and_rate(cls.__name__, statistics))
