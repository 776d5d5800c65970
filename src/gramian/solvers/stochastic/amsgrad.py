"""AMSGrad: Adam whose rates never rise."""

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Floats
from gramian.solvers.stochastic.momentum import Decay
from gramian.solvers.stochastic.update import Memory, UpdateSolver


@params
class AMSGrad(UpdateSolver):
    """AMSGrad (Reddi, Kale and Kumar 2018).

    ::

        m <- beta1 m + (1 - beta1) g
        v <- beta2 v + (1 - beta2) g^2,    u <- max(u, v)
        x <- x - epsilon m^ / (sqrt(u^) + delta)

    with m^ = m / (1 - beta1^t) and u^ = u / (1 - beta2^t), as in PyTorch; the paper has no such
    correction. The running maximum u repairs the proof of convergence that Adam lacks. All
    operations are elementwise. Holds 4 vectors.

    Parameters
    ----------
    step
        epsilon, or a function of t = 1, 2, ...
    beta1
        How much of the average of gradients is kept.
    beta2
        How much of the average of their squares is kept.
    delta
        Keeps the division safe.
    batch_size
        Rows per update; None: all.
    order
        "shuffle" or "sample", see `StochasticGradient`.
    random_state
        Seed of the order.
    max_iter
        The most passes over the rows.
    tol
        Stop where the norm of the full gradient after a pass is at most this.
    decrease
        Not used: values may rise.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> AMSGrad(0.1).minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(4) + 0.0
    array([0., 0.])
    """

    copies = 4

    _: KW_ONLY
    beta1: Decay = 0.9
    beta2: Decay = 0.999
    delta: NonNegative = 1e-8

    def _remember(self, x: Floats) -> Memory:
        return np.zeros_like(x), np.zeros_like(x), np.zeros_like(x)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        m, v, u = memory
        m = self.beta1 * m + (1 - self.beta1) * g
        v = self.beta2 * v + (1 - self.beta2) * g**2
        u = np.maximum(u, v)
        m_hat = m / (1 - self.beta1**t)
        u_hat = u / (1 - self.beta2**t)
        return -self._rate(t) * m_hat / (np.sqrt(u_hat) + self.delta), (m, v, u)
