"""Nonlinear conjugate gradients."""

from collections.abc import Iterator
from itertools import count
from typing import Literal

import numpy as np

from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.types import Floats
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.first_order.gradient_descent import Search
from gramian.solvers.line_search.line import Line
from gramian.solvers.line_search.secant import Secant
from gramian.solvers.solver import Iterate, Solver


@params
class ConjugateGradient(Solver):
    """Nonlinear conjugate gradients.

    ::

        x+ = x + a p by line search,    p+ = -g+ + beta p

        Fletcher-Reeves      beta = g+'g+ / g'g
        Polak-Ribiere+       beta = max(0, g+'(g+ - g) / g'g)

    On a quadratic with exact line searches both are the linear method: at most d steps. The
    direction is reset to -g after `restart` steps, and when it would not descend. Stores 3
    vectors. Nocedal and Wright 2006, 5.2.

    Parameters
    ----------
    beta
        "polak-ribiere" or "fletcher-reeves".
    search
        The line search; None: `Secant()`.
    restart
        Steps between restarts; None uses the number of unknowns.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> bowl = Function(lambda x: 10 * x[0] ** 2 + x[1] ** 2, lambda x: [20 * x[0], 2 * x[1]])
    >>> ConjugateGradient(search=Secant(1e-10)).minimize(bowl, [1.0, 1.0]).iterations
    2
    """

    _: KW_ONLY
    beta: Literal["polak-ribiere", "fletcher-reeves"] = "polak-ribiere"
    search: Search | None = None
    restart: Count | None = None

    def needs(self) -> tuple[Piece, ...]:
        """Return the gradient, and the requirements of the line search."""
        return ("gradient", *(self.search.requires if self.search is not None else ()))

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        search = Secant() if self.search is None else self.search
        restart = self.restart or len(x)
        now = Iterate(x, *problem.value_and_gradient(x))
        p = -now.gradient
        a = min(1.0, 1 / float(np.linalg.norm(p))) if p.any() else 1.0
        for t in count(1):
            yield now
            g = now.gradient
            line = Line(problem, now, p)
            a = search.find(line, a)
            now = line.at(a)
            change = now.gradient - g if self.beta == "polak-ribiere" else now.gradient
            beta = max(0.0, float(now.gradient @ change) / float(g @ g))
            p = -now.gradient + (0.0 if t % restart == 0 else beta) * p
            if not p @ now.gradient < 0:
                p = -now.gradient
            # The first trial step predicts the same first-order decrease of J as the last step.
            a *= line.slope_at_0 / min(float(p @ now.gradient), -1e-300)
