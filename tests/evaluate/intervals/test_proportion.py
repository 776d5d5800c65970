"""An error rate on one test set: worked numbers, statsmodels, and exact coverage."""

import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import (
    binomial_test,
    binomial_test_power,
    clopper_pearson_interval,
    error_upper_limit,
    wilson_interval,
)


def test_the_textbook_rule_rejects_from_fifteen_errors_in_a_hundred():
    """p0 = 0.1, N = 100: accepted at e = 14 (cdf 0.9274), rejected from e = 15 (0.9601)."""
    at, above = (binomial_test(e, 100, 0.1, tail="more") for e in (14, 15))
    assert 1 - at.p_value == pytest.approx(0.9274, abs=5e-5)
    assert 1 - above.p_value == pytest.approx(0.9601, abs=5e-5)
    assert not at.rejected
    assert above.rejected


def test_the_textbook_rule_does_not_hold_its_level_and_the_exact_test_does():
    textbook = sum(
        stats.binom.pmf(e, 100, 0.1)
        for e in range(101)
        if binomial_test(e, 100, 0.1, tail="more").rejected
    )
    assert textbook == pytest.approx(0.0726, abs=5e-5)
    assert not binomial_test(15, 100, 0.1).rejected
    assert binomial_test(16, 100, 0.1).rejected
    assert binomial_test_power(0.1, 100, 0.1) == pytest.approx(0.0399, abs=5e-5)


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("e", [0, 3, 10, 20])
def test_the_exact_tails_are_scipys(e, alternative):
    found = binomial_test(e, 20, 0.3, alternative=alternative)
    theirs = stats.binomtest(e, 20, 0.3, alternative=alternative)
    assert found.p_value == pytest.approx(theirs.pvalue)
    limits = theirs.proportion_ci(0.95)
    assert found.interval == pytest.approx((limits.low, limits.high))


def test_two_sided_is_twice_the_smaller_tail():
    found = binomial_test(3, 20, 0.3, alternative="two-sided")
    assert found.p_value == pytest.approx(2 * stats.binom.cdf(3, 20, 0.3))
    assert binomial_test(6, 20, 0.3, alternative="two-sided").p_value == 1


# statsmodels 0.15.0, proportion_confint(e, n, method="wilson") and method="beta"
@pytest.mark.parametrize(
    ("e", "n", "wilson", "beta"),
    [
        (15, 100, (0.09305985283656629, 0.23283559590832367),
         (0.08645438564164859, 0.2353075001489549)),
        (0, 20, (0.0, 0.1611251580528194), (0.0, 0.16843347098308534)),
        (3, 7, (0.15821985525146964, 0.7495416354723428),
         (0.09898827844250786, 0.815948432359917)),
    ],
)  # fmt: skip
def test_intervals_match_statsmodels(e, n, wilson, beta):
    ours = wilson_interval(e, n)
    assert (ours.low, ours.high) == pytest.approx(wilson, abs=1e-12)
    exact = clopper_pearson_interval(e, n)
    assert (exact.low, exact.high) == pytest.approx(beta, abs=1e-12)


def test_one_sided_limits_are_the_ends_of_a_wider_two_sided_interval():
    for interval in (wilson_interval, clopper_pearson_interval):
        both = interval(15, 100, confidence=0.9)
        assert interval(15, 100, side="lower").low == pytest.approx(both.low)
        assert interval(15, 100, side="upper").high == pytest.approx(both.high)


def test_pessimistic_errors_of_c45():
    found = [error_upper_limit(e, n, z=0.69) for e, n in ((2, 6), (1, 2), (5, 14))]
    assert found == pytest.approx([0.4740, 0.7192, 0.4489], abs=5e-5)
    assert error_upper_limit(2, 6) == pytest.approx(error_upper_limit(2, 6, z=stats.norm.isf(0.25)))


def test_more_rows_bring_the_rate_nearer_to_the_risk():
    """A risk of 0.25 makes 5 errors in 20 rows and 125 in 500, on average."""
    for n, errors in ((20, 5), (500, 125)):
        assert stats.binom.mean(n, 0.25) == errors
        law = stats.binom.pmf(np.arange(n + 1), n, 0.25)
        expected = sum(p * wilson_interval(e, n).estimate for e, p in enumerate(law))
        assert expected == pytest.approx(0.25)
    few, many = wilson_interval(5, 20), wilson_interval(125, 500)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(5, rel=0.1)


def coverage(interval, n, p):
    """Exact coverage at p: the probability of the counts whose interval holds p."""
    held = [p in interval(e, n) for e in range(n + 1)]
    return stats.binom.pmf(np.arange(n + 1), n, p)[held].sum()


@pytest.mark.parametrize("n", [5, 20, 60])
def test_clopper_pearson_coverage_is_at_least_nominal(n):
    grid = np.linspace(0.005, 0.995, 34)
    assert min(coverage(clopper_pearson_interval, n, p) for p in grid) >= 0.95


@pytest.mark.parametrize("n", [20, 60])
def test_wilson_has_its_nominal_coverage_on_average(n):
    grid = (np.arange(60) + 0.5) / 60
    assert np.mean([coverage(wilson_interval, n, p) for p in grid]) == pytest.approx(0.95, abs=5e-3)


def test_bad_input_says_what_must_hold():
    with pytest.raises(DataError, match="0 <= errors <= n"):
        wilson_interval(5, 4)
    with pytest.raises(DataError, match="integers"):
        binomial_test(1.5, 4, 0.1)
    with pytest.raises(ParameterError, match="p0 must be between 0 and 1"):
        binomial_test(1, 4, 1.0)
    with pytest.raises(ParameterError, match="tail must be one of"):
        binomial_test(1, 4, 0.1, tail="less")
