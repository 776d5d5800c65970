"""Losses of a regression: squares, absolute values, a tube, counts. Targets are numbers."""

import numpy as np

from gramian.base.errors import ParameterError
from gramian.objectives.loss import Floats, Loss


class SquaredError(Loss):
    """The squared error.

    ::

        L = 1/2 (z - y)^2,    dL/dz = z - y,    d2L/dz2 = 1

    The factor 1/2 is that of Bishop (2006, 3.12); ``half=False`` gives (z - y)^2 as in
    Hastie, Tibshirani and Friedman (2009, 3.2), and doubles both derivatives.

    Parameters
    ----------
    half
        Whether the factor 1/2 is there.

    Examples
    --------
    >>> float(SquaredError().value(1.0, 4.0)), float(SquaredError(half=False).value(1.0, 4.0))
    (4.5, 9.0)
    """

    quadratic = True

    def __init__(self, half: bool = True) -> None:
        self.half = half

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return 1/2 (z - y)^2, or twice that."""
        return self.curvature_bound / 2 * np.square(np.subtract(z, y))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return z - y, or twice that."""
        return self.curvature_bound * np.subtract(z, y)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 1, or 2."""
        return np.full(np.broadcast(y, z).shape, self.curvature_bound)

    @property
    def curvature_bound(self) -> float:
        """The curvature itself, a constant."""
        return 1.0 if self.half else 2.0


class AbsoluteError(Loss):
    """The absolute error.

    ::

        L = |z - y|,    dL/dz = sign(z - y)

    At the kink z = y the subgradient given is 0.

    Examples
    --------
    >>> AbsoluteError().derivative([1.0, 1.0, 1.0], [0.0, 1.0, 3.0])
    array([-1.,  0.,  1.])
    """

    smoothness = "kinked"
    kink = "at z = y"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return `|z - y|`."""
        return np.abs(np.subtract(z, y))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return sign(z - y)."""
        return np.sign(np.subtract(z, y))

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines z - y and y - z."""
        y = np.asarray(y, dtype=float)
        return [(np.ones_like(y), -y), (-np.ones_like(y), y)]


class EpsilonInsensitive(Loss):
    """The loss of support vector regression: errors inside a tube cost nothing.

    ::

        L = max(0, |z - y| - epsilon),    dL/dz = sign(z - y) outside the tube, 0 inside

    At the kinks `|z - y| = epsilon` the subgradient given is 0.

    Parameters
    ----------
    epsilon
        Half the width of the tube.

    Examples
    --------
    >>> EpsilonInsensitive(0.5).value(0.0, [0.25, -2.0])
    array([0. , 1.5])
    """

    smoothness = "kinked"
    kink = "at |z - y| = epsilon"

    def __init__(self, epsilon: float = 0.1) -> None:
        if not epsilon >= 0:
            raise ParameterError(
                f"EpsilonInsensitive: epsilon must be a number >= 0; got {epsilon!r}."
            )
        self.epsilon = epsilon

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return `max(0, |z - y| - epsilon)`."""
        return np.maximum(0.0, np.abs(np.subtract(z, y)) - self.epsilon)

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return sign(z - y) outside the tube and 0 inside."""
        r = np.subtract(z, y)
        return np.where(np.abs(r) > self.epsilon, np.sign(r), 0.0)

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines z - y - epsilon, y - z - epsilon and 0."""
        y = np.asarray(y, dtype=float)
        one = np.ones_like(y)
        return [(one, -y - self.epsilon), (-one, y - self.epsilon), (0 * one, 0 * one)]


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
