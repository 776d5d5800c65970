"""Student's t distribution in several dimensions."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.cached import cached_property
from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_vectors
from gramian.distributions.common.distribution import (
    Above0,
    Distribution,
    Vector,
    distribution,
)
from gramian.distributions.common.gamma_differences import digamma_step, log_gamma_step
from gramian.distributions.common.matrices import check_scale_matrix
from gramian.distributions.common.statistics import SufficientSample, check_weight, total_weight
from gramian.distributions.common.student_t_fit import fit_student_t
from gramian.distributions.multivariate.multivariate_gaussian import MultivariateGaussian

_FAR = 600  # distances whose squares overflow are divided by 2 to this power


@distribution
class MultivariateStudentT(Distribution):
    """The density of location + z / sqrt(c / df), z ~ N(0, scale), c chi-squared(df).

    With q(x) = (x - location)' scale^-1 (x - location) it is proportional to
    (1 + q(x) / df)^(-(df + d) / 2); it is the predictive distribution of a normal whose mean and
    covariance were estimated.

    Parameters
    ----------
    df
        Degrees of freedom.
    location
        The centre, shape (d,).
    scale
        Positive definite matrix, shape (d, d), which is not the covariance.

    Examples
    --------
    >>> MultivariateStudentT(4, [0, 1], [[1, 0], [0, 2]]).covariance
    array([[2., 0.],
           [0., 4.]])
    """

    df: Above0
    location: Vector
    scale: Vector

    event_ndim = 1

    def _check(self) -> None:
        location, scale = self._store("location", self.location), self._store("scale", self.scale)
        check_scale_matrix(type(self).__name__, "scale", scale)
        if location.shape != scale.shape[:1]:
            raise ParameterError(
                f"{type(self).__name__}: location and scale must have shapes (d,) and (d, d); got "
                f"{location.shape} and {scale.shape}."
            )

    @property
    def n_features(self) -> int:
        """The number of coordinates d."""
        return len(self.location)

    @property
    def mean(self) -> Floats:
        """The expected value, the location; NaN if df <= 1."""
        return self.location if self.df > 1 else np.full(self.n_features, np.nan)

    @property
    def covariance(self) -> Floats:
        """The covariance matrix, scale df / (df - 2); infinite if df <= 2, NaN if df <= 1."""
        if self.df > 2:
            return np.asarray(self.scale * self.df / (self.df - 2))
        return np.full_like(self.scale, np.inf if self.df > 1 else np.nan)

    @property
    def variance(self) -> Floats:
        """The variance of each coordinate."""
        return np.diag(self.covariance).copy()

    @cached_property
    def _normal(self) -> MultivariateGaussian:
        return MultivariateGaussian(self.location, self.scale)

    def mahalanobis(self, x: npt.ArrayLike) -> Any:
        """Return the squared Mahalanobis distance q(x)."""
        return self._normal.mahalanobis(x)

    def marginal(self, indices: npt.ArrayLike) -> "MultivariateStudentT":
        """Return the distribution of some of the coordinates."""
        part = self._normal.marginal(indices)
        return MultivariateStudentT(self.df, part.mean, part.covariance)

    def conditional(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> "MultivariateStudentT":
        """Return the conditional distribution of the other coordinates, given values of these."""
        known = self._normal.marginal(indices)
        rest = self._normal.conditional(indices, values)
        q = float(known.mahalanobis(np.atleast_1d(np.asarray(values, dtype=np.float64))))
        df = self.df + known.n_features
        factor = (self.df + q) / df
        return MultivariateStudentT(df, rest.mean, factor * rest.covariance)

    def _log_normalizer(self) -> float:
        half, d = self.df / 2, self.n_features
        gammas = float(log_gamma_step(half, d / 2))
        return -gammas + 0.5 * (d * math.log(self.df * math.pi) + self._normal.log_determinant)

    def _log_prob(self, x: Floats) -> Floats:
        q = self.mahalanobis(x)
        exponent = (self.df + self.n_features) / 2
        logs = np.log1p(q / self.df)
        far = np.isinf(logs) & np.isfinite(x).all(axis=-1)
        if far.any():  # q overflows
            smaller = np.ldexp(x - self.location, -_FAR) + self.location
            logs_far = np.log(self.mahalanobis(smaller)) - math.log(self.df)
            logs = np.where(far, logs_far + 2 * _FAR * math.log(2), logs)
        return np.asarray(-self._log_normalizer() - exponent * logs)

    def _entropy(self) -> float:
        exponent = (self.df + self.n_features) / 2
        step = float(digamma_step(self.df / 2, self.n_features / 2))
        return self._log_normalizer() + exponent * step

    def _mgf(self, t: Floats) -> Floats:
        self._check_width(t, self.n_features)
        return np.where((t == 0).all(axis=-1), 1.0, np.inf)

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        z = rng.standard_normal((n, self.n_features)) @ np.linalg.cholesky(self.scale).T
        return self.location + z / np.sqrt(rng.chisquare(self.df, size=n) / self.df)[:, None]

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, df: float | None = None
    ) -> SufficientSample:
        """Return the rows themselves: no smaller statistic is sufficient."""
        X, weights = check_vectors(cls.__name__, data, sample_weight)
        kept = np.ones(len(X)) if weights is None else weights
        return SufficientSample(total_weight(weights, len(X)), X, kept, {"df": df})

    @classmethod
    def from_statistics(cls, statistics: SufficientSample) -> Self:
        """Return the maximum likelihood estimate, by EM; df is at most 1e6."""
        check_weight(cls.__name__, statistics)
        return cls(
            *fit_student_t(
                cls.__name__, statistics.events, statistics.weights, statistics.fixed["df"]
            )
        )
