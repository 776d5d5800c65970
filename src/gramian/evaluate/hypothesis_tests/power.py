r"""The power of a test (type II errors), and the sample size it needs.

The power is the probability that a test rejects a hypothesis that is false by a given amount. For a
mean that is `effect` standard deviations away,

    z test:  P(|Z + sqrt(N) effect| > z_{alpha/2})
    t test:  the same under the noncentral t with N - 1 degrees of freedom, centre sqrt(N) effect.

Binomial: the sum over the counts that the exact test rejects. McNemar, with a proportion p_b of
rows that only the first gets wrong and p_c only the second, q = p_b + p_c, delta = p_b - p_c:

    N = ((z_{alpha/2} sqrt(q) + z_beta sqrt(q - delta^2)) / delta)^2.

References: Cohen, Statistical Power Analysis, 2nd ed. 1988; Connor, Biometrics 43, 1987.
"""

from collections.abc import Callable
from math import ceil

import numpy as np
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.evaluate.input_checks import check_alternative, check_fraction, check_positive
from gramian.evaluate.intervals.proportion import clopper_pearson_interval
from gramian.evaluate.reference_distributions import Alternative
from gramian.evaluate.results import HypothesisTestResult, Interval

_MOST_ROWS = 10**9


def z_test_power(
    effect: float, n: int, *, alternative: Alternative = "two-sided", alpha: float = 0.05
) -> float:
    """Return the power of the z test.

    Parameters
    ----------
    effect
        (mu - mu0) / sigma.
    n
        Sample size.
    alternative
        As in `z_test`.
    alpha
        Significance level.

    Returns
    -------
    power
        Probability of rejection.

    Examples
    --------
    >>> round(z_test_power(0.5, 32), 3)
    0.807
    """
    _check("z_test_power", n, alternative, alpha, least=1)
    centre = np.sqrt(n) * effect
    if alternative == "two-sided":
        z = stats.norm.isf(alpha / 2)
        return float(stats.norm.sf(z - centre) + stats.norm.cdf(-z - centre))
    return float(stats.norm.sf(stats.norm.isf(alpha) - centre * _sign(alternative)))


def t_test_power(
    effect: float, n: int, *, alternative: Alternative = "two-sided", alpha: float = 0.05
) -> float:
    """Return the power of the t test of one sample, or of n paired differences.

    Parameters
    ----------
    effect, n, alternative, alpha
        As for `z_test_power`.

    Returns
    -------
    power
        Probability of rejection.

    Examples
    --------
    >>> round(t_test_power(0.5, 34), 3)
    0.808
    """
    _check("t_test_power", n, alternative, alpha, least=2)
    df, centre = n - 1, np.sqrt(n) * effect
    if alternative == "two-sided":
        t, centre = stats.t.isf(alpha / 2, df), abs(centre)
        # The far tail is below Phi(-centre), 6e-16 here, where SciPy's series fails.
        far = stats.nct.cdf(-t, df, centre) if centre < 8 else 0.0
        return float(stats.nct.sf(t, df, centre) + far)
    return float(stats.nct.sf(stats.t.isf(alpha, df), df, centre * _sign(alternative)))


def t_test_sample_size(
    effect: float,
    *,
    power: float = 0.8,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
) -> int:
    """Return the smallest sample size at which a t test has the desired power.

    Parameters
    ----------
    effect
        (mu - mu0) / sigma, not 0.
    power
        Desired probability of rejection.
    alternative
        As in `t_test`.
    alpha
        Significance level.

    Returns
    -------
    n
        At least 2.

    Examples
    --------
    >>> t_test_sample_size(0.5)
    34
    """
    check_fraction("t_test_sample_size", "power", power)
    if (alternative != "two-sided" and effect * _sign(alternative) <= 0) or effect == 0:
        raise ParameterError(
            f"t_test_sample_size: no sample size reaches the power for effect={effect!r} and "
            f"alternative={alternative!r}; pass an effect in the direction of the alternative."
        )

    def enough(n: int) -> bool:
        return t_test_power(effect, n, alternative=alternative, alpha=alpha) >= power

    high = 2
    while not enough(high):
        high *= 2
        if high > _MOST_ROWS:
            raise ParameterError(
                f"t_test_sample_size: effect={effect!r} needs more than 1e9 values."
            )
    low = high // 2  # not enough, unless high is 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def binomial_test_power(
    p: float, n: int, p0: float, *, alternative: Alternative = "greater", alpha: float = 0.05
) -> float:
    """Return the power of the exact binomial test against p0 when the error rate is p.

    Parameters
    ----------
    p
        The true error rate.
    n
        Number of test rows.
    p0
        Error rate under the null hypothesis.
    alternative
        As in `binomial_test`.
    alpha
        Significance level.

    Returns
    -------
    power
        Probability of rejection; with p = p0, the true level, at most alpha.

    Examples
    --------
    >>> round(binomial_test_power(0.2, 100, 0.1), 3)
    0.871
    """
    _check("binomial_test_power", n, alternative, alpha, least=1)
    check_fraction("binomial_test_power", "p", p)
    check_fraction("binomial_test_power", "p0", p0)
    e = np.arange(n + 1)
    above, below = stats.binom.sf(e - 1, n, p0), stats.binom.cdf(e, n, p0)
    p_values = {
        "greater": above, "less": below, "two-sided": 2 * np.minimum(above, below),
    }[alternative]  # fmt: skip
    return float(stats.binom.pmf(e, n, p)[p_values <= alpha].sum())


