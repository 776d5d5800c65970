"""Line search by backtracking: halve until the value falls enough."""

from dataclasses import dataclass

from gramian.base.fields import Count, Fraction
from gramian.solvers.line_search.line import Line, LineSearch
from gramian.solvers.solver import Stop


@dataclass(frozen=True)
class Backtracking(LineSearch):
    """Take the first of a, a/2, a/4, ... with sufficient decrease (Armijo's condition).

    ::

        phi(a) <= phi(0) + c1 a phi'(0)

    Parameters
    ----------
    c1
        The fraction of the predicted decrease that is required.
    max_iter
        Maximum number of halvings.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> from gramian.solvers import GradientDescent
    >>> bowl = Function(lambda x: 3 * (x[0] - 1) ** 2, size=1)
    >>> GradientDescent(search=Backtracking()).minimize(bowl).x.round(6)
    array([1.])
    """

    requires = ("gradient",)

    c1: Fraction = 1e-4
    max_iter: Count = 60

    def find(self, line: Line, first: float) -> float:
        """Return a step with sufficient decrease."""
        a = first
        for _ in range(self.max_iter):
            if line.value(a) <= line.value_at_0 + self.c1 * a * line.slope_at_0:
                return a
            a /= 2
        raise Stop("no step of backtracking lowers J, because of rounding or a wrong gradient")
