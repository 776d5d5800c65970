r"""The error rate of one classifier on one test set: e errors in N independent rows.

Under the hypothesis p = p0 the number of errors X is binomial.

    exact test of p <= p0:   p-value P(X >= e)
    Wilson's interval:       all p with |e/N - p| <= z sqrt(p (1 - p) / N)
    Clopper and Pearson's:   all p that no exact test at level alpha / 2 rejects on either side

References: Alpaydin 2014, section 19.10.1; Wilson, JASA 22, 1927; Clopper and Pearson,
Biometrika 26, 1934; Quinlan, C4.5, 1993, section 4.2 (the upper limit as a pessimistic error).
"""

from typing import Literal

import numpy as np
from scipy import stats

from gramian.evaluate.input_checks import (
    check_alternative,
    check_counts,
    check_fraction,
    check_option,
    check_positive,
    check_side,
)
from gramian.evaluate.reference_distributions import Alternative, Side
from gramian.evaluate.results import HypothesisTestResult, Interval

Tail = Literal["at_least", "mid", "more"]
_ROWS = "independent test rows, not used in training"


def binomial_test(
    errors: int,
    n: int,
    p0: float,
    *,
    alternative: Alternative = "greater",
    tail: Tail = "at_least",
    alpha: float = 0.05,
) -> HypothesisTestResult:
    """Test an error rate on one test set against p0.

    Parameters
    ----------
    errors
        Number of misclassified rows, e.
    n
        Number of classified rows, N.
    p0
        Error rate under the null hypothesis.
    alternative
        ``"greater"`` tests "the rate is at most p0"; ``"less"``, "at least"; ``"two-sided"``, "is".
    tail
        ``"at_least"``: P(X >= e), the exact test, whose type I error rate is at most alpha.
        ``"more"``: P(X > e), the rule "accept if P(X <= e) < 1 - alpha" of some textbooks, which
        rejects one count too early (p0 = 0.1, N = 100: in 7.3% of cases instead of 5%).
        ``"mid"``: halfway, near alpha on average.
    alpha
        Significance level.

    Returns
    -------
    result
        The statistic is e; the interval is Clopper and Pearson's.

    Examples
    --------
    >>> binomial_test(16, 100, 0.1).rejected, binomial_test(15, 100, 0.1).rejected
    (True, False)
    """
    e, n = check_counts("binomial_test", errors, n)
    check_alternative("binomial_test", alternative)
    check_option("binomial_test", "tail", tail, ("at_least", "mid", "more"))
    check_fraction("binomial_test", "p0", p0)
    check_fraction("binomial_test", "alpha", alpha)
    here = {"at_least": 1.0, "mid": 0.5, "more": 0.0}[tail] * float(stats.binom.pmf(e, n, p0))
    above = float(stats.binom.sf(e, n, p0)) + here
    below = float(stats.binom.cdf(e - 1, n, p0)) + here
    p = {"greater": above, "less": below, "two-sided": min(1.0, 2 * min(above, below))}[alternative]
    relation = {"two-sided": "is", "greater": "is at most", "less": "is at least"}[alternative]
    sides: dict[Alternative, Side] = {
        "two-sided": "two-sided", "greater": "lower", "less": "upper",
    }  # fmt: skip
    limits = clopper_pearson_interval(e, n, confidence=1 - alpha, side=sides[alternative])
    return HypothesisTestResult(
        test="binomial test",
        null=f"the error rate {relation} {p0:g}",
        statistic=float(e),
        p_value=p,
        alpha=alpha,
        assumes=_ROWS,
        estimate=e / n,
        interval=(limits.low, limits.high),
    )


def wilson_interval(
    errors: int,
    n: int,
    *,
    confidence: float = 0.95,
    side: Side = "two-sided",
    z: float | None = None,
) -> Interval:
    """Return Wilson's interval of a rate: the p with ``|e/N - p| <= z sqrt(p (1 - p) / N)``.

    Its coverage is close to the confidence level on average over p, a little above or below it
    for a single p; that of `clopper_pearson_interval` is never below.

    Parameters
    ----------
    errors
        Number of misclassified rows, e.
    n
        Number of classified rows, N.
    confidence
        Confidence level.
    side
        ``"two-sided"``, or only a ``"lower"`` or an ``"upper"`` limit.
    z
        Normal quantile to use instead of the one that follows from `confidence`.

    Returns
    -------
    interval
        Estimate e / N and limits.

    Examples
    --------
    >>> print(wilson_interval(15, 100))
    error rate, Wilson: 0.15, with 95% confidence between 0.09306 and 0.2328.
    """
    e, n = check_counts("wilson_interval", errors, n)
    check_side("wilson_interval", side)
    check_fraction("wilson_interval", "confidence", confidence)
    tails = 2 if side == "two-sided" else 1
    if z is None:
        z = float(stats.norm.isf((1 - confidence) / tails))
    else:
        check_positive("wilson_interval", "z", z)
        confidence = float(1 - tails * stats.norm.sf(z))
    rate = e / n
    centre = rate + z * z / (2 * n)
    half_width = z * np.sqrt(rate * (1 - rate) / n + (z / (2 * n)) ** 2)
    scale = 1 + z * z / n
    # At the ends of [0, 1] the limit is exact; the formula gives it only to rounding.
    low = 0.0 if side == "upper" or e == 0 else float((centre - half_width) / scale)
    high = 1.0 if side == "lower" or e == n else float((centre + half_width) / scale)
    return Interval(rate, low, high, confidence, "error rate, Wilson", _ROWS)


def clopper_pearson_interval(
    errors: int, n: int, *, confidence: float = 0.95, side: Side = "two-sided"
) -> Interval:
    """Return Clopper and Pearson's exact interval; its coverage is never below `confidence`.

    Parameters
    ----------
    errors, n, side
        As for `wilson_interval`.
    confidence
        Confidence level; the coverage is never below it.

    Returns
    -------
    interval
        Estimate e / N and limits.

    Examples
    --------
    >>> print(clopper_pearson_interval(0, 20, side="upper"))
    error rate, Clopper-Pearson: 0, with 95% confidence between 0 and 0.1391.
    """
    e, n = check_counts("clopper_pearson_interval", errors, n)
    check_side("clopper_pearson_interval", side)
    check_fraction("clopper_pearson_interval", "confidence", confidence)
    tail = (1 - confidence) / (2 if side == "two-sided" else 1)
    low = 0.0 if side == "upper" or e == 0 else float(stats.beta.ppf(tail, e, n - e + 1))
    high = 1.0 if side == "lower" or e == n else float(stats.beta.isf(tail, e + 1, n - e))
    return Interval(e / n, low, high, confidence, "error rate, Clopper-Pearson", _ROWS)


def error_upper_limit(errors: int, n: int, *, level: float = 0.25, z: float | None = None) -> float:
    """Return a pessimistic error rate: the upper limit, exceeded with probability `level`.

    Solves (q - e/N) / sqrt(q (1 - q) / N) = z for q, Wilson's one-sided limit.

    Parameters
    ----------
    errors
        Number of misclassified rows of a leaf (or a test set), e.
    n
        Number of its rows, N.
    level
        Probability left above; C4.5's default is 0.25.
    z
        Normal quantile to use instead of the one that follows from `level`; C4.5's table gives 0.69
        for a level of 0.25.

    Returns
    -------
    q
        The upper limit.

    Examples
    --------
    >>> round(error_upper_limit(2, 6, z=0.69), 4)
    0.474
    """
    check_fraction("error_upper_limit", "level", level)
    return wilson_interval(errors, n, confidence=1 - level, side="upper", z=z).high
