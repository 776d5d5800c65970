"""RMSprop: AdaGrad that forgets."""

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

    All operations are elementwise. A moving average in place of AdaGrad's sum, so the rates can
    rise again; with a constant epsilon the iterates end up wandering at about that distance from
    the minimum. Here delta is inside the root; PyTorch adds it outside. Holds 2 vectors.

    Parameters
    ----------
    step
        epsilon, or a function of t = 1, 2, ...
    rho
        How much of the average is kept.
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
