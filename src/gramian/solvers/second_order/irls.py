"""Iteratively reweighted least squares: a weighted fit to a working response, repeated."""

from collections.abc import Iterator

import numpy as np

from gramian.base.fields import KW_ONLY, NonNegativeInt, params
from gramian.base.types import Floats
from gramian.objectives.linear_problem import LinearProblem
from gramian.objectives.problem import Problem
from gramian.solvers.second_order.linear_systems import solve_system
from gramian.solvers.second_order.newton import backtracked
from gramian.solvers.solver import Iterate, Solver


@params
class IRLS(Solver):
    """Iteratively reweighted least squares.

    With scores z = Xw, a convex smooth loss L, row weights omega and a quadratic penalty
    1/2 w' Lambda w, each step is a weighted least-squares fit

    ::

        Omega = diag(omega_i L''(y_i, z_i)),    u_i = z_i - L'(y_i, z_i) / L''(y_i, z_i)
        w <- argmin 1/2 (Xw - u)' Omega (Xw - u) + 1/2 w' Lambda w
           = (X' Omega X + Lambda)^-1 X' Omega u

    of the working response u. For the logistic loss Omega = diag(s (1 - s)) and u = Xw + Omega^-1
    (y - s); for `Poisson` the link is the logarithm; any loss with second derivatives defines its
    own link. The right-hand side is computed as X' Omega X w - X' L', which is the same and does
    not divide by weights that vanish. This is Newton's method; a step that raises J is halved. If
    the system is singular, the solution has least norm.

    Examples
    --------
    >>> from gramian.objectives import LinearProblem, Poisson
    >>> problem = LinearProblem([[0.0], [0.0], [1.0]], [1.0, 3.0, 6.0], Poisson())
    >>> IRLS().minimize(problem).x.round(6)                # exp(b) = 2, exp(w + b) = 6
    array([1.098612, 0.693147])
    """

    requires = ("least squares",)

    _: KW_ONLY
    max_iter: NonNegativeInt = 100

    def _iterates(self, problem: Problem, x: Floats) -> Iterator[Iterate]:
        J, g, H = problem.second_order(x)
        while True:
            yield Iterate(x, J, g)
            fitted = solve_system(H, H @ x - g)
            x, (J, g, H) = backtracked(problem.second_order, x, fitted - x, J, g)


def working_response(problem: LinearProblem, x: Floats) -> tuple[Floats, Floats]:
    """Return the weights and the working response of the next weighted fit, one each per row.

    Examples
    --------
    >>> from gramian.objectives import LinearProblem, Logistic
    >>> problem = LinearProblem([[0.0], [1.0]], [0.0, 1.0], Logistic())
    >>> working_response(problem, np.zeros(2))
    (array([0.125, 0.125]), array([-2.,  2.]))
    """
    w, b = problem.unpack(x)
    z = np.asarray(problem.X @ w + b, dtype=float)
    L1 = problem.loss.derivative(problem.y, z)
    L2 = problem.loss.curvature(problem.y, z)
    omega = problem.functional.weights(problem.loss.value(problem.y, z))
    return omega * L2, z - L1 / L2
