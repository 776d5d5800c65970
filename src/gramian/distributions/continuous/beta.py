"""The beta distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_numbers, check_support
from gramian.distributions.common.digamma_equations import dirichlet_concentration
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.gamma_differences import dirichlet_entropy, log_beta
from gramian.distributions.common.saddle_point import log_binomial, log_ratio
from gramian.distributions.common.small_quantiles import beta_quantile
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)


@distribution
class Beta(Distribution):
    """The density x^(a - 1) (1 - x)^(b - 1) / B(a, b) of 0 < x < 1.

    Parameters
    ----------
    a, b
        The exponents plus 1; as a prior of a proportion, pseudo-counts of ones and zeros.

    Examples
    --------
    >>> Beta(2, 2).variance
    0.05
    """

    a: Above0
    b: Above0

    @property
    def mean(self) -> float:
        """The expected value, a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """The variance, a b / ((a + b)^2 (a + b + 1))."""
        total = self.a + self.b
        return (self.a / total) * (self.b / total) / (total + 1)

    @property
    def mode(self) -> float:
        """The mode, (a - 1) / (a + b - 2); NaN if a, b <= 1."""
        if self.a > 1 and self.b > 1:
            return (self.a - 1) / (self.a + self.b - 2)
        if self.a <= 1 and self.b <= 1:
            return math.nan
        return 0.0 if self.a <= 1 else 1.0

    def _log_prob(self, x: Floats) -> Floats:
        a, b = self.a, self.b
        inside = (x > 0) & (x < 1)
        p = np.where(inside, x, 0.5)
        value = self._log_density(p, 1 - p)
        at_zero = np.inf if a < 1 else (math.log(b) if a == 1 else -np.inf)
        at_one = np.inf if b < 1 else (math.log(a) if b == 1 else -np.inf)
        outside = np.where(x == 0, at_zero, np.where(x == 1, at_one, -np.inf))
        return np.where(np.isnan(x), np.nan, np.where(inside, value, outside))

    def _log_density(self, p: Any, q: npt.ArrayLike) -> Any:
        """Return the log density at p = 1 - q as a binomial probability times a simple factor."""
        a, b = self.a, self.b
        # If no term is large, the direct formula is exact enough and faster.
        if min(a, b) > 0.01 and max(a, b) < 10:
            return (a - 1) * np.log(p) + (b - 1) * np.log1p(-p) - log_beta(a, b)
        if a >= 1 and b >= 1:
            return log_binomial(a - 1, b - 1, p, q) + math.log(a + b - 1)
        if a >= 1:
            return log_binomial(a - 1, b, p, q) + log_ratio(b, q)
        if b >= 1:
            return log_binomial(a, b - 1, p, q) + log_ratio(a, p)
        small, large = min(a, b), max(a, b)
        return log_binomial(a, b, p, q) + log_ratio(small / (1 + small / large), p) - np.log(q)

    def _cdf(self, x: Floats) -> Floats:
        return special.betainc(self.a, self.b, np.clip(x, 0.0, 1.0))

    def _quantile(self, q: Floats) -> Floats:
        return np.asarray(beta_quantile(self.a, self.b, q))

    def _entropy(self) -> float:
        return dirichlet_entropy(np.array([self.a, self.b]))

    def _mgf(self, t: Floats) -> Floats:
        return np.asarray(special.hyp1f1(self.a, self.a + self.b, t), dtype=np.float64)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.beta(self.a, self.b, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the sums of log x and log(1 - x)."""
        x, weights = check_numbers(cls.__name__, data, sample_weight)
        check_support(cls.__name__, x, (x > 0) & (x < 1), "numbers inside (0, 1)")
        logs = [weighted_sums(np.log(x), weights), weighted_sums(np.log1p(-x), weights)]
        return SufficientSums(total_weight(weights, len(x)), np.array(logs))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return a and b that give the mean logarithms, by Newton's method."""
        mean_logs = statistics.total / check_weight(cls.__name__, statistics)
        return cls(*dirichlet_concentration(cls.__name__, mean_logs).tolist())
