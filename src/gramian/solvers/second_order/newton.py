"""Newton's method: minimise the local quadratic approximation."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegative, NonNegativeInt, Positive, params
from gramian.base.runtime.interruptible import interruptible
from gramian.base.types import Floats
from gramian.objectives.inner_product import inner, length
from gramian.objectives.problem import Problem
from gramian.solvers.second_order.linear_systems import conjugate_gradients, solve_system
from gramian.solvers.solver import Iterate, Solver, Stop

_Found = TypeVar("_Found", bound=tuple[Any, ...])  # J, its gradient, and more
_EPS = float(np.finfo(float).eps)


@params
class Newton(Solver):
    """Newton's method.

    ::

        H e = -grad J(x),    x <- x + e,    H the Hessian of J at x

    A linear system is solved, H is never inverted. Solves a quadratic in one step, and near a
    minimum each step doubles the number of correct digits. Undamped it finds any stationary point,
    also a maximum or a saddle; `stationary_kind` returns which. Damped, e is changed into a descent
    direction and halved until J falls enough. A step costs one pass for value, gradient and
    Hessian, and d^3/3; with system="cg" it costs a few products with the Hessian instead.

    Parameters
    ----------
    damped
        Whether every step must lower J.
    system
        "auto": Cholesky, or the least-norm step if H is singular or indefinite (damped: with the
        absolute values of the eigenvalues). "cg": conjugate gradients on products with H, stopped
        early while the gradient is large; for many unknowns.
    ridge
        Added to the diagonal of H: the regularised step of a singular system.
    keep
        Keep H for the next step while each step reduces the gradient by at least this factor (the
        chord method). Near the minimum every step then gains as many digits as the one before, and
        costs one pass for value and gradient. inf computes H anew for every step.

    Examples
    --------
    >>> from gramian.objectives import LinearProblem, Logistic, L2
    >>> problem = LinearProblem([[0.0], [1.0], [2.0]], [0.0, 1.0, 0.0], Logistic(), L2(0.2))
    >>> result = Newton().minimize(problem)
    >>> result.converged, result.iterations < 6
    (True, True)
    """

    requires = ("hessian",)

    _: KW_ONLY
    damped: bool = True
    system: Literal["auto", "cg"] = "auto"
    ridge: NonNegative = 0.0
    keep: Positive = np.inf
    max_iter: NonNegativeInt = 100

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        if self.system == "cg":
            yield from self._by_products(problem, x)
        H: Floats | None
        J, g, H = problem.second_order(x)
        before = np.nan  # unknown for the first step
        while True:
            yield Iterate(x, J, g)
            H = problem.hessian(x) if H is None else H
            e = self._direction(H + self.ridge * np.eye(len(x)) if self.ridge else H, g)
            norm = length(g)
            # |g| falls as its square, so the factor of the last step predicts this one
            last = self.damped and norm * (norm / before) ** 2 <= self.tol / 2
            before = norm
            if self.damped and (last or self.keep < np.inf):  # needs no Hessian after it
                x, (J, g) = backtracked(problem.value_and_gradient, x, e, J, g)
                H = H if length(g) * self.keep <= norm else None
            elif self.damped:
                x, (J, g, H) = backtracked(problem.second_order, x, e, J, g)
            else:
                x = x + e
                J, g, H = problem.second_order(x)

    def _direction(self, H: Floats, g: Floats) -> Floats:
        e = solve_system(H, -g)
        if self.damped and not inner(e, g) < 0:  # uphill, or no curvature at all: |H| in place of H
            values, V = interruptible(9 * H.size * len(H), np.linalg.eigh, H)
            size = np.maximum(np.abs(values), 1e-8 * max(1.0, float(np.abs(values).max())))
            e = -V @ ((V.T @ g) / size)
        return e

    def _by_products(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        """Run Newton-CG: the system is solved only as accurately as the gradient requires.

        It is scaled to a unit diagonal if the problem provides it (Jacobi's preconditioner),
        so that the units of the columns have no effect.
        """
        J, g = problem.value_and_gradient(x)
        while True:
            yield Iterate(x, J, g)
            here, scale = x, self._scale(problem, x)
            product = lambda v: scale * problem.hessian_product(here, scale * v) + self.ridge * v  # noqa: E731, B023
            tol = min(0.1, float(np.linalg.norm(g)) ** 0.5)
            e, _ = conjugate_gradients(product, -scale * g, tol=tol, max_iter=len(x))
            x, (J, g) = backtracked(problem.value_and_gradient, x, scale * e, J, g)

    @staticmethod
    def _scale(problem: Problem, x: Floats) -> Floats:
        diagonal = problem.hessian_diagonal(x)
        if diagonal is None or not (diagonal > 0).any():
            return np.ones_like(x)
        return 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))


def stationary_kind(
    problem: Problem, x: Floats, *, tol: float = 1e-8
) -> Literal["minimum", "maximum", "saddle", "degenerate"]:
    """Return the kind of stationary point at x, from the signs of the Hessian's eigenvalues.

    "degenerate" if some are zero (to `tol`, relative to the largest) and the others of one
    sign: a valley, or undecided.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import Newton
    >>> pass_ = Function(lambda x: x[0] ** 2 - x[1] ** 2)
    >>> found = Newton(damped=False).minimize(pass_, [1.0, 2.0])
    >>> stationary_kind(pass_, found.x)
    'saddle'
    """
    values = np.linalg.eigvalsh(problem.hessian(x))
    small = tol * float(np.abs(values).max())
    up, down = bool((values > small).any()), bool((values < -small).any())
    if up and down:
        return "saddle"
    if (np.abs(values) <= small).any():
        return "degenerate"
    return "minimum" if up else "maximum"


def backtracked(
    evaluate: Callable[[Floats], _Found], x: Floats, e: Floats, J: float, g: Floats
) -> tuple[Floats, _Found]:
    """Return x + a e and the result of `evaluate` there, a the first of 1, 1/2, ... that lowers J.

    J is the first entry of the result. One pass over the data if the full step is accepted.
    """
    a, slope = 1.0, inner(e, g)
    while True:
        there = x + a * e
        found = evaluate(there)
        if _decreases_enough(found[0], J, a * slope):
            return there, found
        a = _halved(a)


def _decreases_enough(after: float, before: float, promised: float) -> bool:
    """Return whether J fell by 1e-4 of the predicted decrease, up to rounding."""
    return after <= before + 1e-4 * promised + 4 * _EPS * abs(before)


def _halved(a: float) -> float:
    if a < 1e-15:
        raise Stop("no part of the Newton step lowers J, because of rounding or a wrong derivative")
    return a / 2
