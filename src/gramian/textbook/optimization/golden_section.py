"""Line search by golden section: values only, no derivative."""

from dataclasses import dataclass

from gramian.base.fields import Count, Positive
from gramian.solvers.line_search.line import Line, LineSearch
from gramian.solvers.solver import Stop

RATIO = (5**0.5 - 1) / 2  # 0.618..., the root of r^2 = 1 - r


@dataclass(frozen=True)
class GoldenSection(LineSearch):
    """Shrink an interval around the minimum of phi by the golden ratio, one value per iteration.

    The interval is first doubled until phi rises at its end. Of the two inner points

    ::

        c = b - r (b - a),    d = a + r (b - a),    r = (sqrt 5 - 1) / 2

    the better one stays inner, so each iteration needs one new value and keeps 61.8% of the
    interval. Finds the minimum if phi is unimodal.

    Parameters
    ----------
    tol
        Stop when the interval has shrunk to this fraction of its initial length.
    max_iter
        Maximum number of iterations.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import GradientDescent
    >>> bowl = Function(lambda x: 3 * (x[0] - 1) ** 2, size=1)
    >>> GradientDescent(search=GoldenSection(tol=1e-6), tol=1e-4).minimize(bowl).x.round(4)
    array([1.])
    """

    tol: Positive = 1e-3
    max_iter: Count = 100

    def find(self, line: Line, first: float) -> float:
        """Return a step near the minimum along the line."""
        a, b = 0.0, first
        while line.value(2 * b) < line.value(b) < line.value_at_0:
            b *= 2
        b *= 2
        length = b - a
        c, d = b - RATIO * (b - a), a + RATIO * (b - a)
        at_c, at_d = line.value(c), line.value(d)
        for _ in range(self.max_iter):
            if b - a <= self.tol * length and min(at_c, at_d) < line.value_at_0:
                break
            if not at_c > at_d:  # also if the value at a far d is NaN
                b, d, at_d = d, c, at_c
                c = b - RATIO * (b - a)
                at_c = line.value(c)
            else:
                a, c, at_c = c, d, at_d
                d = a + RATIO * (b - a)
                at_d = line.value(d)
        best, value = (c, at_c) if at_c <= at_d else (d, at_d)
        if value < line.value_at_0:
            return best
        raise Stop(
            "no step of golden section lowers J, because of rounding or a direction of ascent"
        )
