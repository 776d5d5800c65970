"""Adam: momentum and a step size per unknown, with bias-corrected averages."""

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Floats
from gramian.solvers.stochastic.momentum import Decay
from gramian.solvers.stochastic.update import Memory, UpdateSolver


@params
class Adam(UpdateSolver):
    """Adam (Kingma and Ba 2015, algorithm 1).

    ::

        m <- beta1 m + (1 - beta1) g           m^ = m / (1 - beta1^t)
        v <- beta2 v + (1 - beta2) g^2         v^ = v / (1 - beta2^t)
        x <- x - epsilon m^ / (sqrt(v^) + delta)

    All operations are elementwise. Here delta is outside the root, as in the paper. Holds 3
    vectors: x, m and v.

    Parameters
    ----------
    beta1
        Decay factor of the average of gradients.
    beta2
        Decay factor of the average of squared gradients.
    delta
        Added to the denominator to avoid division by 0.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> Adam(0.1).minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(4) + 0.0
    array([0., 0.])
    """

    copies = 3

    _: KW_ONLY
    beta1: Decay = 0.9
    beta2: Decay = 0.999
    delta: NonNegative = 1e-8

    def _remember(self, x: Floats) -> Memory:
        return np.zeros_like(x), np.zeros_like(x)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        m, v = memory
        m = self.beta1 * m + (1 - self.beta1) * g
        v = self.beta2 * v + (1 - self.beta2) * g**2
        m_hat = m / (1 - self.beta1**t)
        v_hat = v / (1 - self.beta2**t)
        return -self._rate(t) * m_hat / (np.sqrt(v_hat) + self.delta), (m, v)
