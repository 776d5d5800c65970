r"""Hoeffding's inequality, and the binomial distribution that it bounds.

The number of errors of a fixed hypothesis of risk R on n independent rows is binomial, so that its
rate has the standard deviation sqrt(R (1 - R) / n). Without knowing R,

    P(|rate - R| > epsilon)  <=  2 exp(-2 epsilon^2 n)

and for a sum S of n independent variables in [0, 1], P(S - E S >= t) <= exp(-2 t^2 / n).
Reference: Hoeffding, Journal of the American Statistical Association 58, 1963.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.evaluate.input_checks import check_fraction
from gramian.textbook.learning_theory.argument_checks import (
    ceiling,
    check_between,
    check_count,
    check_epsilon,
    check_rows,
)

_MOST_COUNTS = 10_000_000


@dataclass(frozen=True)
class HoeffdingBound:
    """Bound on the deviation of a fixed hypothesis's error rate from its risk.

    The hypothesis must be chosen without the rows it is measured on, as on a test set.

    Parameters
    ----------
    sides
        2 bounds deviations in both directions; 1 in one direction, with half the probability.

    Examples
    --------
    >>> bound = HoeffdingBound()
    >>> round(bound.delta(n=100, epsilon=0.1), 5), round(bound.delta(n=500, epsilon=0.1), 7)
    (0.27067, 9.08e-05)
    >>> bound.sample_size(epsilon=0.05, delta=0.05)
    738
    """

    sides: int = 2

    def __post_init__(self) -> None:
        if self.sides not in (1, 2):
            raise ParameterError(f"HoeffdingBound: sides must be 1 or 2; got {self.sides!r}.")

    def sample_size(self, epsilon: float, delta: float) -> int:
        """Return the smallest n for a deviation of `epsilon` with probability 1 - `delta`."""
        epsilon = check_epsilon("HoeffdingBound", epsilon)
        check_fraction("HoeffdingBound", "delta", delta)
        return ceiling((math.log(self.sides) - math.log(delta)) / (2 * epsilon**2))

    def epsilon(self, n: int, delta: float) -> float:
        """Return the bound on the deviation with n rows and probability 1 - `delta`; at most 1."""
        n = check_rows("HoeffdingBound", n)
        check_fraction("HoeffdingBound", "delta", delta)
        return min(1.0, math.sqrt((math.log(self.sides) - math.log(delta)) / (2 * n)))

    def delta(self, n: int, epsilon: float) -> float:
        """Return the bound on the probability of a deviation above `epsilon`; at most 1."""
        n = check_rows("HoeffdingBound", n)
        epsilon = check_epsilon("HoeffdingBound", epsilon)
        return min(1.0, self.sides * math.exp(-2 * epsilon**2 * n))


def hoeffding_sum(deviation: float, n: int) -> float:
    """Return the bound on P(S - E S >= deviation), S a sum of n independent variables in [0, 1].

    Parameters
    ----------
    deviation
        Deviation >= 0, on the scale of the sum.
    n
        Number of variables.

    Examples
    --------
    >>> round(hoeffding_sum(10.0, 100), 5)
    0.13534
    """
    n = check_rows("hoeffding_sum", n)
    check_between("hoeffding_sum", "deviation", deviation, 0.0, math.inf, closed=True)
    return math.exp(-2 * (deviation / math.sqrt(n)) ** 2)


class ErrorCountDistribution(NamedTuple):
    """The distribution of the number of errors on n rows.

    Attributes
    ----------
    counts
        0, 1, ..., n.
    probabilities
        Probability of each count.
    mean
        n R.
    std_of_rate
        Standard deviation of the error rate, sqrt(R (1 - R) / n).
    """

    counts: Floats
    probabilities: Floats
    mean: float
    std_of_rate: float


def error_count_distribution(risk: float, n: int) -> ErrorCountDistribution:
    """Return the distribution of the number of errors of a hypothesis on n independent rows.

    Parameters
    ----------
    risk
        Its probability of an error, R.
    n
        Number of rows.

    Examples
    --------
    >>> binomial = error_count_distribution(0.25, 20)
    >>> binomial.mean, round(binomial.std_of_rate, 4), int(binomial.probabilities.argmax())
    (5.0, 0.0968, 5)
    """
    check_between("error_count_distribution", "risk", risk, 0.0, 1.0, closed=True)
    n = check_count("error_count_distribution", "n", n)
    if n > _MOST_COUNTS:
        raise ParameterError(
            f"error_count_distribution: n must be at most {_MOST_COUNTS:,}, because all counts "
            f"are listed; got {n}. Use scipy.stats.binom(n, risk) for larger n."
        )
    counts = np.arange(n + 1)
    return ErrorCountDistribution(
        counts.astype(float),
        stats.binom.pmf(counts, n, risk),
        n * risk,
        math.sqrt(risk * (1 - risk) / n),
    )
