"""Line search by secants: Newton's method in one dimension without the second derivative."""

from dataclasses import dataclass

from gramian.base.fields import Count, Positive
from gramian.solvers.line_search.line import Line, LineSearch, zero_of_slope


@dataclass(frozen=True)
class Secant(LineSearch):
    """Seek the zero of the slope phi' where the chord through the last two slopes has it.

    ::

        c = b - phi'(b) (b - a) / (phi'(b) - phi'(a))

    Exact after one chord where phi is a parabola. Proposals outside the bracket of the zero are
    replaced by bisection.

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
    >>> GradientDescent(search=Secant(tol=1e-6)).minimize(bowl).x.round(6)
    array([1.])
    """

    requires = ("gradient",)

    tol: Positive = 0.1
    max_iter: Count = 50

    def find(self, line: Line, first: float) -> float:
        """Return a step at which the slope is about zero."""

        def chord(a: float, slope_a: float, b: float, slope_b: float) -> float:
            rise = slope_b - slope_a
            return b - slope_b * (b - a) / rise if rise != 0 else float("nan")

        return zero_of_slope(line, first, self.tol, self.max_iter, chord)
