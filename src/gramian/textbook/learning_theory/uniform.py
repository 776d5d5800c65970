r"""Uniform bounds for all hypotheses of a class, from their number of labellings.

With Pi(n) labellings of n rows, all training errors are within epsilon of their risks,

    P(sup_h |rate(h) - R(h)| > epsilon)  <=  delta = 2 Pi(n) exp(-2 epsilon^2 n),
    epsilon = sqrt(ln(2 Pi(n) / delta) / (2 n)),        n >= ln(2 Pi(n) / delta) / (2 epsilon^2),

and the hypothesis h_n of least training error has R(h_n) <= min_h R(h) + 2 epsilon. For a finite
class this is a theorem. For an infinite class it is the simplified form of introductory courses;
the theorem of Vapnik and Chervonenkis has delta = 4 Pi(2 n) exp(-epsilon^2 n / 8). References:
Vapnik and Chervonenkis, Theory of Probability and its Applications 16, 1971; Devroye, Gyorfi and
Lugosi, A Probabilistic Theory of Pattern Recognition, 1996, chapters 8 and 12.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from gramian.base.errors import ParameterError
from gramian.evaluate.input_checks import check_fraction
from gramian.textbook.learning_theory.argument_checks import check_epsilon, check_rows

Growth = float | Callable[[int], float]
_MOST = 2**1000
_MOST_LOG_COUNT = 2**24  # larger integers are too slow


@dataclass(frozen=True)
class UniformBound:
    """Uniform bound on the deviations of training errors from risks over a class.

    Parameters
    ----------
    growth
        Number of labellings of n rows: a number for a finite class, or a function of n, such as
        ``lambda n: cover_count(n, d)``. Its logarithm must be concave in n, as for all growth
        functions here.
    log
        Whether the function returns logarithms, for counts too large for a float.

    Examples
    --------
    >>> from gramian.textbook.learning_theory import cover_count
    >>> lines = UniformBound(lambda n: cover_count(n, 2))
    >>> lines.sample_size(epsilon=0.1, delta=0.1)
    821
    >>> round(lines.epsilon(n=821, delta=0.1), 4)
    0.1
    """

    growth: Growth
    log: bool = False

    # delta = factor * Pi(points * n) * exp(-rate * epsilon^2 * n)
    _factor: ClassVar[float] = 2.0
    _points: ClassVar[int] = 1
    _rate: ClassVar[float] = 2.0

    def sample_size(self, epsilon: float, delta: float) -> int:
        """Return the smallest n with all deviations <= `epsilon` with probability 1 - `delta`.

        The number of labellings also grows with n; the inequality is solved by bisection.
        """
        epsilon = check_epsilon(type(self).__name__, epsilon)
        check_fraction(type(self).__name__, "delta", delta)

        rest = math.log(self._factor) - math.log(delta)

        def slack(n: int) -> float:
            return self._rate * epsilon**2 * n - rest - self._log_growth(n)

        # slack is convex, so this is true from some n on.
        def enough(n: int) -> bool:
            return slack(n) >= 0 and slack(n + 1) >= slack(n)

        high = 1
        while not enough(high):
            high *= 2
            if high > _MOST or (not self.log and self._log_growth(high) > _MOST_LOG_COUNT):
                raise ParameterError(
                    f"{type(self).__name__}: no sample size is large enough: the class produces "
                    "all labellings, or epsilon is too small."
                )
        low = high // 2  # too few, or 0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high

    def epsilon(self, n: int, delta: float) -> float:
        """Return the bound on the deviation that holds with probability 1 - `delta`; at most 1."""
        n = check_rows(type(self).__name__, n)
        check_fraction(type(self).__name__, "delta", delta)
        logarithm = math.log(self._factor) - math.log(delta) + self._log_growth(n)
        return min(1.0, math.sqrt(logarithm / (self._rate * n)))

    def delta(self, n: int, epsilon: float) -> float:
        """Return the bound on the probability of a deviation above `epsilon`; at most 1."""
        n = check_rows(type(self).__name__, n)
        epsilon = check_epsilon(type(self).__name__, epsilon)
        logarithm = math.log(self._factor) + self._log_growth(n) - self._rate * epsilon**2 * n
        return math.exp(min(0.0, logarithm))

    def _log_growth(self, n: int) -> float:
        """Return the logarithm of the number of labellings."""
        count = self.growth(self._points * n) if callable(self.growth) else self.growth
        if not isinstance(count, Real) or not (self.log or count >= 1):
            raise ParameterError(
                f"{type(self).__name__}: growth must be at least 1, or a function that returns "
                f"such numbers; got {count!r} for n = {n}."
            )
        if self.log:
            return float(count)
        return math.log(count)


@dataclass(frozen=True)
class ExcessRiskBound(UniformBound):
    """Bound on the excess risk of the hypothesis with the smallest training error.

    If all training errors are within epsilon / 2 of their risks, the excess is at most epsilon.

    Parameters
    ----------
    growth
        Number of labellings of n rows: a number for a finite class, or a function of n.
    log
        Whether the function returns logarithms.

    Examples
    --------
    >>> ExcessRiskBound(1000).sample_size(epsilon=0.1, delta=0.05)
    2120
    """

    _rate: ClassVar[float] = 0.5


@dataclass(frozen=True)
class VapnikChervonenkisBound(UniformBound):
    """Uniform bound for infinite classes: the theorem of Vapnik and Chervonenkis.

    delta = 4 Pi(2 n) exp(-epsilon^2 n / 8): weaker than `UniformBound`, but proved.

    Parameters
    ----------
    growth
        Number of labellings of n rows, a function of n.
    log
        Whether the function returns logarithms.

    Examples
    --------
    >>> from gramian.textbook.learning_theory import cover_count
    >>> VapnikChervonenkisBound(lambda n: cover_count(n, 2)).sample_size(epsilon=0.1, delta=0.1)
    19898
    """

    _factor: ClassVar[float] = 4.0
    _points: ClassVar[int] = 2
    _rate: ClassVar[float] = 0.125
