"""The Dirichlet distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_support, check_vectors
from gramian.distributions.common.digamma_equations import dirichlet_concentration
from gramian.distributions.common.distribution import Distribution, Vector, distribution
from gramian.distributions.common.gamma_differences import (
    dirichlet_entropy,
    log_factorial_rest,
    log_gamma_step,
)
from gramian.distributions.common.polya import dirichlet_mgf
from gramian.distributions.common.saddle_point import deviance, log_ratio
from gramian.distributions.common.simplex import (
    TOLERANCE,
    is_on_simplex,
    multinomial_covariance,
    sum_minus_one,
    sums_of_others,
)
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)
from gramian.distributions.continuous.beta import Beta


@distribution
class Dirichlet(Distribution):
    """The density Gamma(alpha_0) / prod Gamma(alpha_k) prod x_k^(alpha_k - 1) of proportions x.

    alpha_0 is the sum of alpha. The density is that of the first K - 1 coordinates; the last is 1
    minus their sum.

    Parameters
    ----------
    alpha
        Positive numbers, shape (K,), K >= 2; as a prior of probabilities, pseudo-counts of the
        categories.

    Examples
    --------
    >>> Dirichlet([2, 1, 1]).mean
    array([0.5 , 0.25, 0.25])
    """

    alpha: Vector

    event_ndim = 1

    def _check(self) -> None:
        alpha = self._store("alpha", self.alpha)
        if alpha.ndim != 1 or len(alpha) < 2 or (alpha <= 0).any():
            raise ParameterError(
                f"{type(self).__name__}: alpha must be two or more numbers > 0; got "
                f"{alpha.tolist()}."
            )

    @property
    def total(self) -> float:
        """alpha_0, the sum of alpha."""
        return float(self.alpha.sum())

    @property
    def mean(self) -> Floats:
        """The expected proportions, alpha / alpha_0."""
        return np.asarray(self.alpha / self.total)

    @property
    def variance(self) -> Floats:
        """The variance of each proportion."""
        return np.diag(self.covariance).copy()

    @property
    def covariance(self) -> Floats:
        """The covariance matrix, (K, K), of rank K - 1."""
        return np.asarray(multinomial_covariance(self.alpha) / (self.total + 1))

    @property
    def mode(self) -> Floats:
        """The mode, (alpha - 1) / (alpha_0 - K); NaN unless all alpha > 1."""
        if (self.alpha <= 1).any():
            return np.full(len(self.alpha), np.nan)
        return np.asarray((self.alpha - 1) / (self.total - len(self.alpha)))

    def marginal(self, k: int) -> Beta:
        """Return the distribution of one proportion."""
        return Beta(float(self.alpha[k]), float(sums_of_others(self.alpha)[k]))

    def _log_prob(self, x: Floats) -> Floats:
        self._check_width(x, len(self.alpha))
        value = self._log_density(x)
        inside = (x >= 0).all(axis=-1) & (np.abs(x.sum(axis=-1) - 1) <= TOLERANCE)
        value = np.where(inside, value, -np.inf)
        return np.where(np.isnan(x).any(axis=-1), np.nan, value)

    def _log_density(self, x: Floats) -> Floats:
        """Return the log density as a multinomial probability times simple factors.

        Counts are b_k = alpha_k - 1, or alpha_k with the factor alpha_k / x_k if that is negative.
        With c and D of `saddle_point` and b_0 = sum_k b_k, the logarithm of
        Gamma(b_0 + 1) prod x_k^b_k / Gamma(b_k + 1) is

            c(b_0) - sum_k c(b_k) - b_0 sum_k D(b_k / b_0, x_k) + b_0 (sum_k x_k - 1).
        """
        small = self.alpha < 1
        b = np.where(small, self.alpha, self.alpha - 1)
        whole, more = float(b.sum()), int((~small).sum()) - 1  # alpha_0 = whole + 1 + more
        value = log_gamma_step(whole + 1, more) if more >= 0 else -np.log(whole)
        value = value + log_factorial_rest(whole) - log_factorial_rest(b).sum()
        if whole > 0:
            away = sum(deviance(b_k / whole, x[..., k]) for k, b_k in enumerate(b))
            value = value - whole * (away - sum_minus_one(x))
        for k in np.flatnonzero(small):
            value = value + log_ratio(self.alpha[k], x[..., k])
        return np.asarray(value)

    def _entropy(self) -> float:
        return dirichlet_entropy(self.alpha)

    def _mgf(self, t: Floats) -> Floats:
        self._check_width(t, len(self.alpha))
        return dirichlet_mgf(t, self.alpha)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.dirichlet(self.alpha, size=n)

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the sums of the logarithms of each proportion."""
        x, weights = check_vectors(cls.__name__, data, sample_weight)
        check_support(cls.__name__, x, is_on_simplex(x), "positive proportions that sum to 1")
        return SufficientSums(total_weight(weights, len(x)), weighted_sums(np.log(x), weights))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the alpha that gives the mean logarithms, by Newton's method (Minka, 2000)."""
        mean_logs = statistics.total / check_weight(cls.__name__, statistics)
        return cls(dirichlet_concentration(cls.__name__, mean_logs))
