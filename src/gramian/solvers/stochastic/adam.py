"""Adam: momentum and a step size per unknown, with bias-corrected averages."""

from collections.abc import Callable
from typing import Any

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

    All operations are elementwise. Here delta is outside the root, as in the paper. Stores 3
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
        move, m, v, _ = adam_step(
            g, m, v, t, rate=self._rate(t), beta1=self.beta1, beta2=self.beta2, delta=self.delta
        )
        return move, (m, v)


def adam_step(
    g: Any,
    m: Any,
    v: Any,
    t: int,
    *,
    rate: Any,
    beta1: float,
    beta2: float,
    delta: float,
    largest: Any = None,
    maximum: Callable[[Any, Any], Any] = np.maximum,
) -> tuple[Any, Any, Any, Any]:
    """Return step t = 1, 2, ... of Adam, and m, v and the largest v after it.

    With `largest`, the largest v so far, it is AMSGrad. Arrays may be NumPy's, or PyTorch's with
    its own `maximum`. cpp/core/network/step_kernel.cpp has the same formulas for networks.

    Examples
    --------
    >>> g, zero = np.array([2.0]), np.zeros(1)
    >>> adam_step(g, zero, zero, 1, rate=0.1, beta1=0.9, beta2=0.999, delta=0.0)[0].round(6)
    array([-0.1])
    """
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g**2
    if largest is not None:
        largest = maximum(largest, v)
    m_hat = m / (1 - beta1**t)
    v_hat = (v if largest is None else largest) / (1 - beta2**t)
    return -rate * m_hat / (v_hat**0.5 + delta), m, v, largest
