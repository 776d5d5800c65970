"""Line search for quasi-Newton methods: sufficient decrease and curvature."""

from dataclasses import dataclass

import numpy as np

from gramian.base.fields import Count, Fraction
from gramian.solvers.line_search.line import Line, LineSearch
from gramian.solvers.solver import Stop


@dataclass(frozen=True)
class Wolfe(LineSearch):
    """Find a step that satisfies the (weak) Wolfe conditions, by bracketing.

    ::

        phi(a) <= phi(0) + c1 a phi'(0)        else the step is too long:   high = a
        phi'(a) >= c2 phi'(0)                  else the step is too short:  low = a

    The next step is twice the low end while there is no high end, then the minimum of the parabola
    through phi(low), phi'(low) and phi(high), kept 10% away from both ends. The second condition
    makes s . y > 0, which BFGS needs. It also works on nonsmooth functions (Lewis and Overton
    2013). Values are compared up to rounding error.

    Parameters
    ----------
    c1, c2
        0 < c1 < c2 < 1.
    max_iter
        Maximum number of steps tried.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import LBFGS
    >>> valley = Function(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)
    >>> LBFGS(search=Wolfe()).minimize(valley, [-1.2, 1.0]).x.round(3)
    array([1., 1.])
    """

    requires = ("subgradient",)

    c1: Fraction = 1e-4
    c2: Fraction = 0.9
    max_iter: Count = 60

    def find(self, line: Line, first: float) -> float:
        """Return a step that satisfies both conditions."""
        low, high, a = 0.0, np.inf, first
        rounding = 4 * float(np.finfo(float).eps) * abs(line.value_at_0)
        for _ in range(self.max_iter):
            value, slope = line.at(a).value, line.slope(a)
            promised = line.value_at_0 + self.c1 * a * line.slope_at_0 + rounding
            if not (value <= promised and np.isfinite(slope)):
                high = a
            elif slope < self.c2 * line.slope_at_0:
                low = a
            else:
                return a
            a = 2 * low if np.isinf(high) else self._between(line, low, high)
        if low > 0:  # at least with sufficient decrease
            return low
        raise Stop("no step of the line search lowers J, because of rounding or a wrong gradient")

    @staticmethod
    def _between(line: Line, low: float, high: float) -> float:
        """Return the minimum of the parabola, kept inside the bracket."""
        width, slope = high - low, line.slope(low)
        bend = line.value(high) - line.value(low) - slope * width
        parabola = low - slope * width**2 / (2 * bend) if bend > 0 else np.nan
        middle = (low + high) / 2
        if not np.isfinite(parabola):
            return middle
        return float(np.clip(parabola, low + 0.1 * width, high - 0.1 * width))
