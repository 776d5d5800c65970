"""The beta-binomial distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_counts, is_count
from gramian.distributions.common.distribution import Above0, Distribution, Trials, distribution
from gramian.distributions.common.polya import (
    generating_function,
    log_beta_binomial,
    polya_concentration,
)
from gramian.distributions.common.simplex import entropy_of_logs
from gramian.distributions.common.statistics import SufficientCounts, check_weight, total_weight


@distribution
class BetaBinomial(Distribution):
    """Number of successes in n trials whose probability of success is Beta(a, b).

    P(x) = C(n, x) B(x + a, n - x + b) / B(a, b), the predictive distribution of n trials under a
    beta prior or posterior.

    Parameters
    ----------
    n
        Number of trials.
    a, b
        Parameters of the beta distribution.

    Examples
    --------
    >>> round(float(BetaBinomial(1, 10, 4).prob(1)), 6)
    0.714286
    """

    n: Trials
    a: Above0
    b: Above0

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value, n a / (a + b)."""
        return self.n * self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """The variance, that of the binomial times (a + b + n) / (a + b + 1)."""
        total = self.a + self.b
        p = self.a / total
        return self.n * p * (self.b / total) * (total + self.n) / (total + 1)

    def _log_prob(self, x: Floats) -> Floats:
        inside = is_count(x) & (x <= self.n)
        value = log_beta_binomial(np.where(inside, x, 0.0), self.n, self.a, self.b)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _table(self) -> Floats:
        return np.asarray(self.prob(np.arange(self.n + 1.0)))

    def _cdf(self, x: Floats) -> Floats:
        steps = np.concatenate([[0.0], np.minimum(self._table().cumsum(), 1.0)])
        steps[-1] = 1.0
        place = np.clip(np.floor(np.where(np.isnan(x), 0, x)) + 1, 0, self.n + 1)
        return np.where(np.isnan(x), np.nan, steps[place.astype(np.intp)])

    def _quantile(self, q: Floats) -> Floats:
        steps = np.minimum(self._table().cumsum(), 1.0)
        steps[-1] = 1.0
        return np.searchsorted(steps, q, side="left").astype(np.float64)

    def _entropy(self) -> float:
        return entropy_of_logs(np.asarray(self.log_prob(np.arange(self.n + 1.0))))

    def _mgf(self, t: Floats) -> Floats:
        values = np.stack([np.exp(t), np.ones_like(t)], axis=-1)
        return generating_function(values, np.array([self.a, self.b]), self.n)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.binomial(self.n, rng.beta(self.a, self.b, size=n))

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, n: int
    ) -> SufficientCounts:
        """Return the total weight, and the weight of each count; `n` is known."""
        x, weights = check_counts(cls.__name__, data, sample_weight, most=cls(n, 1, 1).n)
        codes = x.astype(np.intp)
        ones = np.bincount(codes, weights=weights, minlength=n + 1).astype(np.float64)
        fixed = {"n": int(n)}
        return SufficientCounts(total_weight(weights, len(x)), np.stack([ones, ones[::-1]]), fixed)

    @classmethod
    def from_statistics(cls, statistics: SufficientCounts) -> Self:
        """Return the a and b that maximize the likelihood."""
        weight, n = check_weight(cls.__name__, statistics), statistics.fixed["n"]
        alpha = polya_concentration(cls.__name__, statistics.counts / weight, n)
        return cls(n, *alpha.tolist())
