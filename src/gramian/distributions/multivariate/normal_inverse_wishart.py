"""The normal-inverse-Wishart distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.cached import cached_property
from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_support, check_vectors
from gramian.distributions.common.distribution import (
    Above0,
    Distribution,
    Vector,
    distribution,
)
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    weighted_sums,
)
from gramian.distributions.multivariate.inverse_wishart import InverseWishart
from gramian.distributions.multivariate.multivariate_student_t import MultivariateStudentT


@distribution
class NormalInverseWishart(Distribution):
    """A covariance matrix S ~ InverseWishart(df, scale) and a mean m ~ N(mean, S / kappa).

    It is the conjugate prior of both parameters of a multivariate normal. An event is a pair
    (m, S): `log_prob` takes and `sample` returns such a pair of arrays.

    Parameters
    ----------
    mean
        Expected mean, shape (d,).
    kappa
        Weight of the expected mean, as a number of observations.
    df
        Degrees of freedom, above d - 1.
    scale
        Positive definite matrix, shape (d, d).

    Examples
    --------
    >>> prior = NormalInverseWishart([0, 0], kappa=1, df=5, scale=[[2, 0], [0, 2]])
    >>> prior.predictive().df
    4.0
    """

    mean: Vector
    kappa: Above0
    df: Above0
    scale: Vector

    event_ndim = 1

    def _check(self) -> None:
        mean = self._store("mean", self.mean)
        self._store("scale", self.covariance_distribution.scale)
        if mean.shape != self.scale.shape[:1]:
            raise ParameterError(
                f"{type(self).__name__}: mean and scale must have shapes (d,) and (d, d); got "
                f"{mean.shape} and {self.scale.shape}."
            )

    @property
    def n_features(self) -> int:
        """The number of coordinates d."""
        return len(self.mean)

    @cached_property
    def covariance_distribution(self) -> InverseWishart:
        """The distribution of S."""
        return InverseWishart(self.df, self.scale)

    @property
    def mean_distribution(self) -> MultivariateStudentT:
        """The marginal distribution of m."""
        free = self.df - self.n_features + 1
        return MultivariateStudentT(free, self.mean, self.scale / (self.kappa * free))

    @property
    def variance(self) -> Floats:
        """The variance of each coordinate of m; infinite if df <= d + 1."""
        return self.mean_distribution.variance

    @property
    def mode(self) -> tuple[Floats, Floats]:
        """The mode, a pair (m, S)."""
        return self.mean, np.asarray(self.scale / (self.df + self.n_features + 2))

    def predictive(self) -> MultivariateStudentT:
        """Return the distribution of a row of a normal whose parameters have this distribution."""
        free = self.df - self.n_features + 1
        factor = (self.kappa + 1) / (self.kappa * free)
        return MultivariateStudentT(free, self.mean, factor * self.scale)

    def _events(self, x: Any) -> Any:
        try:
            mean, covariance = x
        except (TypeError, ValueError):
            raise DataError(
                f"{type(self).__name__}: an event must be a pair (mean, covariance)."
            ) from None
        return super()._events(mean), super()._events(covariance)

    def _log_prob(self, x: Any) -> Any:
        mean, S = x
        self._check_width(mean, self.n_features)
        of_matrix = self.covariance_distribution.log_prob(S)
        possible = np.isfinite(of_matrix)
        safe = np.where(np.asarray(possible)[..., None, None], S, np.eye(self.n_features))
        away = mean - self.mean
        q = (away * np.linalg.solve(safe, away[..., None])[..., 0]).sum(axis=-1)
        logs = self.n_features * math.log(2 * math.pi / self.kappa) + np.linalg.slogdet(safe)[1]
        return np.where(possible, of_matrix - 0.5 * (logs + self.kappa * q), -np.inf)

    def _entropy(self) -> float:
        inverse_wishart = self.covariance_distribution
        normal = self.n_features * math.log(2 * math.pi * math.e / self.kappa)
        return inverse_wishart.entropy() + 0.5 * (
            normal + inverse_wishart.expected_log_determinant()
        )

    def _mgf(self, t: Any) -> Any:
        """Return E exp(t'm + trace(T S)) of a pair (t, T): given S, m is normal.

        It is exp(t' mean) times that of S at T + t t' / (2 kappa): infinite for t other than 0
        unless T compensates for it.
        """
        along, T = t
        self._check_width(along, self.n_features)
        outer = along[..., :, None] * along[..., None, :]
        of_matrix = self.covariance_distribution.mgf(T + outer / (2 * self.kappa))
        return np.exp(along @ self.mean) * of_matrix

    def sample(self, n: int | None = None, random_state: object = None) -> Any:
        """Draw pairs (means, covariances), of shapes (n, d) and (n, d, d); without n, one pair."""
        means, matrices = super().sample(1 if n is None else n, random_state)
        return (means[0], matrices[0]) if n is None else (means, matrices)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        matrices = self.covariance_distribution._sample(n, rng)
        roots = np.linalg.cholesky(matrices / self.kappa)
        z = rng.standard_normal((n, self.n_features, 1))
        return self.mean + (roots @ z)[..., 0], matrices

    @classmethod
    def _statistics(cls, data: Any, sample_weight: npt.ArrayLike | None) -> SufficientSums:
        """Return the sums of log |S|, S^-1, S^-1 m and m' S^-1 m, row by row."""
        try:
            means, matrices = data
        except (TypeError, ValueError):
            raise DataError(f"{cls.__name__}: data must be a pair (means, covariances).") from None
        m, weights = check_vectors(cls.__name__, means, sample_weight)
        of_matrices = InverseWishart.sufficient_statistics(matrices, sample_weight)
        S = np.asarray(matrices, dtype=np.float64)
        check_support(cls.__name__, m, np.full(len(m), S.shape == (*m.shape, m.shape[1])), "pairs")
        solved = np.linalg.solve(S, m[..., None])[..., 0]
        u = np.hstack([solved, (m * solved).sum(axis=1, keepdims=True)])
        total = np.concatenate([of_matrices.total, weighted_sums(u, weights)])
        return SufficientSums(of_matrices.weight, total)

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return the maximum: means weighted by S^-1, and the inverse Wishart estimate of S."""
        weight = check_weight(cls.__name__, statistics)
        total = statistics.total
        d = (math.isqrt(4 * len(total) - 7) - 1) // 2  # 1 + d^2 + d + 1 numbers
        matrices = SufficientSums(weight, total[: 1 + d * d])
        precision = total[1 : 1 + d * d].reshape(d, d)
        mean = np.linalg.solve(precision, total[1 + d * d : -1])
        spread = float(total[-1] - mean @ total[1 + d * d : -1]) / weight
        if not spread > 1e-14 * abs(float(total[-1])) / weight:
            raise DataError(
                f"{cls.__name__}: the likelihood is unbounded, because the means are equal; use "
                "means that differ, or a prior."
            )
        inverse_wishart = InverseWishart.from_statistics(matrices)
        return cls(mean, d / spread, inverse_wishart.df, inverse_wishart.scale)
