"""Projected gradient: a gradient step, then a projection onto the feasible set."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Function, Positive, params
from gramian.base.types import Floats
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver, Stop


@params
class ProjectedGradient(Solver):
    """Gradient descent inside a convex set.

    ::

        x <- P(x - eps grad J(x))

    P is the projection onto the set: `onto_positive` for x >= 0, `onto_box`, or
    `onto_box_and_plane` for a box with a'x = c. To maximise a dual over multipliers lambda >= 0,
    minimise its negative. Converged when |x - P(x - eps grad J)| / eps, which is |grad J| if no
    constraint is active, is at most `tol`.

    Parameters
    ----------
    project
        P, a function of a vector.
    step
        eps; None means 1 / L, L the largest eigenvalue of the Hessian.
    tol
        Tolerance of the test above.
    decrease
        Ignored.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> bowl = Function(lambda x: (x[0] - 1) ** 2 + (x[1] + 2) ** 2, size=2)
    >>> ProjectedGradient(onto_positive, step=0.25).minimize(bowl).x.round(4)
    array([1., 0.])
    """

    requires = ("gradient",)
    monotone = False

    project: Function
    _: KW_ONLY
    step: Positive | None = None

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        x = np.asarray(self.project(x), dtype=float)
        eps = 1 / problem.lipschitz(x) if self.step is None else self.step
        while True:
            J, g = problem.value_and_gradient(x)
            after = np.asarray(self.project(x - eps * g), dtype=float)
            yield Iterate(x, J, (x - after) / eps)
            if np.array_equal(after, x):
                raise Stop("the iterate no longer changes", converged=True)
            x = after


def onto_positive(x: npt.ArrayLike) -> Floats:
    """Return the nearest point with no negative coordinate.

    Examples
    --------
    >>> onto_positive([-1.0, 2.0])
    array([0., 2.])
    """
    return np.asarray(np.maximum(np.asarray(x, dtype=float), 0.0))


def onto_box(low: npt.ArrayLike, high: npt.ArrayLike) -> Callable[[Any], Floats]:
    """Return the projection onto low <= x <= high.

    Examples
    --------
    >>> onto_box(0.0, 1.0)([-1.0, 0.5, 2.0])
    array([0. , 0.5, 1. ])
    """
    return lambda x: np.asarray(np.clip(np.asarray(x, dtype=float), low, high))


def onto_box_and_plane(
    low: npt.ArrayLike, high: npt.ArrayLike, a: npt.ArrayLike, c: float = 0.0
) -> Callable[[Any], Floats]:
    """Return the projection onto low <= x <= high with a'x = c.

    The nearest point is clip(x - t a) for the t that satisfies the equation; a' clip(x - t a)
    decreases in t, so bisection finds it.

    Examples
    --------
    >>> onto_box_and_plane(0.0, 1.0, [1.0, -1.0])([0.8, 0.2]).round(6)
    array([0.5, 0.5])
    """
    a = np.asarray(a, dtype=float)
    low, high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)

    def project(x: npt.ArrayLike) -> Floats:
        x = np.asarray(x, dtype=float)

        def meets(t: float) -> float:
            return float(a @ np.clip(x - t * a, low, high)) - c

        left, right = -1.0, 1.0
        while meets(left) < 0 and left > -1e12:
            left *= 2
        while meets(right) > 0 and right < 1e12:
            right *= 2
        if meets(left) < 0 or meets(right) > 0:
            raise DataError(f"onto_box_and_plane: no point of the box has a'x = {c:g}.")
        for _ in range(200):
            middle = (left + right) / 2
            if middle in (left, right):
                break
            left, right = (middle, right) if meets(middle) > 0 else (left, middle)
        return np.asarray(np.clip(x - (left + right) / 2 * a, low, high))

    return project
