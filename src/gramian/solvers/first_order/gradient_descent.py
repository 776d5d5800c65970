"""Gradient descent."""

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Literal

import numpy as np

from gramian.base.fields import KW_ONLY, Function, Instance, Positive, params
from gramian.base.types import Floats
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.line_search.line import Line, LineSearch
from gramian.solvers.solver import Iterate, Solver, Stop

Search = Annotated[LineSearch, Instance((LineSearch,), "a line search")]


@params
class GradientDescent(Solver):
    """Gradient descent.

    ::

        x <- x - epsilon grad J(x)

    With a fixed step it converges on a quadratic if epsilon < 2 / L, and lowers any J whose
    Hessian's eigenvalues are at most L if epsilon <= 1 / L; the error then falls by about
    (kappa - 1) / (kappa + 1) a step, kappa the condition number of the Hessian. One gradient per
    step. Stops when `|grad J| <= tol`, not at grad J = 0, which rounding never reaches.

    Parameters
    ----------
    step
        epsilon; or "lipschitz" for 1 / L (`Problem.lipschitz`); or a function of t = 1, 2, ...,
        as `InverseTime`, `InverseRoot` and `Staircase`.
    halve
        Whether to halve epsilon permanently whenever a step would not lower J.
    search
        A line search that chooses every step, starting from the last one; `halve` and `step`
        (except its first value) then have no effect.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> bowl = Function(lambda x: 2 * x[0] ** 2 + x[1] ** 2, lambda x: [4 * x[0], 2 * x[1]])
    >>> GradientDescent(0.1, halve=False).minimize(bowl, [1.0, 1.0]).x.round(6)
    array([0., 0.])
    """

    step: Positive | Literal["lipschitz"] | Function = 1.0
    _: KW_ONLY
    halve: bool = True
    search: Search | None = None

    def needs(self) -> tuple[Piece, ...]:
        """Return the gradient, and the requirements of the line search."""
        more: tuple[Piece, ...] = self.search.requires if self.search is not None else ()
        return ("gradient", *more)

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        now = Iterate(x, *problem.value_and_gradient(x))
        epsilon = self._rate(problem, x, 1)
        for t in count(1):
            yield now
            if self.search is not None:
                line = Line(problem, now, -now.gradient)
                epsilon = self.search.find(line, epsilon)
                now = line.at(epsilon)
                continue
            if callable(self.step):
                epsilon = self._rate(problem, x, t)
            after = _step(problem, now, epsilon)
            while self.halve and not after.value < now.value:
                epsilon /= 2
                if epsilon * np.abs(now.gradient).max() <= 1e-16 * max(1.0, np.abs(now.x).max()):
                    raise Stop("no step along the gradient lowers J, because of rounding")
                after = _step(problem, now, epsilon)
            now = after

    def _rate(self, problem: Problem, x: Floats, t: int) -> float:
        if callable(self.step):
            return float(self.step(t))
        return 1 / problem.lipschitz(x) if isinstance(self.step, str) else self.step


def _step(problem: Problem, now: Iterate, epsilon: float) -> Iterate:
    x = now.x - epsilon * now.gradient
    return Iterate(x, *problem.value_and_gradient(x))