def mcnemar_sample_size(
    first_only: float, second_only: float, *, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Return the number of test rows at which McNemar's test has the desired power.

    Parameters
    ----------
    first_only, second_only
        Proportions of rows that only the first, or only the second, classifier gets wrong.
    power
        Desired probability of rejection.
    alpha
        Significance level.

    Returns
    -------
    n
        Number of rows.

    Examples
    --------
    A gain of one per cent, where they differ on five per cent of the rows:

    >>> mcnemar_sample_size(0.03, 0.02)
    3923
    """
    owner = "mcnemar_sample_size"
    check_fraction(owner, "power", power)
    check_fraction(owner, "alpha", alpha)
    q, delta = first_only + second_only, first_only - second_only
    if min(first_only, second_only) < 0 or q > 1 or delta == 0:
        raise ParameterError(
            f"{owner}: first_only and second_only must differ, be >= 0 and sum to at most 1; "
            f"got {first_only!r} and {second_only!r}."
        )
    level, miss = stats.norm.isf(alpha / 2), stats.norm.isf(1 - power)
    root = (level * np.sqrt(q) + miss * np.sqrt(q - delta**2)) / delta
    return ceil(float(root) ** 2)


def rate_sample_size(half_width: float, *, p: float = 0.5, confidence: float = 0.95) -> int:
    """Return the number of test rows for an interval of half-width w: z^2 p (1 - p) / w^2.

    Parameters
    ----------
    half_width
        Half-width of the confidence interval, w.
    p
        Expected error rate; 0.5 is the worst case.
    confidence
        Confidence level.

    Returns
    -------
    n
        Number of rows.

    Examples
    --------
    >>> rate_sample_size(0.01, p=0.1)
    3458
    """
    check_positive("rate_sample_size", "half_width", half_width)
    check_fraction("rate_sample_size", "p", p)
    check_fraction("rate_sample_size", "confidence", confidence)
    z = float(stats.norm.isf((1 - confidence) / 2))
    return ceil(z**2 * p * (1 - p) / half_width**2)


def rejection_rate(
    test: Callable[..., HypothesisTestResult],
    draw: Callable[[np.random.Generator], object],
    *,
    n_draws: int = 2000,
    random_state: int | np.random.Generator | None = 0,
    confidence: float = 0.95,
) -> Interval:
    """Simulate how often a test rejects: its level if the null hypothesis is true, else its power.

    Parameters
    ----------
    test
        Function of what `draw` returns (a tuple is unpacked) that returns a
        `HypothesisTestResult`.
    draw
        Function of a random generator that returns one data set.
    n_draws
        Number of simulated data sets.
    random_state
        Seed or generator for the random draws.
    confidence
        Confidence level of the interval around the rate (Clopper and Pearson's).

    Returns
    -------
    interval
        Rejection rate; if the null hypothesis is false, one minus it is the type II error rate.

    Examples
    --------
    >>> from gramian.evaluate import t_test
    >>> level = rejection_rate(lambda x: t_test(x, 0), lambda rng: rng.normal(size=5), n_draws=500)
    >>> 0.05 in level
    True
    """
    check_positive("rejection_rate", "n_draws", n_draws)
    rng = np.random.default_rng(random_state)
    rejected = 0
    for _ in range(n_draws):
        data = draw(rng)
        rejected += (test(*data) if isinstance(data, tuple) else test(data)).rejected
    found = clopper_pearson_interval(rejected, n_draws, confidence=confidence)
    return Interval(
        found.estimate,
        found.low,
        found.high,
        confidence,
        "rejection rate",
        "data sets distributed as drawn",
    )


def _sign(alternative: Alternative) -> int:
    return 1 if alternative == "greater" else -1


def _check(owner: str, n: int, alternative: Alternative, alpha: float, *, least: int) -> None:
    check_alternative(owner, alternative)
    check_fraction(owner, "alpha", alpha)
    if n < least:
        raise ParameterError(f"{owner}: n must be an integer >= {least}; got {n!r}.")
