"""The uniform distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers
from gramian.distributions.common.distribution import Distribution, Finite, distribution
from gramian.distributions.common.statistics import SufficientRange, check_weight, total_weight


@distribution
class Uniform(Distribution):
    """The density 1 / (high - low) of low <= x <= high.

    Parameters
    ----------
    low, high
        The ends.

    Examples
    --------
    >>> Uniform.fit([2.0, 5.0, 3.0])
    Uniform(low=2.0, high=5.0)
    """

    low: Finite = 0.0
    high: Finite = 1.0

    def _check(self) -> None:
        if not self.low < self.high or math.isinf(self.high - self.low):
            raise ParameterError(
                f"{type(self).__name__}: low must be less than high, and high - low finite; got "
                f"{self.low} and {self.high}."
            )

    @property
    def _width(self) -> float:
        return self.high - self.low

    @property
    def mean(self) -> float:
        """The expected value, the middle."""
        return self.low + self._width / 2

    @property
    def variance(self) -> float:
        """The variance, (high - low)^2 / 12."""
        return self._width * (self._width / 12)

    def _log_prob(self, x: Floats) -> Floats:
        inside = (x >= self.low) & (x <= self.high)
        value = np.where(inside, -math.log(self._width), -np.inf)
        return np.where(np.isnan(x), np.nan, value)

    def _cdf(self, x: Floats) -> Floats:
        return np.clip((x - self.low) / self._width, 0.0, 1.0)

    def _quantile(self, q: Floats) -> Floats:
        return self.low + q * self._width

    def _entropy(self) -> float:
        return math.log(self._width)

    def _mgf(self, t: Floats) -> Floats:
        end = np.where(t > 0, self.high, self.low)  # where exp(t x) is largest
        width = np.abs(t) * self._width
        mean_ratio: Floats = np.where(
            width == 0, 1.0, -np.expm1(-width) / np.where(width == 0, 1.0, width)
        )
        return np.exp(t * end) * mean_ratio

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.uniform(self.low, self.high, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientRange:
        """Return the total weight and the range of the events of positive weight."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        kept = x if weights is None else x[weights > 0]
        low, high = float(kept.min(initial=np.inf)), float(kept.max(initial=-np.inf))
        return SufficientRange(total_weight(weights, len(x)), low, high)

    @classmethod
    def from_statistics(cls, statistics: SufficientRange) -> Self:
        """Return the range."""
        check_weight(cls.__name__, statistics)
        if statistics.low == statistics.high:
            raise DataError(
                f"{cls.__name__}: the likelihood is unbounded, because all events are "
                f"{statistics.low:g}; use events that differ."
            )
        return cls(statistics.low, statistics.high)
