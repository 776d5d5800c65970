"""Coordinate descent: exact minimisation over one unknown at a time."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gramian.base.fields import KW_ONLY, Seed, params
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver


@params
class CoordinateDescent(Solver):
    """Minimise over x_1, then x_2, ..., then x_1 again.

    The 1-D minima are found by Newton's method on the partial derivative, x_j <- x_j - g_j / h_jj,
    repeated until it converges; a quadratic needs one step each (Gauss and Seidel). Costs d
    gradients and Hessians a cycle, so this is the textbook method; if the structure of a problem
    makes a coordinate cheap, use `soft_threshold` (lasso) and `clipped_step` (the dual of a linear
    support vector machine, `DualCoordinate`).

    Parameters
    ----------
    random_order
        Whether to visit the coordinates in a new random order in each cycle.
    random_state
        Seed or generator for the random draws.
    max_iter
        Maximum number of cycles.
    decrease
        Stop when a cycle lowers J by at most `decrease` times `max(1, |J|)`.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> bowl = Function(lambda x: x[0] ** 2 + x[0] * x[1] + x[1] ** 2 - 3 * x[0], size=2)
    >>> CoordinateDescent(tol=1e-5).minimize(bowl).x.round(3)
    array([ 2., -1.])
    """

    requires = ("hessian",)

    _: KW_ONLY
    random_order: bool = False
    random_state: Seed = 0

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        rng = stream(seed_of(self.random_state))
        while True:
            yield Iterate(x, *problem.value_and_gradient(x))
            order = rng.permutation(len(x)) if self.random_order else np.arange(len(x))
            for j in order:
                x = _minimise_over(problem, x, int(j))


def _minimise_over(problem: Problem, x: Floats, j: int) -> Floats:
    for _ in range(50):
        J, g, H = problem.second_order(x)
        if H[j, j] <= 0:
            return x
        step = g[j] / H[j, j]
        after = x.copy()
        after[j] -= step
        while problem.value(after) > J + 1e-12 * abs(J) and abs(after[j] - x[j]) > 1e-15:
            after[j] = (after[j] + x[j]) / 2  # too far: halve the step
        x = after
        if abs(step) <= 1e-10 * max(1.0, abs(x[j])):
            return x
    return x


def soft_threshold(z: npt.ArrayLike, threshold: float) -> Floats:
    """Return the minimum over v of (v - z)^2 / 2 + threshold |v|: the lasso's coordinate.

    Examples
    --------
    >>> soft_threshold([-3.0, 0.5, 2.0], 1.0)
    array([-2.,  0.,  1.])
    """
    z = np.asarray(z, dtype=float)
    return np.asarray(np.sign(z) * np.maximum(np.abs(z) - threshold, 0.0))


def clipped_step(
    alpha: float, margin: float, square: float, low: float = 0.0, high: float = np.inf
) -> float:
    """Return the new multiplier of one row in the dual of a linear support vector machine.

    alpha <- alpha + (1 - y f(x)) / |x|^2, clipped to [low, high].

    Examples
    --------
    >>> clipped_step(0.0, margin=0.0, square=2.0, high=1.0)
    0.5
    """
    return float(np.clip(alpha + (1 - margin) / square, low, high))
