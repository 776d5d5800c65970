"""Exponential families in natural form.

    p(x | eta) = h(x) exp(eta'u(x) - A(eta)),

with base measure h, natural parameter eta, sufficient statistic u and log-normaliser A; in the
notation h(x) g(eta) exp(eta'u(x)), g = exp(-A). The gradient of A is the expected statistic and its
Hessian the covariance of the statistic, so that A is convex, and the maximum of the likelihood
solves the moment equation

    grad A(eta) = sum_i w_i u(x_i) / sum_i w_i.

The conjugate prior is f(chi, nu) exp(nu (eta'chi - A(eta))); data of weight N turn (nu, chi) into
(nu + N, (nu chi + sum_i w_i u(x_i)) / (nu + N)). Reference: Bishop 2006, section 2.4.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.integrate import dblquad, quad
from scipy.optimize import approx_fprime

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.weights import check_sample_weight
from gramian.base.types import Floats, FloatVector
from gramian.distributions.common.statistics import (
    SufficientSums,
    check_weight,
    total_weight,
    weighted_sums,
)

Bounds = tuple[float, float]
_ITERATIONS = 500


@dataclass(frozen=True)
class ExponentialFamily:
    """An exponential family, given by its functions.

    Parameters
    ----------
    statistic
        u, a function from events (along the first axis) to an array (n, k).
    log_normalizer
        A, a function from eta, shape (k,), to a number.
    bounds
        The domain of eta: a pair (low, high) for each coordinate.
    log_base
        log h, a function from events to one number each; None means 0.
    gradient, hessian
        Derivatives of A; None uses finite differences.

    Examples
    --------
    The Poisson family has u(x) = x, A(eta) = exp(eta) and h(x) = 1 / x!:

    >>> import numpy as np
    >>> family = ExponentialFamily(
    ...     lambda x: x[:, None], lambda eta: np.exp(eta[0]), [(-np.inf, np.inf)]
    ... )
    >>> eta = family.maximum_likelihood([2, 0, 4])
    >>> float(np.exp(eta[0]).round(6))
    2.0
    """

    statistic: Callable[[Floats], Floats]
    log_normalizer: Callable[[FloatVector], float]
    bounds: Sequence[Bounds]
    log_base: Callable[[Floats], Floats] | None = None
    gradient: Callable[[FloatVector], Floats] | None = None
    hessian: Callable[[FloatVector], Floats] | None = None

    @property
    def n_parameters(self) -> int:
        """The number of natural parameters k."""
        return len(self.bounds)

    def contains(self, eta: npt.ArrayLike) -> bool:
        """Return whether eta lies inside the domain."""
        point = np.atleast_1d(np.asarray(eta, dtype=np.float64))
        low, high = np.array(self.bounds, dtype=np.float64).T
        return point.shape == low.shape and bool(((point > low) & (point < high)).all())

    def log_prob(self, x: npt.ArrayLike, eta: npt.ArrayLike) -> Floats:
        """Return log p(x | eta) for events along the first axis."""
        point, events = self._point(eta), np.asarray(x, dtype=np.float64)
        base = 0.0 if self.log_base is None else self.log_base(events)
        return np.asarray(base + self.statistic(events) @ point - self.log_normalizer(point))

    def expected_statistic(self, eta: npt.ArrayLike) -> Floats:
        """Return E u(x) = grad A(eta)."""
        point = self._point(eta)
        if self.gradient is not None:
            return np.atleast_1d(np.asarray(self.gradient(point), dtype=np.float64))
        return self._differences(self.log_normalizer, point)

    def covariance_of_statistic(self, eta: npt.ArrayLike) -> Floats:
        """Return the covariance matrix of u(x), the Hessian of A."""
        point = self._point(eta)
        if self.hessian is not None:
            return np.atleast_2d(np.asarray(self.hessian(point), dtype=np.float64))
        H = self._differences(self.expected_statistic, point)
        H = H.reshape(self.n_parameters, self.n_parameters)
        return np.asarray((H + H.T) / 2)

    def sufficient_statistics(
        self, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> SufficientSums:
        """Return the total weight and the weighted sum of u; sums of parts of the data merge."""
        x = np.asarray(data, dtype=np.float64)
        if not len(x):
            return SufficientSums(0.0, np.zeros(self.n_parameters))
        weights = check_sample_weight(type(self).__name__, sample_weight, len(x))
        base = 0.0
        if self.log_base is not None:
            base = float(weighted_sums(np.asarray(self.log_base(x)), weights))
        total = weighted_sums(np.asarray(self.statistic(x), dtype=np.float64), weights)
        return SufficientSums(total_weight(weights, len(x)), total, base)

    def log_likelihood(self, eta: npt.ArrayLike, statistics: SufficientSums) -> float:
        """Return the log-likelihood of the data from their statistics."""
        point = self._point(eta)
        fit = float(point @ statistics.total) - statistics.weight * self.log_normalizer(point)
        return fit + statistics.log_base

    def maximum_likelihood(
        self, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Floats:
        """Return the maximum likelihood estimate of eta."""
        return self.from_statistics(self.sufficient_statistics(data, sample_weight))

    def from_statistics(self, statistics: SufficientSums) -> Floats:
        """Return the maximum likelihood estimate of eta from sufficient statistics."""
        return self.solve_moments(statistics.total / check_weight(type(self).__name__, statistics))

    def solve_moments(self, mean: npt.ArrayLike, start: npt.ArrayLike | None = None) -> Floats:
        """Return the eta with this expected statistic, by Newton's method with step halving."""
        target = np.atleast_1d(np.asarray(mean, dtype=np.float64))
        eta = self._inside() if start is None else self._point(start)
        value = self.log_normalizer(eta) - float(eta @ target)
        for _ in range(_ITERATIONS):
            away = self.expected_statistic(eta) - target
            H = self.covariance_of_statistic(eta)
            if np.linalg.eigvalsh(H)[0] <= 1e-14 * float(target @ target):
                break  # the statistic no longer varies: eta diverges to the boundary
            step = np.linalg.solve(H, away)
            if (np.abs(step) <= 1e-8 * (1 + np.abs(eta))).all():
                return np.asarray(eta - step if self.contains(eta - step) else eta)
            slope, t, now = float(away @ step), 1.0, math.inf
            while t > 1e-12 and now > value - 1e-4 * t * slope + 1e-14 * (1 + abs(value)):
                new = eta - t * step
                if self.contains(new):
                    now = self.log_normalizer(new) - float(new @ target)
                t /= 2
            if t <= 1e-12:
                break
            eta, value = new, now
        raise DataError(
            f"ExponentialFamily: no parameter has the expected statistic {target.tolist()}, which "
            "lies on the boundary of the possible values; use more data, or a prior."
        )

    def conjugate(self, chi: npt.ArrayLike, nu: float) -> "ConjugatePrior":
        """Return the conjugate prior that is worth `nu` events with mean statistic `chi`."""
        return ConjugatePrior(self, np.atleast_1d(np.asarray(chi, dtype=np.float64)), float(nu))

    def _point(self, eta: npt.ArrayLike) -> Floats:
        point = np.atleast_1d(np.asarray(eta, dtype=np.float64))
        if not self.contains(point):
            raise ParameterError(
                f"ExponentialFamily: eta must be inside {list(self.bounds)}; got {point.tolist()}."
            )
        return point

    def _inside(self) -> Floats:
        """Return a point of the domain, near 0."""
        return np.array(
            [
                0.0
                if low < 0 < high
                else (low + 1 if high == math.inf else high - 1)
                if math.inf in (high, -low)
                else (low + high) / 2
                for low, high in self.bounds
            ]
        )

    def _differences(self, function: Callable[[Floats], Any], point: Floats) -> Floats:
        step = 1e-5 * np.maximum(np.abs(point), 0.1)
        columns = []
        for k, h in enumerate(step):
            move = np.zeros_like(point)
            move[k] = h
            if not (self.contains(point + move) and self.contains(point - move)):
                return np.asarray(approx_fprime(point, function, step[k] * 1e-3))
            columns.append((np.asarray(function(point + move)) - function(point - move)) / (2 * h))
        return np.asarray(columns)


