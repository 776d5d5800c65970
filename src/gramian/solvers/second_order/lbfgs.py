"""L-BFGS: BFGS that stores the last few steps in place of a matrix."""

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from gramian.base.fields import KW_ONLY, Count, Function, params
from gramian.base.types import Floats
from gramian.objectives.inner_product import inner
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.first_order.gradient_descent import Search
from gramian.solvers.line_search.line import Line
from gramian.solvers.line_search.wolfe import Wolfe
from gramian.solvers.solver import Iterate, Solver

Pairs: TypeAlias = deque[tuple[Floats, Floats, float]]  # s, y and rho = 1 / s'y, newest last


@params
class LBFGS(Solver):
    """Limited-memory BFGS.

    The product H g of `BFGS` is computed from the last m pairs (s, y), newest first::

        q = g;   for each pair: alpha = rho s'q,  q <- q - alpha y
        r = H0 q;  for each pair, oldest first: beta = rho y'r,  r <- r + (alpha - beta) s

    with H0 = (s'y / y'My) M of the newest pair, M a given preconditioner or the identity. Costs 4 m
    d besides one value and gradient per step. Nocedal and Wright 2006, algorithm 7.4.

    Parameters
    ----------
    memory
        m, the number of pairs.
    search
        The line search; None: `Wolfe()`.
    preconditioner
        H0 as a function v -> H0 v: an approximate inverse Hessian, for instance from a factorised
        bound of it. None uses the scaled identity.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> valley = Function(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
    >>> LBFGS().minimize(valley, [-1.2, 1.0]).x.round(4)
    array([1., 1.])
    """

    _: KW_ONLY
    memory: Count = 10
    search: Search | None = None
    preconditioner: Function | None = None

    def needs(self) -> tuple[Piece, ...]:
        """Return the gradient, and the requirements of the line search."""
        return ("gradient", *(self.search.requires if self.search is not None else ()))

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        return self.iterates_from(problem, x, deque(maxlen=self.memory))

    def iterates_from(self, problem: Problem, x: Floats, pairs: Pairs) -> Iterator[Iterate]:
        """Yield the iterates, starting with `pairs` from a problem of similar curvature."""
        search = Wolfe() if self.search is None else self.search
        now = Iterate(x, *problem.value_and_gradient(x))
        while True:
            yield now
            known = bool(pairs) or self.preconditioner is not None
            first = 1.0 if known else min(1.0, 1 / float(np.linalg.norm(now.gradient)))
            p = -self._times_inverse_hessian(now.gradient, pairs)
            after = search.take(Line(problem, now, p), first)
            s, y = after.x - now.x, after.gradient - now.gradient
            sy = inner(s, y)
            if sy > 1e-10 * float(np.linalg.norm(s) * np.linalg.norm(y)):
                pairs.append((s, y, 1 / sy))
            now = after

    def _times_inverse_hessian(self, g: Floats, pairs: Pairs) -> Floats:
        q = g.copy()
        alphas = []
        for s, y, rho in reversed(pairs):
            alphas.append(rho * inner(s, q))
            q -= alphas[-1] * y
        if self.preconditioner is not None:
            q = np.array(self.preconditioner(q), dtype=float)
            if pairs:  # the preconditioner's scale is often wrong even if its shape is right
                _, y, rho = pairs[-1]
                q /= rho * inner(y, np.asarray(self.preconditioner(y), dtype=float))
        elif pairs:
            _, y, rho = pairs[-1]
            q /= rho * inner(y, y)
        for (s, y, rho), alpha in zip(pairs, reversed(alphas), strict=True):
            q += (alpha - rho * inner(y, q)) * s
        return q
