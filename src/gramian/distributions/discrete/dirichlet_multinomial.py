"""The Dirichlet-multinomial distribution."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.count_sums import MAX_TABLE, CountSums
from gramian.distributions.common.data_checks import (
    check_support,
    check_tabulated,
    check_vectors,
    is_count,
)
from gramian.distributions.common.distribution import (
    Distribution,
    Trials,
    Vector,
    distribution,
)
from gramian.distributions.common.gamma_differences import log_gamma_curvature
from gramian.distributions.common.polya import (
    generating_function,
    log_beta_binomial,
    polya_concentration,
)
from gramian.distributions.common.saddle_point import log_negative_binomial
from gramian.distributions.common.simplex import multinomial_covariance, sums_of_others
from gramian.distributions.common.statistics import SufficientCounts, check_weight, total_weight

_MAX_MOMENTS = 10**5


@distribution
class DirichletMultinomial(Distribution):
    """Counts of K categories in n trials whose probabilities are Dirichlet(alpha).

    It is the predictive distribution of n trials under a Dirichlet prior or posterior.

    Parameters
    ----------
    n
        Number of trials.
    alpha
        Parameters of the Dirichlet distribution, shape (K,), K >= 2.

    Examples
    --------
    >>> DirichletMultinomial(4, [2, 1, 1]).mean
    array([2., 1., 1.])
    """

    n: Trials
    alpha: Vector

    event_ndim = 1
    discrete = True

    def _check(self) -> None:
        alpha = self._store("alpha", self.alpha)
        if alpha.ndim != 1 or len(alpha) < 2 or (alpha <= 0).any():
            raise ParameterError(
                f"{type(self).__name__}: alpha must be two or more numbers > 0; got "
                f"{alpha.tolist()}."
            )

    @property
    def mean(self) -> Floats:
        """The expected counts, n alpha / alpha_0."""
        return np.asarray(self.n * self.alpha / self.alpha.sum())

    @property
    def variance(self) -> Floats:
        """The variance of each count."""
        return np.diag(self.covariance).copy()

    @property
    def covariance(self) -> Floats:
        """The covariance matrix, (K, K): the multinomial's times (alpha_0 + n) / (alpha_0 + 1)."""
        total = self.alpha.sum()
        multinomial = self.n * multinomial_covariance(self.alpha)
        return np.asarray(multinomial * ((total + self.n) / (total + 1)))

    def _log_prob(self, x: Floats) -> Floats:
        self._check_width(x, len(self.alpha))
        inside = is_count(x).all(axis=-1) & (x.sum(axis=-1) == self.n)
        left = np.full(x.shape[:-1], float(self.n))
        later = self.alpha[::-1].cumsum()[::-1]
        value = np.zeros(x.shape[:-1])
        for k in range(len(self.alpha) - 1):  # one category against the later ones
            count = np.where(inside, x[..., k], 0.0)
            value += log_beta_binomial(count, left, self.alpha[k], later[k + 1])
            left = left - count
        value = np.where(inside, value, -np.inf)
        return np.where(np.isnan(x).any(axis=-1), np.nan, value)

    def _entropy(self) -> float:
        """Return the entropy by sums over each count, which is beta-binomial.

        As in `log_beta_binomial`, a probability is that of negative binomial counts, each with its
        own alpha_k, given their sum n.
        """
        n, whole, others = self.n, float(self.alpha.sum()), sums_of_others(self.alpha)
        p, q = whole / (n + whole), n / (n + whole)
        top = int(self.alpha.argmax())
        # -log of the probability that all trials have the same outcome; if that is likely, the
        # logarithms are computed relative to this event
        all_alike = float(log_gamma_curvature(self.alpha[top], others[top], n))
        total = all_alike if all_alike < 1 else float(log_negative_binomial(n, whole, p, q))
        means, deviations = self.mean, np.sqrt(self.variance)
        for k, a in enumerate(self.alpha):
            if n <= MAX_TABLE:
                counts, weights = np.arange(n + 1.0), np.ones(())
            else:
                sums = CountSums(n, means[k], deviations[k])
                counts, weights = sums.nodes, sums.weights
            weights = weights * np.exp(log_beta_binomial(counts, n, a, others[k]))
            logs = log_negative_binomial(counts, a, p, q)
            base = 0.0
            if all_alike < 1:
                base = float(log_negative_binomial(n if k == top else 0, a, p, q))
            total += float((weights * (base - logs)).sum())
        return max(total, 0.0)

    def _mgf(self, t: Floats) -> Floats:
        self._check_width(t, len(self.alpha))
        if self.n > _MAX_MOMENTS:
            raise ParameterError(
                f"DirichletMultinomial: mgf needs n <= {_MAX_MOMENTS}, because its cost grows with "
                f"n^2; got n={self.n}. For large n, it is close to Dirichlet(alpha).mgf(n t)."
            )
        return generating_function(np.exp(t), self.alpha, self.n)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return rng.multinomial(self.n, rng.dirichlet(self.alpha, size=n))

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, n: int
    ) -> SufficientCounts:
        """Return the total weight, and the weight of each count of each category."""
        n = check_tabulated(cls.__name__, cls(n, [1, 1]).n)
        x, weights = check_vectors(cls.__name__, data, sample_weight)
        inside = is_count(x).all(axis=1) & (x.sum(axis=1) == n)
        check_support(cls.__name__, x, inside, f"counts, integers >= 0, that sum to n={n}")
        tables = [np.bincount(c, weights=weights, minlength=n + 1) for c in x.T.astype(np.intp)]
        fixed = {"n": int(n)}
        return SufficientCounts(
            total_weight(weights, len(x)), np.stack(tables).astype(np.float64), fixed
        )

    @classmethod
    def from_statistics(cls, statistics: SufficientCounts) -> Self:
        """Return the alpha that maximizes the likelihood."""
        weight, n = check_weight(cls.__name__, statistics), statistics.fixed["n"]
        return cls(n, polya_concentration(cls.__name__, statistics.counts / weight, n))
