"""Losses of a positive mean exp(z): counts and amounts. The link is the logarithm."""

import numpy as np
from scipy.special import xlogy

from gramian.base.types import Floats
from gramian.objectives.loss import Loss


def _log_mean(y: Floats, weights: Floats | None) -> Floats:
    mean = float(np.average(y, weights=weights))
    return np.asarray(np.log([max(mean, np.finfo(float).tiny)]))


class Poisson(Loss):
    """Minus the log-likelihood of counts with mean exp(z), without its constant ln y!.

    ::

        L = exp(z) - y z,    dL/dz = exp(z) - y,    d2L/dz2 = exp(z)

    Half the Poisson deviance, up to a term in y alone. The link is the logarithm.

    Examples
    --------
    >>> float(Poisson().derivative(3.0, np.log(3.0)).round(12))
    0.0
    """

    targets = "count"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return exp(z) - y z."""
        return np.exp(z) - np.multiply(y, z)

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return exp(z) - y."""
        return np.exp(z) - np.asarray(y)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return exp(z)."""
        return np.broadcast_to(np.exp(z), np.broadcast(y, z).shape)

    def mean(self, z: Floats) -> Floats:
        """Return exp(z), the expected count."""
        return np.exp(z)

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the logarithm of the weighted mean."""
        return _log_mean(y, weights)


class Gamma(Loss):
    """Minus the log-likelihood of gamma-distributed amounts with mean exp(z), up to its scale.

    ::

        L = z + y exp(-z),    dL/dz = 1 - y exp(-z),    d2L/dz2 = y exp(-z)

    Half the gamma deviance, up to a term in y alone.

    Examples
    --------
    >>> float(Gamma().derivative(3.0, np.log(3.0)).round(12))
    0.0
    """

    targets = "positive"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return z + y exp(-z)."""
        return np.asarray(z + np.asarray(y) * np.exp(np.negative(z)))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return 1 - y exp(-z)."""
        return 1.0 - self.curvature(y, z)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return y exp(-z)."""
        return np.asarray(np.asarray(y) * np.exp(np.negative(z)))

    def mean(self, z: Floats) -> Floats:
        """Return exp(z), the expected amount."""
        return np.exp(z)

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the logarithm of the weighted mean."""
        return _log_mean(y, weights)


def half_poisson_deviance(y: Floats, mean: Floats) -> Floats:
    """Return mean - y + y ln(y / mean): the `Poisson` loss of ln(mean) above its minimum.

    Examples
    --------
    >>> half_poisson_deviance(np.array([0.0, 2.0]), np.array([1.0, 2.0]))
    array([1., 0.])
    """
    return np.asarray(mean - y + xlogy(y, y / mean))
