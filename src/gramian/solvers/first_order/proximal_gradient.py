"""Proximal gradient with acceleration: a smooth cost plus a penalty that has a prox."""

from collections.abc import Iterator

import numpy as np

from gramian.base.fields import params
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.solver import Iterate, Solver, Stop


@params
class ProximalGradient(Solver):
    """Accelerated proximal gradient (FISTA).

    For J = f + r with f smooth and r a penalty::

        x+ = prox_r(v - epsilon grad f(v), epsilon)
        theta+ = (1 + sqrt(1 + 4 theta^2)) / 2,    v = x+ + (theta - 1) / theta+ (x+ - x)

    epsilon starts at 1 / L (`LinearProblem.lipschitz`) and is halved until f lies below its
    parabola at v, so L need not be a global bound; the acceleration restarts when J rises
    (O'Donoghue and Candes 2015). With `L1` the prox is the soft threshold, with `LqBall` the
    projection: projected gradient. J falls as O(1/t^2). The reported gradient is
    (v - x+) / epsilon, 0 exactly at a minimum. Beck and Teboulle 2009.

    Examples
    --------
    >>> from gramian.objectives import L1, LinearProblem, SquaredError
    >>> problem = LinearProblem(
    ...     [[1.0, 0.0], [0.0, 1.0]], [3.0, 0.5], SquaredError(), L1(0.5), intercept=False
    ... )
    >>> ProximalGradient().minimize(problem).x.round(4)          # soft threshold of y by 1
    array([2., 0.])
    """

    requires = ("prox",)
    monotone = False

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        assert isinstance(problem, LinearProblem), "only these have a prox"
        L, theta = problem.lipschitz(x), 1.0
        epsilon = 1 / L if 0 < L < np.inf else 1.0
        v = x = problem.prox(x, epsilon)
        J, first = problem.value(x), True
        while True:
            f, g = problem.smooth_part(v)
            while True:
                after = problem.prox(v - epsilon * g, epsilon)
                d = after - v
                below = f + float(g @ d) + float(d @ d) / (2 * epsilon)
                f_after = problem.smooth_part(after)[0]
                if f_after <= below + 1e-14 * abs(f):
                    break
                epsilon /= 2
                if epsilon < 1e-300:
                    raise Stop("no step lowers J, because of rounding or a wrong gradient")
            J_after = f_after + problem.nonsmooth_part(after)
            if J_after > J and theta > 1:  # the momentum overshot: restart it from x
                v, theta = x, 1.0
                continue
            if first:
                yield Iterate(x, J, -d / epsilon)
                first = False
            yield Iterate(after, J_after, -d / epsilon)
            theta, before = (1 + np.sqrt(1 + 4 * theta**2)) / 2, theta
            v = after + (before - 1) / theta * (after - x)
            x, J = after, J_after
