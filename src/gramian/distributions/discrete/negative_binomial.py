"""The negative binomial distribution."""

import math
from numbers import Real
from typing import Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from scipy import special, stats
from scipy.optimize import brentq

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import Interval
from gramian.base.types import Floats
from gramian.distributions.common.count_quantiles import cdf_by_count, smallest_count
from gramian.distributions.common.count_sums import MAX_TABLE, CountSums
from gramian.distributions.common.data_checks import LARGEST_COUNT, check_counts, is_count
from gramian.distributions.common.distribution import Above0, Distribution, distribution
from gramian.distributions.common.saddle_point import log_negative_binomial
from gramian.distributions.common.simplex import entropy_of_logs
from gramian.distributions.common.statistics import SufficientCounts, check_weight, total_weight

_MAX_COUNT = 1e280


@distribution
class NegativeBinomial(Distribution):
    """Number of failures before success r: P(x) = Gamma(x + r) / (Gamma(r) x!) p^r (1 - p)^x.

    r need not be an integer. It is the predictive distribution of a Poisson count whose rate is
    Gamma(r, b): p = b / (b + 1).

    Parameters
    ----------
    r
        Number of successes.
    p
        Probability of success in each trial.

    Examples
    --------
    >>> NegativeBinomial(2, 0.5).mean
    2.0
    """

    r: Above0
    p: Annotated[float, Interval(Real, 0, 1, open_low=True)]

    discrete = True

    @property
    def mean(self) -> float:
        """The expected value, r (1 - p) / p."""
        return self.r * (1 - self.p) / self.p

    @property
    def variance(self) -> float:
        """The variance, r (1 - p) / p^2, which exceeds the mean."""
        return self.mean / self.p

    def _log_prob(self, x: Floats) -> Floats:
        inside = is_count(x)
        count = np.where(inside, x, 0.0)
        value = log_negative_binomial(count, self.r, self.p, 1 - self.p)
        return np.where(np.isnan(x), np.nan, np.where(inside, value, -np.inf))

    def _cdf(self, x: Floats) -> Floats:
        return cdf_by_count(lambda counts: stats.nbinom.cdf(counts, self.r, self.p), x)

    def _quantile(self, q: Floats) -> Floats:
        def guess(q: Floats) -> Floats:
            """Return quantiles of the gamma distribution of the same mean and variance."""
            return np.asarray(special.gammaincinv(self.r * (1 - self.p), q) / self.p, float)

        return smallest_count(self._cdf, q, guess, 0.0 if self.p == 1 else math.inf)

    def _entropy(self) -> float:
        deviation = math.sqrt(self.mean) / math.sqrt(self.p)  # the variance may overflow
        high = self.mean + 60 * deviation + 800 / self.p  # beyond, probabilities are negligible
        if not high < _MAX_COUNT:
            raise ParameterError(
                f"NegativeBinomial: entropy needs counts below {_MAX_COUNT:g}; likely "
                f"counts reach {high:g}. Such counts are close to Gamma(r, p / (1 - p)), whose "
                "entropy is nearly the same."
            )
        if high <= MAX_TABLE:
            return entropy_of_logs(self.log_prob(np.arange(np.ceil(high))))
        sums = CountSums(math.ceil(high), self.mean, deviation)
        logs = log_negative_binomial(sums.nodes, self.r, self.p, 1 - self.p)
        return sums.entropy(np.minimum(logs, 0.0))

    def _mgf(self, t: Floats) -> Floats:
        odds = (1 - self.p) / self.p * np.expm1(t)
        inside = np.exp(-self.r * np.log1p(-np.minimum(odds, 1.0)))
        return np.where(odds >= 1, np.inf, inside)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.negative_binomial(self.r, self.p, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, r: float | None = None
    ) -> SufficientCounts:
        """Return the total weight, and the weight of each count."""
        x, weights = check_counts(cls.__name__, data, sample_weight, most=LARGEST_COUNT)
        counts = np.bincount(x.astype(np.intp), weights=weights, minlength=1).astype(np.float64)
        return SufficientCounts(total_weight(weights, len(x)), counts, {"r": r})

    @classmethod
    def from_statistics(cls, statistics: SufficientCounts) -> Self:
        """Return p = r / (r + mean), with the r that maximizes the likelihood."""
        weight = check_weight(cls.__name__, statistics)
        mean = float(statistics.counts @ np.arange(len(statistics.counts))) / weight
        r = statistics.fixed["r"]
        if r is None:
            r = _successes(cls.__name__, statistics.counts / weight, mean)
        return cls(r, r / (r + mean))


def _successes(owner: str, proportions: Floats, mean: float) -> float:
    """Solve the likelihood equation for r: sum_j P(X > j) / (r + j) = log(1 + mean / r)."""
    values = np.arange(len(proportions))
    if float(proportions @ (values - mean) ** 2) <= mean * (1 + 1e-12):
        raise DataError(
            f"{owner}: the likelihood has no maximum, because the variance of the events does not "
            "exceed their mean; fit a Poisson distribution, or fix r."
        )
    above = proportions[::-1].cumsum()[::-1][1:]  # P(X > j)

    def slope(log_r: float) -> float:
        r = math.exp(log_r)
        return float((above / (r + values[:-1])).sum() - math.log1p(mean / r))

    low, high = -1.0, 1.0
    while slope(low) < 0:
        low -= 2
    while slope(high) > 0 and high < 40:
        high += 2
    return math.exp(brentq(slope, low, high, xtol=1e-14, rtol=1e-14))
