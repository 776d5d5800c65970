"""Line searches: the step size along a descent direction.

`Secant` and `NewtonRaphson` seek the minimum along the line with one or two derivatives,
`GoldenSection` with values alone; `Backtracking` and `Wolfe` accept any good step.
"""

from gramian.solvers.line_search.backtracking import Backtracking
from gramian.solvers.line_search.line import Line, LineSearch
from gramian.solvers.line_search.secant import Secant
from gramian.solvers.line_search.wolfe import Wolfe

__all__ = ["Backtracking", "Line", "LineSearch", "Secant", "Wolfe"]
