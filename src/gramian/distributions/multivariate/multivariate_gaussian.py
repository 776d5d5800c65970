"""The normal distribution in several dimensions."""

import math
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.cached import cached_property
from gramian.base.errors import DataError, ParameterError
from gramian.base.rows.moments import Rows
from gramian.base.types import Floats
from gramian.distributions.common.data_checks import check_vectors
from gramian.distributions.common.distribution import Distribution, Vector, distribution
from gramian.distributions.common.statistics import SufficientMoments, check_weight
from gramian.distributions.continuous.gaussian import Gaussian

_LEAST = 1e-10  # eigenvalues of a correlation matrix below -_LEAST are not rounding errors


class PrincipalAxes(NamedTuple):
    """A covariance matrix by its eigenvectors: U diag(variances) U'."""

    variances: Floats  # in descending order, (d,)
    directions: Floats  # a unit vector per column, (d, d)


@distribution
class MultivariateGaussian(Distribution):
    """The density ((2 pi)^d |S|)^(-1/2) exp(-q(x) / 2), q(x) = (x - mean)' S^-1 (x - mean).

    S may be singular. All mass is then on the plane through the mean spanned by the columns of S,
    and the density is that on the plane, with the rank and the product of the positive eigenvalues
    in place of d and |S|. Outside the plane it is 0.

    Parameters
    ----------
    mean
        The mean, shape (d,).
    covariance
        The covariance matrix S, symmetric and positive semi-definite, shape (d, d).

    Examples
    --------
    >>> joint = MultivariateGaussian([0, 0], [[2, 1], [1, 3]])
    >>> given = joint.conditional([1], [2.0])
    >>> given.mean.round(4), given.covariance.round(4)
    (array([0.6667]), array([[1.6667]]))
    >>> MultivariateGaussian.fit([[0, 1], [2, 1]], covariance="isotropic").covariance.tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """

    mean: Vector
    covariance: Vector

    event_ndim = 1

    def _check(self) -> None:
        mean, S = self._store("mean", self.mean), self._store("covariance", self.covariance)
        owner = type(self).__name__
        if mean.ndim != 1 or not len(mean) or S.shape != 2 * mean.shape:
            raise ParameterError(
                f"{owner}: mean and covariance must have shapes (d,) and (d, d); got {mean.shape} "
                f"and {S.shape}."
            )
        if not np.allclose(S, S.T, rtol=1e-8, atol=1e-8 * np.abs(S).max(initial=0)):
            raise ParameterError(f"{owner}: covariance must be symmetric; got {S.tolist()}.")
        if not np.array_equal(S, S.T):
            self._store("covariance", (S + S.T) / 2)
        if self._scaled.variances[-1] < -_LEAST:
            least = np.linalg.eigvalsh(np.asarray(self.covariance))[0]
            raise ParameterError(
                f"{owner}: covariance must be positive semi-definite; got an eigenvalue of "
                f"{least:.3g}. Increase the diagonal, or check how the matrix was computed."
            )

    # Other parametrizations

    @classmethod
    def from_precision(cls, mean: npt.ArrayLike, precision: npt.ArrayLike) -> Self:
        """Return the distribution with this precision matrix, the inverse of the covariance."""
        made = cls(mean, precision)  # the same checks as for a covariance
        if made.rank < made.n_features:
            raise ParameterError(
                f"{cls.__name__}: precision must be positive definite; got rank {made.rank} of "
                f"{made.n_features}."
            )
        return cls(mean, made.precision)

    @classmethod
    def bivariate(cls, mean: npt.ArrayLike, sigma: npt.ArrayLike, rho: float) -> Self:
        """Return the distribution of two coordinates with these deviations and correlation."""
        s = np.asarray(sigma, dtype=np.float64)
        if s.shape != (2,) or not (s >= 0).all() or not -1 <= rho <= 1:
            raise ParameterError(
                f"{cls.__name__}.bivariate: sigma must be two numbers >= 0 and rho in [-1, 1]; "
                f"got {s.tolist()} and {rho!r}."
            )
        cross = rho * s[0] * s[1]
        return cls(mean, [[s[0] ** 2, cross], [cross, s[1] ** 2]])

    @classmethod
    def isotropic(cls, mean: npt.ArrayLike, variance: float) -> Self:
        """Return the distribution with the same variance in every direction."""
        center = np.asarray(mean, dtype=np.float64)
        return cls(center, Gaussian(0.0, variance).variance * np.eye(center.size))

    @classmethod
    def diagonal(cls, mean: npt.ArrayLike, variances: npt.ArrayLike) -> Self:
        """Return the distribution of independent coordinates with these variances."""
        return cls(mean, np.diag(np.asarray(variances, dtype=np.float64)))

    # The factors, computed once

    @property
    def n_features(self) -> int:
        """The number of coordinates d."""
        return len(np.asarray(self.mean))

    @property
    def variance(self) -> Floats:
        """The variance of each coordinate."""
        return np.diag(np.asarray(self.covariance)).copy()

    @property
    def correlation(self) -> Floats:
        """The matrix of correlations; NaN for a coordinate of variance 0."""
        deviation = np.sqrt(self.variance)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.covariance / np.multiply.outer(deviation, deviation))

    @property
    def axes(self) -> PrincipalAxes:
        """The eigenvectors of the covariance, and the variances of the independent parts."""
        values, vectors = np.linalg.eigh(np.asarray(self.covariance))
        directions = np.ascontiguousarray(vectors[:, ::-1])
        return PrincipalAxes(np.maximum(values[::-1], 0.0), directions)

    @cached_property
    def _units(self) -> Floats:
        """The standard deviation of each coordinate; the largest one if it is 0."""
        units = np.sqrt(np.abs(self.variance))
        largest = units.max()
        return np.where(units > 0, units, largest if largest > 0 else 1.0)

    @cached_property
    def _scaled(self) -> PrincipalAxes:
        """The axes in units of the deviations, so that the rank does not depend on the units."""
        scaled = np.asarray(self.covariance) / np.multiply.outer(self._units, self._units)
        values, vectors = np.linalg.eigh(scaled)
        return PrincipalAxes(values[::-1].copy(), np.ascontiguousarray(vectors[:, ::-1]))

    @property
    def _tolerance(self) -> float:
        values = self._scaled.variances
        return float(np.finfo(np.float64).eps * 10 * len(values) * max(values[0], 0.0))

    @cached_property
    def rank(self) -> int:
        """The rank of the covariance: d unless it is singular."""
        return int((self._scaled.variances > self._tolerance).sum())

    @cached_property
    def _root(self) -> Floats:
        """A with S = A A', shape (d, rank)."""
        values, vectors = self._scaled
        kept = vectors[:, : self.rank] * np.sqrt(values[: self.rank])
        return np.asarray(self._units[:, None] * kept)

    @cached_property
    def log_determinant(self) -> float:
        """The logarithm of |S|, or of the product of the positive eigenvalues."""
        if self.rank == self.n_features:
            values = self._scaled.variances
            return float(np.log(values).sum() + 2 * np.log(self._units).sum())
        sizes = np.abs(np.diag(np.linalg.qr(self._root, mode="r")))
        return float(2 * np.log(sizes).sum())

    @cached_property
    def _whitening(self) -> Floats:
        """W with q(x) = |(x - mean) W|^2 on the plane, shape (d, rank)."""
        values, vectors = self._scaled
        kept = vectors[:, : self.rank] / np.sqrt(values[: self.rank])
        return np.ascontiguousarray(kept / self._units[:, None])

    @property
    def precision(self) -> Floats:
        """The inverse of the covariance, or its pseudo-inverse."""
        if self.rank == self.n_features:
            return self._whitening @ self._whitening.T
        inverse = np.linalg.pinv(self._root)
        return np.asarray(inverse.T @ inverse)

    # Densities

    def mahalanobis(self, x: npt.ArrayLike) -> Any:
        """Return the squared Mahalanobis distance q(x); infinite outside a singular plane."""
        events = self._events(x)
        self._check_width(events, self.n_features)
        rows = np.ascontiguousarray(events.reshape(-1, self.n_features))
        out = np.empty((len(rows), 1))
        if len(rows):
            roots = np.ascontiguousarray(self._whitening.T)[None]
            # the score of a single class is -q(x) / 2
            _native.ClassScores.quadratic(
                np.zeros(1), np.array(self.mean)[None], roots, lower=False
            ).score(_native.Table(rows), scores=out)
            out *= -2
        if self.rank < self.n_features:
            out[self._is_outside(rows - self.mean)] = np.inf
        return out.reshape(events.shape[:-1])[()]

    def _is_outside(self, away: Floats) -> npt.NDArray[np.bool_]:
        null, scaled = self._scaled.directions[:, self.rank :], away / self._units
        size = np.sqrt(self._tolerance) * 10 + 1e-8 * np.abs(scaled).max(axis=1)
        return np.asarray(np.abs(scaled @ null).max(axis=1) > size)

    def _log_prob(self, x: Floats) -> Floats:
        constant = self.rank * math.log(2 * math.pi) + self.log_determinant
        return np.asarray(-0.5 * (self.mahalanobis(x) + constant))

    def _entropy(self) -> float:
        return 0.5 * (self.rank * math.log(2 * math.pi * math.e) + self.log_determinant)

    def _mgf(self, t: Floats) -> Floats:
        return np.asarray(
            np.exp(t @ self.mean + 0.5 * np.einsum("...i,ij,...j->...", t, self.covariance, t))
        )

    def _sample(self, n: int, rng: np.random.Generator) -> Any:
        return self.mean + rng.standard_normal((n, self.rank)) @ self._root.T

    # Parts

    def marginal(self, indices: npt.ArrayLike) -> "MultivariateGaussian":
        """Return the distribution of some of the coordinates."""
        kept = self._indices(indices)
        S = np.asarray(self.covariance)
        return MultivariateGaussian(np.asarray(self.mean)[kept], S[np.ix_(kept, kept)])

    def conditional(self, indices: npt.ArrayLike, values: npt.ArrayLike) -> "MultivariateGaussian":
        """Return the conditional distribution of the other coordinates, given values of these.

        Parameters
        ----------
        indices
            Numbers of the coordinates that are known.
        values
            Their values.

        Returns
        -------
        MultivariateGaussian
            With mean m_a + S_ab S_bb^-1 (values - m_b) and covariance S_aa - S_ab S_bb^-1 S_ba.
        """
        known = self._indices(indices)
        rest = np.setdiff1d(np.arange(self.n_features), known)
        if not len(rest):
            raise ParameterError(
                f"{type(self).__name__}.conditional: indices must not contain all coordinates."
            )
        observed = np.atleast_1d(np.asarray(values, dtype=np.float64))
        part = self.marginal(known)
        if not np.isfinite(part.log_prob(observed)):
            raise DataError(
                f"{type(self).__name__}.conditional: values must be possible; got "
                f"{observed.tolist()}, which are outside the range of the covariance."
            )
        S, mean = np.asarray(self.covariance), np.asarray(self.mean)
        slope = S[np.ix_(rest, known)] @ part.precision
        covariance = S[np.ix_(rest, rest)] - slope @ S[np.ix_(known, rest)]
        return MultivariateGaussian(
            mean[rest] + slope @ (observed - mean[known]), _clean(covariance, S[rest, rest])
        )

    def _indices(self, indices: npt.ArrayLike) -> npt.NDArray[np.intp]:
        found = np.atleast_1d(np.asarray(indices))
        d = self.n_features
        if found.dtype.kind not in "iu" or ((found < -d) | (found >= d)).any() or not found.size:
            raise ParameterError(
                f"{type(self).__name__}: indices must be integers from 0 to {d - 1}; got "
                f"{found.tolist()}."
            )
        found = found.astype(np.intp) % d
        if len(set(found.tolist())) < len(found):
            raise ParameterError(
                f"{type(self).__name__}: indices must differ; got {found.tolist()}."
            )
        return found

    @classmethod
    def _statistics(
        cls,
        data: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        *,
        covariance: Literal["full", "diagonal", "isotropic"] = "full",
    ) -> SufficientMoments:
        """Return the total weight, the mean and the scatter about it, in one pass over the rows.

        `covariance` is the structure of the estimate: "full", "diagonal" (uncorrelated coordinates)
        or "isotropic" (uncorrelated, with equal variances).
        """
        if covariance not in ("full", "diagonal", "isotropic"):
            raise ParameterError(
                f"{cls.__name__}.fit: covariance must be 'full', 'diagonal' or 'isotropic'; got "
                f"{covariance!r}."
            )
        X, weights = check_vectors(cls.__name__, data, sample_weight)
        if not len(X):
            zeros = np.zeros(X.shape[1]), np.zeros(2 * X.shape[1:])
            return SufficientMoments(0.0, *zeros, {"covariance": covariance})
        summary = Rows.of(X, np.empty((len(X), 0)), weights).summarise()
        scatter, fixed = summary.centred(), {"covariance": covariance}
        return SufficientMoments(summary.weight, summary.means, scatter, fixed)

    @classmethod
    def from_statistics(cls, statistics: SufficientMoments) -> Self:
        """Return the mean and the mean scatter (divided by N), which may be singular."""
        weight = check_weight(cls.__name__, statistics)
        variances = np.diag(statistics.scatter) / weight
        structure = statistics.fixed.get("covariance", "full")
        if structure == "diagonal":
            return cls.diagonal(statistics.mean, variances)
        if structure == "isotropic":
            return cls(statistics.mean, variances.mean() * np.eye(len(variances)))
        return cls(statistics.mean, _clean(statistics.scatter / weight, None))


def _clean(S: Floats, scale: Floats | None) -> Floats:
    """Return a symmetric matrix without negative eigenvalues due to rounding."""
    S = (S + S.T) / 2
    values, vectors = np.linalg.eigh(S)
    size = np.abs(S).max(initial=0) if scale is None else np.abs(scale).max(initial=0)
    if values[0] >= 0 or values[0] < -1e-8 * size:
        return np.asarray(S)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)
