"""RMSprop: AdaGrad with a moving average."""

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Floats
from gramian.solvers.stochastic.momentum import Decay
from gramian.solvers.stochastic.update import Memory, UpdateSolver


@params
class RMSprop(UpdateSolver):
    """RMSprop (Hinton's lectures, 2012).

    ::

        v <- rho v + (1 - rho) g^2,    x <- x - epsilon g / sqrt(v + delta)

    All operations are elementwise. A moving average replaces AdaGrad's sum, so the step sizes
    can rise again; with a constant epsilon the iterates stay at about that distance from the
    minimum. Here delta is inside the root; PyTorch adds it outside. Stores 2 vectors.

    Parameters
    ----------
    rho
        Decay factor of the average.
    delta
        Added to the denominator to avoid division by 0.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers.stochastic.schedules import InverseTime
    >>> rule = RMSprop(InverseTime(0.1, half=50))
    >>> rule.minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(2) + 0.0
    array([0., 0.])
    """

    copies = 2

    _: KW_ONLY
    rho: Decay = 0.9
    delta: NonNegative = 1e-8

    def _remember(self, x: Floats) -> Memory:
        return (np.zeros_like(x),)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        (v,) = memory
        v = self.rho * v + (1 - self.rho) * g**2
        return -self._rate(t) * g / np.sqrt(v + self.delta), (v,)
