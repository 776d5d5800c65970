"""Gradient descent with momentum."""

from numbers import Real
from typing import Annotated

import numpy as np

from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.types import Floats
from gramian.solvers.stochastic.update import Memory, UpdateSolver

Decay = Annotated[float, Interval(Real, 0, 1, open_high=True)]


@params
class Momentum(UpdateSolver):
    """Gradient descent with momentum (Polyak's heavy ball).

    ::

        Delta <- -epsilon g + beta Delta,    x <- x + Delta

    Damps the zigzag across a narrow valley and accumulates the steps along it. Stores 2 vectors.

    Parameters
    ----------
    beta
        Fraction of the last step that is kept.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> Momentum(0.1).minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(4) + 0.0
    array([0., 0.])
    """

    copies = 2

    _: KW_ONLY
    beta: Decay = 0.9

    def _remember(self, x: Floats) -> Memory:
        return (np.zeros_like(x),)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        (Delta,) = memory
        Delta = -self._rate(t) * g + self.beta * Delta
        return Delta, (Delta,)
