"""Line search by Newton-Raphson: the zero of the slope, with the curvature along the line."""

from dataclasses import dataclass

from gramian.base.fields import Count, Positive
from gramian.solvers.line_search.line import Line, LineSearch, zero_of_slope


@dataclass(frozen=True)
class NewtonRaphson(LineSearch):
    """Seek the zero of the slope phi' where its tangent has it.

    ::

        c = b - phi'(b) / phi''(b),    phi''(b) = p . H p

    One product with the Hessian a step. Where phi'' <= 0, or the proposal leaves the bracket of
    the zero, it is replaced by bisection.

    Parameters
    ----------
    tol
        Stop where `|phi'|` has fallen to this part of `|phi'(0)|`.
    max_iter
        The most slopes computed.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import GradientDescent
    >>> bowl = Function(lambda x: 3 * (x[0] - 1) ** 2, size=1)
    >>> GradientDescent(search=NewtonRaphson(tol=1e-6)).minimize(bowl).x.round(6)
    array([1.])
    """

    requires = ("hessian",)

    tol: Positive = 0.1
    max_iter: Count = 50

    def find(self, line: Line, first: float) -> float:
        """Return a step at which the slope is about zero."""

        def tangent(_a: float, _slope_a: float, b: float, slope_b: float) -> float:
            curvature = line.curvature(b)
            return b - slope_b / curvature if curvature > 0 else float("nan")

        return zero_of_slope(line, first, self.tol, self.max_iter, tangent)
