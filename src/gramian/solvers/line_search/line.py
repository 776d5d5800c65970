"""A function along a line, and the base classes of line searches."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from gramian.base.fields import Count, Positive, check_params
from gramian.base.types import Floats
from gramian.objectives.problem import Piece, Problem
from gramian.solvers.solver import Iterate, Stop


class Line:
    """J along a direction p from x: phi(a) = J(x + a p), with phi'(0) < 0."""

    def __init__(self, problem: Problem, start: Iterate, direction: Floats) -> None:
        self.problem = problem
        self.direction = direction
        self._known = {0.0: start}
        self.value_at_0 = start.value
        self.slope_at_0 = float(start.gradient @ direction)

    def at(self, a: float) -> Iterate:
        """Return the iterate at step length a, computed on first use."""
        if a not in self._known:
            x = self._known[0.0].x + a * self.direction
            self._known[a] = Iterate(x, *self.problem.value_and_gradient(x))
        return self._known[a]

    def value(self, a: float) -> float:
        """Return phi(a)."""
        if a in self._known:
            return self._known[a].value
        return self.problem.value(self._known[0.0].x + a * self.direction)

    def slope(self, a: float) -> float:
        """Return phi'(a) = p . grad J."""
        return float(self.at(a).gradient @ self.direction)

    def curvature(self, a: float) -> float:
        """Return phi''(a) = p . H p."""
        product = self.problem.hessian_product(self.at(a).x, self.direction)
        return float(product @ self.direction)


class LineSearch(ABC):
    """Chooses a step along a descent direction."""

    requires: ClassVar[tuple[Piece, ...]] = ("value",)

    def __post_init__(self) -> None:
        check_params(self)

    @abstractmethod
    def find(self, line: Line, first: float) -> float:
        """Return a step a > 0, trying `first` first; raise Stop if there is none."""

    def take(self, line: Line, first: float) -> Iterate:
        """Return the iterate at the step found."""
        return line.at(self.find(line, first))


@dataclass(frozen=True)
class SlopeSearch(LineSearch):
    """Finds a zero of the slope phi' from proposals of the subclass."""

    tol: Positive = 0.1
    max_iter: Count = 50

    @abstractmethod
    def _propose(self, line: Line, a: float, slope_a: float, b: float, slope_b: float) -> float:
        """Return the next step from the last two, a and b, and their slopes, or NaN."""

    def find(self, line: Line, first: float) -> float:
        """Return a step with a slope of about zero."""
        return zero_of_slope(line, first, self.tol, self.max_iter, partial(self._propose, line))


def zero_of_slope(
    line: Line,
    first: float,
    tol: float,
    max_iter: int,
    propose: Callable[[float, float, float, float], float],
) -> float:
    """Find a with |phi'(a)| <= tol |phi'(0)|, from proposals kept inside a bracket.

    The slope is negative at the bracket's low end and positive at its high end. A proposal that
    leaves the bracket, or moves more than half as far as the last one did, is replaced by the
    middle; while the high end is infinite, by twice the low end.
    """
    low, high = 0.0, np.inf
    a, slope_a, b, moved = 0.0, line.slope_at_0, first, np.inf
    for _ in range(max_iter):
        slope_b = line.slope(b)
        if abs(slope_b) <= tol * abs(line.slope_at_0):
            return b
        low, high = (b, high) if slope_b < 0 else (low, b)
        c = propose(a, slope_a, b, slope_b) if np.isfinite(slope_b) else np.nan
        if np.isinf(high):
            c = c if low < c < 10 * low else 2 * low
        elif not (low < c < high and abs(c - b) <= moved / 2):
            c = (low + high) / 2
        a, slope_a, b, moved = b, slope_b, c, abs(c - b)
        if np.isfinite(high) and high - low <= 1e-15 * high:
            break
    if low > 0 and line.value(low) <= line.value_at_0:
        return low
    raise Stop("no step of the line search lowers J, because of rounding or a wrong gradient")
