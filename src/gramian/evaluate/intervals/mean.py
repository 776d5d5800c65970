r"""The mean of a normal sample: intervals and tests by the normal and Student's t distribution.

With m the mean and S the standard deviation (divisor N - 1) of N independent values,

    sigma known:    sqrt(N) (m - mu) / sigma ~ N(0, 1)
    sigma unknown:  sqrt(N) (m - mu) / S     ~ t with N - 1 degrees of freedom

Two-sided limits use the quantile of alpha / 2, one-sided ones that of alpha.
Reference: Alpaydin, Introduction to Machine Learning, 3rd ed. 2014, sections 19.8 and 19.9.
"""

import numpy as np
from numpy.typing import ArrayLike

from gramian.evaluate.input_checks import (
    check_alternative,
    check_fraction,
    check_positive,
    check_sample,
    check_side,
)
from gramian.evaluate.reference_distributions import (
    NORMAL,
    Alternative,
    Side,
    SymmetricDistribution,
    confidence_limits,
    p_value_of,
    student,
)
from gramian.evaluate.results import HypothesisTestResult, Interval
from gramian.evaluate.rounding import difference, ratio, standard_deviation

_KNOWN = "independent, normal values with this sigma (or N large)"
_UNKNOWN = "independent, normal values"
_SIDES: dict[Side, Alternative] = {"two-sided": "two-sided", "lower": "greater", "upper": "less"}


def z_interval(
    x: ArrayLike, sigma: float, *, confidence: float = 0.95, side: Side = "two-sided"
) -> Interval:
    """Return the interval of a mean with known standard deviation: m -+ z sigma / sqrt(N).

    Parameters
    ----------
    x
        The values, shape (N,).
    sigma
        Known standard deviation of one value.
    confidence
        Confidence level.
    side
        ``"two-sided"``, or only a ``"lower"`` or an ``"upper"`` bound.

    Returns
    -------
    interval
        Estimate and limits.

    Examples
    --------
    >>> print(z_interval([9, 11] * 8, sigma=2))
    mean, sigma known: 10, with 95% confidence between 9.02 and 10.98.
    """
    values = check_sample("z_interval", x, at_least=1)
    error = check_positive("z_interval", "sigma", sigma) / np.sqrt(len(values))
    return location_interval("z_interval", "mean, sigma known", values.mean(), error, NORMAL,
                             confidence, side, _KNOWN)  # fmt: skip


def t_interval(x: ArrayLike, *, confidence: float = 0.95, side: Side = "two-sided") -> Interval:
    """Return the interval of a mean with unknown standard deviation: m -+ t S / sqrt(N).

    Parameters
    ----------
    x
        The values, shape (N,), N >= 2.
    confidence, side
        As for `z_interval`.

    Returns
    -------
    interval
        Estimate and limits.

    Examples
    --------
    >>> print(t_interval([0.82, 0.85, 0.80, 0.84, 0.84]))
    mean, sigma unknown: 0.83, with 95% confidence between 0.8052 and 0.8548.
    """
    values = check_sample("t_interval", x, at_least=2)
    error = standard_deviation(values) / np.sqrt(len(values))
    return location_interval("t_interval", "mean, sigma unknown", values.mean(), error,
                             student(len(values) - 1), confidence, side, _UNKNOWN)  # fmt: skip


def z_test(
    x: ArrayLike,
    mean: float,
    sigma: float,
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> HypothesisTestResult:
    """Test a mean with known standard deviation: sqrt(N) (m - mu0) / sigma.

    Parameters
    ----------
    x
        The values, shape (N,).
    mean
        Mean under the null hypothesis, mu0.
    sigma
        Known standard deviation of one value.
    alternative
        The alternative hypothesis: another mean, a ``"greater"`` or a ``"less"`` one.
    alpha
        Significance level.

    Returns
    -------
    result
        Statistic, p-value, interval.

    Examples
    --------
    >>> z_test([9, 11] * 8, mean=9, sigma=2).statistic
    2.0
    """
    values = check_sample("z_test", x, at_least=1)
    error = check_positive("z_test", "sigma", sigma) / np.sqrt(len(values))
    return location_test("z_test", "z test", "the mean", values.mean(), mean, error, NORMAL,
                            (), alternative, alpha, _KNOWN)  # fmt: skip


def t_test(
    x: ArrayLike,
    mean: float,
    *,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> HypothesisTestResult:
    """Test a mean with unknown standard deviation: sqrt(N) (m - mu0) / S.

    Parameters
    ----------
    x
        The values, shape (N,), N >= 2.
    mean, alternative, alpha
        As for `z_test`.

    Returns
    -------
    result
        Statistic, p-value, interval.

    Examples
    --------
    >>> print(t_test([0.82, 0.85, 0.80, 0.84, 0.84], mean=0.8))  # doctest: +NORMALIZE_WHITESPACE
    t test: "the mean is 0.8" is rejected at level 0.05 (statistic 3.354, p = 0.0285, 4 degrees of
    freedom); estimate 0.83, between 0.8052 and 0.8548.
    """
    values = check_sample("t_test", x, at_least=2)
    error = standard_deviation(values) / np.sqrt(len(values))
    df = len(values) - 1
    return location_test("t_test", "t test", "the mean", values.mean(), mean, error,
                            student(df), (df,), alternative, alpha, _UNKNOWN)  # fmt: skip


def location_test(
    owner: str,
    test: str,
    quantity: str,
    estimate: float,
    null_value: float,
    error: float,
    distribution: SymmetricDistribution,
    df: tuple[float, ...],
    alternative: Alternative,
    alpha: float,
    assumes: str,
) -> HypothesisTestResult:
    """Test (estimate - null_value) / error against a symmetric distribution."""
    check_alternative(owner, alternative)
    check_fraction(owner, "alpha", alpha)
    relation = {"two-sided": "is", "greater": "is at most", "less": "is at least"}[alternative]
    statistic = ratio(difference(estimate, null_value), float(error))
    return HypothesisTestResult(
        test=test,
        null=f"{quantity} {relation} {null_value:g}",
        statistic=statistic,
        p_value=p_value_of(statistic, distribution, alternative),
        alpha=alpha,
        assumes=assumes,
        df=df,
        estimate=float(estimate),
        interval=confidence_limits(float(estimate), float(error), distribution, alpha, alternative),
    )


def location_interval(
    owner: str,
    method: str,
    centre: float,
    error: float,
    distribution: SymmetricDistribution,
    confidence: float,
    side: Side,
    assumes: str,
) -> Interval:
    """Return the interval of an estimate with a standard error, by its distribution."""
    check_side(owner, side)
    check_fraction(owner, "confidence", confidence)
    low, high = confidence_limits(
        float(centre), float(error), distribution, 1 - confidence, _SIDES[side]
    )
    return Interval(float(centre), low, high, confidence, method, assumes)
