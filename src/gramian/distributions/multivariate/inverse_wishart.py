"""The inverse Wishart distribution."""

import math
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from gramian.base.cached import cached_property
from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_matrices, check_support
from gramian.distributions.common.distribution import (
    Above0,
    Distribution,
    Vector,
    distribution,
)
from gramian.distributions.common.gamma_differences import (
    digamma_error,
    log_gamma_step,
    stirling_error,
)
from gramian.distributions.common.matrices import (
    check_scale_matrix,
    cholesky_where_possible,
    is_positive_definite,
    multivariate_digamma,
)
from gramian.distributions.common.saddle_point import log_poisson
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)
from gramian.distributions.continuous.inverse_gamma import InverseGamma


@distribution
class InverseWishart(Distribution):
    """Random positive definite matrices, the conjugate prior of a normal covariance matrix.

    The density of X is proportional to

        |scale|^(df/2) |X|^(-(df + d + 1)/2) exp(-trace(scale X^-1) / 2).

    Parameters
    ----------
    df
        Degrees of freedom, above d - 1.
    scale
        Positive definite matrix, shape (d, d).

    Examples
    --------
    >>> InverseWishart(6, [[2, 0], [0, 4]]).mean
    array([[0.66666667, 0.        ],
           [0.        , 1.33333333]])
    """

    df: Above0
    scale: Vector

    event_ndim = 2

    def _check(self) -> None:
        scale = self._store("scale", self.scale)
        check_scale_matrix(type(self).__name__, "scale", scale)
        if not self.df > len(scale) - 1:
            raise ParameterError(
                f"{type(self).__name__}: df must be above d - 1 = {len(scale) - 1}; got {self.df}."
            )

    @property
    def n_features(self) -> int:
        """The number of rows d."""
        return len(self.scale)

    @cached_property
    def _root(self) -> Floats:
        return np.linalg.cholesky(self.scale)

    @cached_property
    def _log_determinant(self) -> float:
        return 2 * float(np.log(np.diag(self._root)).sum())

    @property
    def mean(self) -> Floats:
        """The expected matrix, scale / (df - d - 1); infinite if df <= d + 1."""
        free = self.df - self.n_features - 1
        return np.asarray(self.scale / free) if free > 0 else np.full_like(self.scale, np.inf)

    @property
    def mode(self) -> Floats:
        """The mode, scale / (df + d + 1)."""
        return np.asarray(self.scale / (self.df + self.n_features + 1))

    @property
    def variance(self) -> Floats:
        """The variance of each entry, (d, d); infinite if df <= d + 3."""
        free = self.df - self.n_features
        if free <= 3:
            return np.full_like(self.scale, np.inf)
        diagonal = np.diag(self.scale)
        top = (free + 1) * self.scale**2 + (free - 1) * np.outer(diagonal, diagonal)
        return np.asarray(top / (free * (free - 1) ** 2 * (free - 3)))

    def expected_log_determinant(self) -> float:
        """Return E log |X|."""
        d = self.n_features
        digamma = multivariate_digamma(self.df / 2, d)
        return self._log_determinant - d * math.log(2) - digamma

    def _check_shape(self, x: Any) -> None:
        d = self.n_features
        if x.shape[-2:] != (d, d):
            raise DataError(
                f"{type(self).__name__}: events must be matrices of shape {(d, d)} on the last "
                f"axes; got shape {x.shape}."
            )

    def _log_prob(self, x: Floats) -> Floats:
        """Return the log density, whose terms are large and nearly cancel for large df.

        Let M = L^-1 R, lower triangular, with scale = R R' and X = L L'. Then |scale X^-1| is the
        product of the M_ii^2 and the trace of scale X^-1 is the sum of all M_ij^2, so the large
        terms are those of Poisson probabilities of df / 2 with the means M_ii^2 / 2.
        """
        d, half = self.n_features, self.df / 2
        self._check_shape(x)
        inside, roots = cholesky_where_possible(x)
        M = np.tril(np.linalg.solve(roots, np.broadcast_to(self._root, roots.shape)))
        diagonal = np.diagonal(roots, axis1=-2, axis2=-1)
        ratios = np.diag(self._root) / diagonal
        i = np.arange(d)
        constant = log_gamma_step(half - i / 2, 1 + i / 2).sum() - d * (d - 1) / 4 * math.log(
            math.pi
        )
        value = constant + log_poisson(half, ratios * ratios / 2).sum(axis=-1)
        value = value - 0.5 * (np.tril(M, -1) ** 2).sum(axis=(-2, -1))
        value = value - (d + 1) * np.log(diagonal).sum(axis=-1)
        return np.where(inside, value, -np.inf)

    def _entropy(self) -> float:
        """Return the entropy from the remainders of log Gamma and digamma."""
        d, half = self.n_features, self.df / 2
        i = np.arange(d)
        b = half - i / 2  # of log Gamma_d(df / 2)
        logs = 0.5 * math.log(2 * math.pi) + i / 2 - (i + d + 2) / 2 * np.log(b)
        rests = stirling_error(b) - (half + (d + 1) / 2) * digamma_error(b)
        gammas = d * (d - 1) / 4 * math.log(math.pi) + float((logs + rests).sum())
        return gammas + 0.5 * (d + 1) * (self._log_determinant - d * math.log(2))

    def _mgf(self, t: Floats) -> Floats:
        """Return E exp(trace(T X)) of symmetric T.

        It is infinite if T has an eigenvalue above 0, and has a closed form if all but one are 0:
        v' X v is inverse gamma.
        """
        self._check_shape(t)
        return np.asarray(np.vectorize(self._mgf_at, signature="(d,d)->()", otypes=[float])(t))

    def _mgf_at(self, T: Floats) -> float:
        values, vectors = np.linalg.eigh((T + T.T) / 2)
        count = int((np.abs(values) > 1e-12 * np.abs(values).max()).sum())
        if count == 0:
            return 1.0
        if values[-1] > 1e-12 * np.abs(values).max():
            return math.inf
        if count > 1:
            raise NotImplementedError(
                f"{type(self).__name__} has no closed form for the moment-generating function at a "
                f"matrix of rank {count}; average over draws of sample()."
            )
        v = vectors[:, 0]
        along = InverseGamma((self.df - self.n_features + 1) / 2, float(v @ self.scale @ v) / 2)
        return float(along.mgf(values[0]))

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        d = self.n_features
        T = np.zeros((n, d, d))  # Bartlett: T T' is Wishart(df, I)
        rows, columns = np.tril_indices(d, -1)
        T[:, rows, columns] = rng.standard_normal((n, len(rows)))
        T[:, range(d), range(d)] = np.sqrt(rng.chisquare(self.df - np.arange(d), size=(n, d)))
        Y = np.linalg.solve(T, np.broadcast_to(self._root.T, T.shape))
        return Y.transpose(0, 2, 1) @ Y

    @classmethod
    def _statistics(
        cls, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> SufficientSums:
        """Return the total weight and the sums of log |X| and of X^-1, row by row."""
        X, weights = check_matrices(cls.__name__, data, sample_weight)
        if X.shape[1] != X.shape[2]:
            raise DataError(f"{cls.__name__}: matrices must be square; got shape {X.shape}.")
        d = X.shape[1]
        check_support(
            cls.__name__, X, is_positive_definite(X), "symmetric positive definite matrices"
        )
        logs = np.linalg.slogdet(X)[1][:, None]
        u = np.hstack([logs, np.linalg.inv(X).reshape(len(X), d * d)])
        return SufficientSums(total_weight(weights, len(X)), weighted_sums(u, weights))

    @classmethod
    def from_statistics(cls, statistics: SufficientSums) -> Self:
        """Return scale = df (mean X^-1)^-1, and the df that maximizes the likelihood.

        df solves d log(df / 2) - psi_d(df / 2) = log |mean X^-1| + mean log |X|.
        """
        means = statistics.total / check_weight(cls.__name__, statistics)
        d = math.isqrt(len(means) - 1)
        inverse = means[1:].reshape(d, d)
        target = float(np.linalg.slogdet(inverse)[1] + means[0])
        if not target > 1e-12:
            raise DataError(
                f"{cls.__name__}: the likelihood is unbounded, because the matrices are equal or "
                "almost equal; use matrices that differ, or a prior."
            )

        def excess(log_free: float) -> float:
            half = (math.exp(log_free) + d - 1) / 2
            return d * math.log(half) - multivariate_digamma(half, d) - target

        low, high = -1.0, 1.0
        while excess(low) < 0:
            low -= 2
        while excess(high) > 0:
            high += 2
        df = math.exp(brentq(excess, low, high, xtol=1e-14, rtol=1e-14)) + d - 1
        scale = df * np.linalg.inv(inverse)
        return cls(df, (scale + scale.T) / 2)
