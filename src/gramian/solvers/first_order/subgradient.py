"""Subgradient descent for convex functions with kinks."""

from collections.abc import Iterator
from itertools import count

from gramian.base.fields import KW_ONLY, Function, Positive, params
from gramian.base.types import Floats
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver
from gramian.solvers.stochastic.schedules import InverseRoot


@params
class Subgradient(Solver):
    """The subgradient method.

    ::

        x <- x - epsilon_t g,    g any subgradient at x

    A step may raise J, so the best iterate is kept. With steps that fall to 0 but sum to infinity
    the best value converges to the minimum of a convex J, with 1/sqrt(t) as O(1/sqrt(t)): slow,
    and there is no stopping rule.

    Parameters
    ----------
    step
        epsilon_t as a function of t = 1, 2, ..., or a constant, which ends near the minimum.
    max_iter
        Number of steps.
    tol
        Stop when the norm of the subgradient is at most this; it is usually not small at a kink.
    decrease
        Ignored, because J may rise.

    Examples
    --------
    >>> from gramian.objectives import AbsoluteError, LinearProblem
    >>> median = LinearProblem([[1.0]] * 3, [0.0, 1.0, 9.0], AbsoluteError(), intercept=False)
    >>> Subgradient().minimize(median).x.round(1)
    array([1.])
    """

    requires = ("subgradient",)
    monotone = False
    keeps_best = True

    step: Function | Positive = InverseRoot(1.0)
    _: KW_ONLY

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        for t in count(1):
            J, g = problem.value_and_gradient(x)
            yield Iterate(x, J, g)
            x = x - (self.step(t) if callable(self.step) else self.step) * g
