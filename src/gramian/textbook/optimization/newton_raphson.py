"""Line search by Newton-Raphson: the zero of the slope, with the curvature along the line."""

from dataclasses import dataclass

from gramian.solvers.line_search.line import Line, SlopeSearch


@dataclass(frozen=True)
class NewtonRaphson(SlopeSearch):
    """Find the zero of the slope by its tangent.

    ::

        c = b - phi'(b) / phi''(b),    phi''(b) = p . H p

    One product with the Hessian per step. If phi'' <= 0, or the proposal leaves the bracket of
    the zero, it is replaced by bisection.

    Parameters
    ----------
    tol
        Stop when `|phi'|` is at most `tol` times `|phi'(0)|`.
    max_iter
        Maximum number of slopes computed.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import GradientDescent
    >>> bowl = Function(lambda x: 3 * (x[0] - 1) ** 2, size=1)
    >>> GradientDescent(search=NewtonRaphson(tol=1e-6)).minimize(bowl).x.round(6)
    array([1.])
    """

    requires = ("hessian",)

    def _propose(self, line: Line, a: float, slope_a: float, b: float, slope_b: float) -> float:
        curvature = line.curvature(b)
        return b - slope_b / curvature if curvature > 0 else float("nan")
