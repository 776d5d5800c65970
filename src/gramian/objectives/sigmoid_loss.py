"""A loss of a sigmoid output: s(w . x + b) with any loss."""

from typing import Any

import numpy as np
from scipy.special import expit

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.objectives.loss import Loss


class SigmoidLoss(Loss):
    """A loss applied to s(z) = 1 / (1 + exp(-z)) instead of z.

    ::

        M(y, z) = L(y, s),    dM/dz = L'(y, s) s',    d2M/dz2 = L''(y, s) s'^2 + L'(y, s) s''
        s' = s (1 - s),       s'' = s' (1 - 2 s)

    With `SquaredError` it is the squared-error sigmoid discriminant, which can have several minima;
    with `BinaryCrossEntropy` it is `Logistic`, which should be used instead.

    Parameters
    ----------
    loss
        The loss of the output; elementwise and smooth.

    Examples
    --------
    >>> from gramian.objectives import SquaredError
    >>> float(SigmoidLoss(SquaredError()).value(1.0, 0.0))
    0.125
    """

    convex = False

    def __init__(self, loss: Loss) -> None:
        if loss.smoothness != "twice" or loss.targets == "classes":
            raise ParameterError(
                f"SigmoidLoss: loss must be elementwise and have a curvature; got {loss!r}."
            )
        self.loss = loss

    def value(self, y: Floats, z: Floats) -> Floats:
        """Return L(y, s(z))."""
        return self.loss.value(y, self.mean(z))

    def derivative(self, y: Floats, z: Floats) -> Floats:
        """Return L'(y, s) s'."""
        s = self.mean(z)
        return self.loss.derivative(y, s) * s * (1 - s)

    def curvature(self, y: Floats, z: Floats) -> Floats:
        """Return L''(y, s) s'^2 + L'(y, s) s''; it may be negative."""
        s = self.mean(z)
        slope = s * (1 - s)
        return self.loss.curvature(y, s) * slope**2 + self.loss.derivative(y, s) * slope * (
            1 - 2 * s
        )

    def mean(self, z: Floats) -> Floats:
        """Return s(z)."""
        return np.asarray(expit(np.asarray(z, dtype=float)))

    def check_targets(self, targets: Any) -> Any:
        """Check the targets as the inner loss does."""
        return self.loss.check_targets(targets)
