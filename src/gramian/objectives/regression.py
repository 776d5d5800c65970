"""Regression losses, for numeric targets: squared, absolute, quantile, epsilon-insensitive."""

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.objectives.loss import Loss


class SquaredError(Loss):
    """Half the squared error.

    ::

        L = 1/2 (z - y)^2,    dL/dz = z - y,    d2L/dz2 = 1

    The factor 1/2 is that of Bishop (2006, 3.12); Hastie, Tibshirani and Friedman (2009, 3.2)
    have none.

    Examples
    --------
    >>> float(SquaredError().value(1.0, 4.0))
    4.5
    """

    quadratic = True

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return 1/2 (z - y)^2."""
        return 0.5 * np.square(np.subtract(z, y))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return z - y."""
        return 1.0 * np.subtract(z, y)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 1."""
        return np.ones(np.broadcast(y, z).shape)

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the weighted mean."""
        return np.array([np.average(y, weights=weights)])


class AbsoluteError(Loss):
    """The absolute error.

    ::

        L = |z - y|,    dL/dz = sign(z - y)

    At the kink z = y the subgradient is 0.

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

    def left_derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -1 up to y and 1 above."""
        return np.where(np.greater(z, y), 1.0, -1.0)

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines z - y and y - z."""
        y = np.asarray(y, dtype=float)
        return [(np.ones_like(y), -y), (-np.ones_like(y), y)]

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the weighted median."""
        return np.array([weighted_quantile(y, weights, 0.5)])


class EpsilonInsensitive(Loss):
    """The loss of support vector regression: errors inside a tube cost nothing.

    ::

        L = max(0, |z - y| - epsilon),    dL/dz = sign(z - y) outside the tube, 0 inside

    At the kinks `|z - y| = epsilon` the subgradient is 0.

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


class SquaredEpsilonInsensitive(Loss):
    """The squared epsilon-insensitive loss, which is differentiable everywhere.

    ::

        L = max(0, |z - y| - epsilon)^2,    dL/dz = 2 sign(z - y) max(0, |z - y| - epsilon)

    The curvature jumps from 0 to 2 at the edge of the tube; its value there is 0.

    Parameters
    ----------
    epsilon
        Half the width of the tube.

    Examples
    --------
    >>> SquaredEpsilonInsensitive(0.5).value(0.0, [0.25, -2.0])
    array([0.  , 2.25])
    """

    def __init__(self, epsilon: float = 0.1) -> None:
        self.tube = EpsilonInsensitive(epsilon)

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return `max(0, |z - y| - epsilon)^2`."""
        return np.square(self.tube.value(y, z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return 2 sign(z - y) max(0, `|z - y|` - epsilon)."""
        return 2.0 * np.sign(np.subtract(z, y)) * self.tube.value(y, z)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 2 outside the tube and 0 inside."""
        return 2.0 * np.square(self.tube.derivative(y, z))

    @property
    def curvature_bound(self) -> float:
        """2."""
        return 2.0


class Quantile(Loss):
    """The pinball loss, whose expected value is minimised by the q-quantile.

    ::

        L = q (y - z) where z < y,  (1 - q) (z - y) where z >= y

    With q = 1/2 it is half the absolute error. At the kink z = y the subgradient is 1 - q.

    Parameters
    ----------
    q
        The level of the quantile, between 0 and 1.

    Examples
    --------
    >>> Quantile(0.9).value(0.0, [-1.0, 1.0]).round(4)
    array([0.9, 0.1])
    """

    smoothness = "kinked"
    kink = "at z = y"

    def __init__(self, q: float = 0.5) -> None:
        if not 0 <= q <= 1:
            raise ParameterError(f"Quantile: q must be a number in [0, 1]; got {q!r}.")
        self.q = q

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return q (y - z) below y and (1 - q) (z - y) above."""
        r = np.subtract(z, y)
        return np.where(r >= 0, (1 - self.q) * r, -self.q * r)

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -q below y and 1 - q from y on."""
        return np.where(np.subtract(z, y) >= 0, 1 - self.q, -self.q)

    def left_derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -q up to y and 1 - q above."""
        return np.where(np.greater(z, y), 1 - self.q, -self.q)

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines (1 - q) (z - y) and q (y - z)."""
        y = np.asarray(y, dtype=float)
        one = np.ones_like(y)
        return [((1 - self.q) * one, (self.q - 1) * y), (-self.q * one, self.q * y)]

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the weighted q-quantile."""
        return np.array([weighted_quantile(y, weights, self.q)])


class Huber(Loss):
    """Huber's loss: squares of small errors, absolute values of large ones.

    ::

        L = 1/2 r^2 where |r| <= epsilon,  epsilon |r| - 1/2 epsilon^2 beyond,    r = z - y

    Parameters
    ----------
    epsilon
        The absolute error above which the loss is linear.

    Examples
    --------
    >>> Huber(1.0).value(0.0, [0.5, 3.0])
    array([0.125, 2.5  ])
    """

    def __init__(self, epsilon: float = 1.35) -> None:
        if not epsilon > 0:
            raise ParameterError(f"Huber: epsilon must be a number > 0; got {epsilon!r}.")
        self.epsilon = epsilon

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return 1/2 r^2, or epsilon `|r|` - 1/2 epsilon^2 for large errors."""
        size = np.abs(np.subtract(z, y))
        inside = np.minimum(size, self.epsilon)
        return np.asarray(inside * (size - 0.5 * inside))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return r clipped to [-epsilon, epsilon]."""
        return np.asarray(np.clip(np.subtract(z, y), -self.epsilon, self.epsilon))

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 1 where the error is at most epsilon, else 0."""
        return np.where(np.abs(np.subtract(z, y)) <= self.epsilon, 1.0, 0.0)

    @property
    def curvature_bound(self) -> float:
        """1."""
        return 1.0


def weighted_quantile(y: Floats, weights: Floats | None, q: float) -> float:
    """Return the q-quantile, the midpoint of two values if q falls between them.

    Examples
    --------
    >>> weighted_quantile(np.array([1.0, 2.0, 9.0]), None, 0.5)
    2.0
    """
    if weights is not None and not weights.all():  # ignore rows of weight 0
        y, weights = y[weights > 0], weights[weights > 0]
    order = np.argsort(y, kind="stable")
    up_to = np.cumsum(np.ones(len(y)) if weights is None else weights[order])
    level, tolerance = q * up_to[-1], 1e-12 * up_to[-1]
    at = int(np.searchsorted(up_to, level - tolerance))
    at = min(at, len(y) - 1)
    value = float(y[order[at]])
    if up_to[at] <= level + tolerance and at + 1 < len(y):
        value = 0.5 * (value + float(y[order[at + 1]]))
    return value
