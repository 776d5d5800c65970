"""BFGS: a quasi-Newton method with a dense inverse Hessian."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from gramian.base.fields import KW_ONLY, params
from gramian.base.types import Floats
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.first_order.gradient_descent import Search
from gramian.solvers.line_search.line import Line
from gramian.solvers.line_search.wolfe import Wolfe
from gramian.solvers.solver import Iterate, Solver


@params
class BFGS(Solver):
    """The quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno.

    ::

        p = -H g,    x+ = x + a p by line search,    s = x+ - x,    y = g+ - g
        H <- (I - rho s y') H (I - rho y s') + rho s s',    rho = 1 / y's

    H estimates the inverse Hessian; before the first update it is scaled to s'y / y'y. The update
    of rank 2 keeps it positive definite if s'y > 0, which the Wolfe conditions guarantee. Costs d^2
    per step and d^2 memory; for many unknowns see `LBFGS`. Works well on nonsmooth functions too,
    although without a proof (Lewis and Overton 2013). Nocedal and Wright 2006, algorithm 6.1.

    Parameters
    ----------
    search
        The line search; None: `Wolfe()`.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> valley = Function(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
    >>> BFGS().minimize(valley, [-1.2, 1.0]).x.round(4)
    array([1., 1.])
    """

    requires = ("subgradient",)

    _: KW_ONLY
    search: Search | None = None

    def needs(self) -> tuple[Piece, ...]:
        """Return a subgradient, and the requirements of the line search."""
        return ("subgradient", *(self.search.requires if self.search is not None else ()))

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        search = Wolfe() if self.search is None else self.search
        now = Iterate(x, *problem.value_and_gradient(x))
        H: Any = None
        while True:
            yield now
            g = now.gradient
            p = -g if H is None else -H @ g
            first = 1.0 if H is not None else min(1.0, 1 / float(np.linalg.norm(g)))
            after = search.take(Line(problem, now, p), first)
            s, y = after.x - now.x, after.gradient - g
            if s @ y > 1e-10 * np.linalg.norm(s) * np.linalg.norm(y):
                if H is None:
                    H = (s @ y) / (y @ y) * np.eye(len(x))
                H = _update(H, s, y)
            now = after


def _update(H: Floats, s: Floats, y: Floats) -> Floats:
    """Return (I - rho s y') H (I - rho y s') + rho s s', multiplied out."""
    rho = 1 / float(y @ s)
    Hy = H @ y
    across = np.outer(s, Hy)
    return H - rho * (across + across.T) + (rho**2 * float(y @ Hy) + rho) * np.outer(s, s)
