"""Reference distributions of test statistics: p-values and confidence limits."""

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from scipy import stats

Alternative = Literal["two-sided", "greater", "less"]
Side = Literal["two-sided", "lower", "upper"]


class SymmetricDistribution(NamedTuple):
    """Upper tail probability and upper quantile of a distribution symmetric about 0."""

    tail: Callable[[float], float]
    quantile: Callable[[float], float]


NORMAL = SymmetricDistribution(stats.norm.sf, stats.norm.isf)


def student(df: float) -> SymmetricDistribution:
    """Return Student's t distribution with `df` degrees of freedom."""
    return SymmetricDistribution(partial(stats.t.sf, df=df), partial(stats.t.isf, df=df))


def p_value_of(
    statistic: float, distribution: SymmetricDistribution, alternative: Alternative
) -> float:
    """Return the probability of a statistic at least as extreme under the alternative."""
    if alternative == "two-sided":
        return float(2 * distribution.tail(abs(statistic)))
    return float(distribution.tail(statistic if alternative == "greater" else -statistic))


def confidence_limits(
    estimate: float,
    standard_error: float,
    distribution: SymmetricDistribution,
    alpha: float,
    alternative: Alternative,
) -> tuple[float, float]:
    """Return the range of values that a test at level alpha would not reject."""
    if alternative == "two-sided":
        half_width = float(distribution.quantile(alpha / 2)) * standard_error
        return estimate - half_width, estimate + half_width
    half_width = float(distribution.quantile(alpha)) * standard_error
    return (
        (estimate - half_width, np.inf)
        if alternative == "greater"
        else (-np.inf, estimate + half_width)
    )