@dataclass(frozen=True)
class ConjugatePrior:
    """The density f(chi, nu) exp(nu (eta'chi - A(eta))) of natural parameters.

    Parameters
    ----------
    family
        The exponential family.
    chi
        Mean statistic of the prior events, inside the range of expected statistics.
    nu
        Number of events that the prior is worth.

    Examples
    --------
    >>> from gramian.distributions import Bernoulli
    >>> from gramian.textbook.exponential_families import natural_form
    >>> prior = natural_form(Bernoulli).conjugate(0.5, 4)  # Beta(2, 2) of the probability
    >>> posterior = prior.posterior([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    >>> posterior.nu, posterior.chi.round(6)
    (14.0, array([0.714286]))
    """

    family: ExponentialFamily
    chi: Floats
    nu: float

    def __post_init__(self) -> None:
        """Check the parameters."""
        if not (self.nu > 0 and math.isfinite(self.nu)):
            raise ParameterError(f"ConjugatePrior: nu must be a number > 0; got {self.nu!r}.")
        if self.chi.shape != (self.family.n_parameters,) or not np.isfinite(self.chi).all():
            raise ParameterError(
                f"ConjugatePrior: chi must be {self.family.n_parameters} finite numbers; got "
                f"{self.chi.tolist()}."
            )

    @property
    def expected_statistic(self) -> Floats:
        """E grad A(eta) = chi, also the predictive mean of u (Diaconis and Ylvisaker, 1979)."""
        return self.chi

    @property
    def mode(self) -> Floats:
        """The mode of eta, which solves grad A(eta) = chi."""
        return self.family.solve_moments(self.chi)

    def posterior(
        self, data: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> "ConjugatePrior":
        """Return the posterior after these data; without data it is the prior."""
        return self.update(self.family.sufficient_statistics(data, sample_weight))

    def update(self, statistics: SufficientSums) -> "ConjugatePrior":
        """Return the posterior from sufficient statistics of the data."""
        if not isinstance(statistics, SufficientSums):
            raise DataError(
                "ConjugatePrior: update needs the sufficient_statistics of the family; got "
                f"{type(statistics).__name__}. Pass data to posterior."
            )
        nu = self.nu + statistics.weight
        chi = (self.nu * self.chi + statistics.total) / nu
        return ConjugatePrior(self.family, chi, nu)

    def unnormalized_log_prob(self, eta: npt.ArrayLike) -> float:
        """Return nu (eta'chi - A(eta)); -inf outside the domain."""
        point = np.atleast_1d(np.asarray(eta, dtype=np.float64))
        if not self.family.contains(point):
            return -math.inf
        return self.nu * (float(point @ self.chi) - self.family.log_normalizer(point))

    def log_normalizer(self) -> float:
        """Return -log f(chi, nu), by quadrature over one or two parameters."""
        if self.family.n_parameters > 2:
            raise DataError(
                "ConjugatePrior: the normaliser is integrated over one or two parameters; there "
                f"are {self.family.n_parameters}. Use unnormalized_log_prob."
            )
        mode = self.mode
        top = self.unnormalized_log_prob(mode)
        spread = np.sqrt(np.diag(np.linalg.inv(self.nu * self._curvature(mode))))

        def density(*eta: float) -> float:
            return math.exp(min(self.unnormalized_log_prob(np.array(eta)) - top, 700.0))

        if len(mode) == 1:
            pieces = _pieces(mode[0], spread[0], *self.family.bounds[0])
            total = sum(
                quad(density, a, b, epsabs=0, epsrel=1e-11, limit=200)[0] for a, b in pieces
            )
        else:
            (low, high), (left, right) = self.family.bounds
            outer = _pieces(mode[0], spread[0], low, high)
            inner = _pieces(mode[1], spread[1], left, right)
            swapped = lambda y, x: density(x, y)  # noqa: E731
            total = sum(
                dblquad(swapped, a, b, c, d, epsabs=0, epsrel=1e-8)[0]
                for a, b in outer
                for c, d in inner
            )
        return top + math.log(total)

    def log_prob(self, eta: npt.ArrayLike) -> float:
        """Return the logarithm of the density at eta."""
        return self.unnormalized_log_prob(eta) - self.log_normalizer()

    def log_predictive(self, x: npt.ArrayLike) -> float:
        """Return the joint log density of data x, averaged over eta."""
        statistics = self.family.sufficient_statistics(x)
        after = self.update(statistics).log_normalizer()
        return after - self.log_normalizer() + statistics.log_base

    def _curvature(self, eta: FloatVector) -> Floats:
        return self.family.covariance_of_statistic(eta)


def _pieces(mode: float, spread: float, low: float, high: float) -> list[Bounds]:
    """Divide the domain so that quadrature finds the peak."""
    cuts = [mode + k * spread for k in (-200.0, -30.0, -5.0, 0.0, 5.0, 30.0, 200.0)]
    inner = [cut for cut in cuts if low < cut < high]
    ends = [low, *inner, high]
    return list(pairwise(ends))
