"""Line search by secants: Newton's method in one dimension without the second derivative."""

from dataclasses import dataclass

from gramian.solvers.line_search.line import Line, SlopeSearch


@dataclass(frozen=True)
class Secant(SlopeSearch):
    """Find the zero of the slope by the chord through the last two slopes.

    ::

        c = b - phi'(b) (b - a) / (phi'(b) - phi'(a))

    Exact after one chord if phi is a parabola. Proposals outside the bracket of the zero are
    replaced by bisection.

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
    >>> GradientDescent(search=Secant(tol=1e-6)).minimize(bowl).x.round(6)
    array([1.])
    """

    requires = ("gradient",)

    def _propose(self, line: Line, a: float, slope_a: float, b: float, slope_b: float) -> float:
        rise = slope_b - slope_a
        return b - slope_b * (b - a) / rise if rise != 0 else float("nan")
