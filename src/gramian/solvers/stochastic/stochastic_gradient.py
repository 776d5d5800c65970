"""Stochastic gradient descent: one row, or a few, per step."""

from gramian.base.fields import params
from gramian.base.types import Floats
from gramian.solvers.stochastic.update import Memory, UpdateSolver


@params
class StochasticGradient(UpdateSolver):
    """Stochastic and mini-batch gradient descent.

    ::

        x <- x - epsilon_t g_t,    E g_t = grad J(x)

    g_t is the gradient of a batch of rows. A constant rate converges to a region whose size grows
    with it; a falling rate converges. One update costs b rows, one pass n rows. `max_iter` bounds
    the passes, so it also stops if no minimum is reached (a perceptron on overlapping classes).

    Parameters
    ----------
    batch_size
        Rows per update: 1 is the classical form; None uses all rows, the exact gradient.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.objectives import LinearProblem, SquaredError
    >>> problem = LinearProblem([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0], SquaredError())
    >>> result = StochasticGradient(0.1, batch_size=1, random_state=0).minimize(problem)
    >>> result.x.round(4), result.converged
    (array([2., 1.]), True)
    """

    copies = 1

    def _remember(self, x: Floats) -> Memory:
        del x
        return ()

    def _move(self, g: Floats, memory: Memory, t: int) -> tuple[Floats, Memory]:
        return -self._rate(t) * g, memory
