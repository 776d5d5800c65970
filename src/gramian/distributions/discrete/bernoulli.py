"""The Bernoulli distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import entr, xlog1py

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_counts
from gramian.distributions.common.distribution import Distribution, Probability, distribution
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Bernoulli(Distribution):
    """One trial that succeeds, 1, or fails, 0: P(x) = p^x (1 - p)^(1 - x).

    Parameters
    ----------
    p
        Probability of 1.

    Examples
    --------
    >>> Bernoulli.fit([1, 0, 1, 1])
    Bernoulli(p=0.75)
    >>> Bernoulli(0.5).entropy(base=2)
    1.0
    """

    p: Probability

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value p."""
        return self.p

    @property
    def variance(self) -> float:
        """The variance, p (1 - p)."""
        return self.p * (1 - self.p)

    @property
    def mode(self) -> int:
        """The mode: 1 if p > 1/2, else 0."""
        return int(self.p > 0.5)

    def _log_prob(self, x: Floats) -> Floats:
        one, zero = np.log(self.p), np.log1p(-self.p)
        inside = np.where(x == 1, one, np.where(x == 0, zero, -np.inf))
        return np.where(np.isnan(x), np.nan, inside)

    def _cdf(self, x: Floats) -> Floats:
        inside = np.where(x < 0, 0.0, np.where(x < 1, 1 - self.p, 1.0))
        return np.where(np.isnan(x), np.nan, inside)

    def _quantile(self, q: Floats) -> Floats:
        return np.where(q <= 1 - self.p, 0.0, 1.0)

    def _entropy(self) -> float:
        return float(entr(self.p) - xlog1py(1 - self.p, -self.p))

    def _mgf(self, t: Floats) -> Floats:
        return 1 + self.p * np.expm1(t)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return (rng.random(n) < self.p).astype(np.int64)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the weight of the ones."""
        x, weights = check_counts(cls.__name__, data, sample_weight, most=1)
        return SufficientSums(total_weight(weights, len(x)), weighted_sums(x[:, None], weights))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return p = weight of the ones / total weight."""
        weight = check_weight(cls.__name__, statistics)
        return cls(min(float(statistics.total[0]) / weight, 1.0))
