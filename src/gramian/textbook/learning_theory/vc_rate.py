r"""Rates of order sqrt(d / n), and the number of rows per dimension that a bound requires.

The supremum of |rate - risk| over a class of VC dimension d is of the order c sqrt(d / n), with a
constant c that depends on delta. For halfspaces, epsilon and delta, n = r d rows are enough with

    r  =  [ln(4 / delta) / d + 1 + ln(r - 1 / d)] / (2 epsilon^2),

which is the bound of `UniformBound` with Pi(n) <= 2 (e (n - 1) / d)^d: for epsilon = delta = 0.1 it
is 550 for every d, and 342 for very large d. d counts the features after any lifting.
"""

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from gramian.evaluate.input_checks import check_fraction
from gramian.textbook.learning_theory.argument_checks import (
    ceiling,
    check_between,
    check_count,
    check_epsilon,
    check_rows,
)


@dataclass(frozen=True)
class VCRate:
    """The curve c sqrt(d / n).

    Parameters
    ----------
    vc_dimension
        VC dimension of the class, d.
    constant
        c, which the rate does not determine.

    Examples
    --------
    >>> rate = VCRate(3, constant=2.0)
    >>> rate.deviation(1200)
    0.1
    >>> rate.sample_size(0.1)
    1200
    """

    vc_dimension: int
    constant: float = 1.0

    def __post_init__(self) -> None:
        check_count("VCRate", "vc_dimension", self.vc_dimension)
        check_between("VCRate", "constant", self.constant, 0.0, math.inf)

    def deviation(self, n: int) -> float:
        """Return c sqrt(d / n)."""
        n = check_rows("VCRate", n)
        return self.constant * math.sqrt(self.vc_dimension / n)

    def sample_size(self, deviation: float) -> int:
        """Return the smallest n with at most this deviation."""
        check_between("VCRate", "deviation", deviation, 1e-100 * self.constant, math.inf)
        return ceiling(self.vc_dimension * (self.constant / deviation) ** 2)


def rows_per_dimension(d: float = 1, *, epsilon: float = 0.1, delta: float = 0.1) -> float:
    """Return r such that with r d rows all deviations of halfspaces of R^d are at most epsilon.

    Parameters
    ----------
    d
        Number of features; ``math.inf`` gives the limit for very many. The result for d holds for
        all larger d too.
    epsilon
        Largest deviation of a training error from its risk.
    delta
        Probability of a larger deviation.

    Examples
    --------
    >>> round(rows_per_dimension(), 2), round(rows_per_dimension(math.inf), 1)
    (549.83, 341.7)
    """
    epsilon = check_epsilon("rows_per_dimension", epsilon)
    check_fraction("rows_per_dimension", "delta", delta)
    check_between("rows_per_dimension", "d", d, 1.0, math.inf, closed=True)
    constant = (math.log(4) - math.log(delta)) / d + 1

    def slack(r: float) -> float:
        return 2 * epsilon**2 * r - constant - math.log(r - 1 / d)

    # The minimum of the convex function; the solution lies to the right of it.
    low = 1 / d + 1 / (2 * epsilon**2)
    high = 2 * low
    while slack(high) < 0:
        high *= 2
    return float(brentq(slack, low, high, xtol=1e-12)) if slack(low) < 0 else low
