"""AMSGrad: Adam with step sizes that never rise."""

import numpy as np

from gramian.base.fields import params
from gramian.base.types import Floats
from gramian.solvers.stochastic.adam import Adam, adam_step
from gramian.solvers.stochastic.update import Memory


@params
class AMSGrad(Adam):
    """AMSGrad (Reddi, Kale and Kumar 2018).

    ::

        m <- beta1 m + (1 - beta1) g
        v <- beta2 v + (1 - beta2) g^2,    u <- max(u, v)
        x <- x - epsilon m^ / (sqrt(u^) + delta)

    with m^ = m / (1 - beta1^t) and u^ = u / (1 - beta2^t), as in PyTorch; the paper has no such
    correction. The running maximum u restores the convergence proof that Adam lacks. All
    operations are elementwise. Stores 4 vectors.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> AMSGrad(0.1).minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(4) + 0.0
    array([0., 0.])
    """

    copies = 4

    def _remember(self, x: Floats) -> Memory:
        return np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        m, v, u = memory
        move, m, v, u = adam_step(
            g,
            m,
            v,
            t,
            rate=self._rate(t),
            beta1=self.beta1,
            beta2=self.beta2,
            delta=self.delta,
            largest=u,
        )
        return move, (m, v, u)
