"""AdaGrad: a step size for each unknown."""

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.types import Floats
from gramian.solvers.stochastic.update import Memory, UpdateSolver


@params
class AdaGrad(UpdateSolver):
    """AdaGrad (Duchi, Hazan and Singer 2011).

    ::

        G <- G + g^2,    x <- x - epsilon g / sqrt(G + delta)

    All operations are elementwise. Unknowns with large gradients get small step sizes, which only
    fall. Here delta is inside the root; PyTorch adds it outside. Stores 2 vectors.

    Parameters
    ----------
    delta
        Added to the denominator to avoid division by 0.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> AdaGrad(1.0).minimize(Function(lambda x: x @ x), [1.0, 2.0]).x.round(4) + 0.0
    array([0., 0.])
    """

    copies = 2

    _: KW_ONLY
    delta: NonNegative = 1e-8

    def _remember(self, x: Floats) -> Memory:
        return (np.zeros_like(x),)

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        (G,) = memory
        G = G + g**2
        return -self._rate(t) * g / np.sqrt(G + self.delta), (G,)
