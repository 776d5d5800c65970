"""Losses of a margin y z: two classes, labels -1 and 1, the sign of the score z is the decision."""

import numpy as np
from scipy.special import expit

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.objectives.entropy import log_odds
from gramian.objectives.loss import Loss


class PerceptronLoss(Loss):
    """The perceptron loss: only misclassified rows have a cost, in proportion to the score.

    ::

        L = max(0, -y z),    dL/dz = -y where y z <= 0, else 0

    Some texts call this the hinge loss, which is max(0, 1 - y z), see `Hinge`. At the kink z = 0
    the subgradient is -y, so that gradient descent can start at zero.

    Examples
    --------
    >>> PerceptronLoss().value([1, 1, -1], [2.0, -3.0, 0.5])
    array([0. , 3. , 0.5])
    """

    smoothness = "kinked"
    kink = "at z = 0"
    targets = "sign"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return max(0, -y z)."""
        return np.maximum(0.0, -_margin(y, z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -y where y z <= 0, else 0."""
        return np.where(_margin(y, z) <= 0, np.negative(y), 0.0)

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines -y z and 0."""
        y = np.asarray(y, dtype=float)
        return [(-y, 0 * y), (0 * y, 0 * y)]


class Hinge(Loss):
    """The hinge loss of support vector machines: the slack of margins below 1.

    ::

        L = max(0, 1 - y z),    dL/dz = -y where y z < 1, else 0

    At the kink y z = 1 the subgradient is 0.

    Examples
    --------
    >>> Hinge().value(1, [2.0, 0.5, -1.0])
    array([0. , 0.5, 2. ])
    """

    smoothness = "kinked"
    kink = "at y z = 1"
    targets = "sign"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return max(0, 1 - y z)."""
        return np.maximum(0.0, 1 - _margin(y, z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -y where y z < 1, else 0."""
        return np.where(_margin(y, z) < 1, np.negative(y), 0.0)

    def pieces(self, y: Floats) -> list[tuple[Floats, Floats]]:
        """Return the lines 1 - y z and 0."""
        y = np.asarray(y, dtype=float)
        return [(-y, np.ones_like(y)), (0 * y, 0 * y)]


class SquaredHinge(Loss):
    """The squared hinge loss, which is differentiable everywhere.

    ::

        L = max(0, 1 - y z)^2,    dL/dz = -2 y max(0, 1 - y z),    d2L/dz2 = 2 where y z < 1

    The curvature jumps at y z = 1; its value there is 0.

    Examples
    --------
    >>> SquaredHinge().value(1, [2.0, 0.5, -1.0])
    array([0.  , 0.25, 4.  ])
    """

    targets = "sign"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return max(0, 1 - y z)^2."""
        return np.square(np.maximum(0.0, 1 - _margin(y, z)))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -2 y max(0, 1 - y z)."""
        return -2.0 * np.asarray(y) * np.maximum(0.0, 1 - _margin(y, z))

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 2 where y z < 1, else 0."""
        return np.where(_margin(y, z) < 1, 2.0, 0.0)

    @property
    def curvature_bound(self) -> float:
        """2."""
        return 2.0


class Exponential(Loss):
    """The exponential loss of AdaBoost.

    ::

        L = exp(-s y z),    dL/dz = -s y L,    d2L/dz2 = s^2 L

    Its minimum over z is half the log odds for s = 1, a quarter of them for s = 2.

    Parameters
    ----------
    scale
        The factor s of the margin; textbooks use 1 or 2.

    Examples
    --------
    >>> Exponential().value([1, -1], [0.0, 0.0])
    array([1., 1.])
    """

    targets = "sign"

    def __init__(self, scale: float = 1.0) -> None:
        _check_scale(self, scale)
        self.scale = scale

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return exp(-s y z)."""
        return np.exp(-self.scale * _margin(y, z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -s y exp(-s y z)."""
        return -self.scale * np.asarray(y) * self.value(y, z)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return s^2 exp(-s y z)."""
        return self.scale**2 * self.value(y, z)

    def mean(self, z: Floats) -> Floats:
        """Return the probability of the label 1."""
        return np.asarray(expit(2 * self.scale * np.asarray(z, dtype=float)))

    def best_constant(self, y: Floats, weights: Floats | None) -> Floats:
        """Return the log odds of the label 1 over 2 s."""
        return log_odds(np.greater(y, 0), weights) / (2 * self.scale)


class ModifiedHuber(Loss):
    """The modified Huber loss, smooth and linear for rows far on the wrong side (Zhang 2004).

    ::

        L = max(0, 1 - y z)^2 where y z >= -1,  -4 y z beyond

    Examples
    --------
    >>> ModifiedHuber().value(1, [2.0, 0.5, -3.0])
    array([ 0.  ,  0.25, 12.  ])
    """

    targets = "sign"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return max(0, 1 - y z)^2, or -4 y z far on the wrong side."""
        margin = _margin(y, z)
        return np.where(margin >= -1, np.square(np.maximum(0.0, 1 - margin)), -4 * margin)

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -2 y max(0, 1 - y z), at most 4 in size."""
        return -2.0 * np.asarray(y) * np.clip(1 - _margin(y, z), 0.0, 2.0)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return 2 where -1 <= y z < 1, else 0."""
        margin = _margin(y, z)
        return np.where((margin >= -1) & (margin < 1), 2.0, 0.0)

    @property
    def curvature_bound(self) -> float:
        """2."""
        return 2.0


class LogitMargin(Loss):
    """The Bernoulli log-likelihood loss of boosting (LogitBoost), for labels -1 and 1.

    ::

        L = ln(1 + exp(-s y z)),    dL/dz = -s y / (1 + exp(s y z))

    s = 2 is the form of Friedman, Hastie and Tibshirani (2000), in which z is half the log odds;
    with s = 1 it is `Logistic` with labels -1 and 1 in place of 0 and 1.

    Parameters
    ----------
    scale
        The factor s of the margin.

    Examples
    --------
    >>> LogitMargin().value([1, -1], [0.0, 0.0]).round(4)
    array([0.6931, 0.6931])
    """

    targets = "sign"

    def __init__(self, scale: float = 2.0) -> None:
        _check_scale(self, scale)
        self.scale = scale

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return ln(1 + exp(-s y z)), without overflow."""
        return np.logaddexp(0.0, -self.scale * _margin(y, z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return -s y / (1 + exp(s y z))."""
        return np.asarray(-self.scale * np.asarray(y) * expit(-self.scale * _margin(y, z)))

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return s^2 p (1 - p) with p = 1 / (1 + exp(-s y z))."""
        margin = self.scale * _margin(y, z)
        return np.asarray(self.scale**2 * expit(margin) * expit(-margin))

    @property
    def curvature_bound(self) -> float:
        """s^2 / 4, at z = 0."""
        return self.scale**2 / 4

    def mean(self, z: Floats) -> Floats:
        """Return the probability of the label 1."""
        return np.asarray(expit(self.scale * np.asarray(z, dtype=float)))


class ZeroOne(Loss):
    """The zero-one loss: 1 for a wrong sign, 0 for a correct one; z = 0 counts as wrong.

    Its gradient is zero almost everywhere, so it cannot be minimised by descent: fit with another
    loss, report this one. For more classes, or unequal costs, see
    `gramian.textbook.decisions.LossMatrix`.

    Examples
    --------
    >>> ZeroOne().value([1, 1, -1], [3.0, -1.0, -2.0])
    array([0., 1., 0.])
    """

    smoothness = "steps"
    kink = "that a descent could follow"
    convex = False
    targets = "sign"

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return 1 where y z <= 0, else 0."""
        return np.where(_margin(y, z) <= 0, 1.0, 0.0)


def _margin(y: Floats, z: Floats) -> Floats:
    return np.asarray(np.multiply(y, z), dtype=float)


def _check_scale(loss: Loss, scale: float) -> None:
    if not scale > 0:
        raise ParameterError(f"{type(loss).__name__}: scale must be a number > 0; got {scale!r}.")
