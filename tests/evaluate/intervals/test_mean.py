"""z and t: the worked numbers, and SciPy's answers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import t_interval, t_test, z_interval, z_test

SIXTEEN = [9.0, 11.0] * 8  # mean 10


def test_z_interval_of_sixteen_values():
    found = z_interval(SIXTEEN, sigma=2)
    assert (found.low, found.high) == pytest.approx((9.0200, 10.9800), abs=5e-5)
    assert found.estimate == 10
    assert 10 in found
    assert 8 not in found


def test_one_sided_bounds_use_the_quantile_of_alpha():
    lower, upper = (z_interval(SIXTEEN, 2, side=side) for side in ("lower", "upper"))
    assert lower.low == pytest.approx(10 - 1.644854 * 0.5, abs=1e-6)
    assert np.isposinf(lower.high)
    assert upper.high == pytest.approx(10 + 1.644854 * 0.5, abs=1e-6)
    assert np.isneginf(upper.low)
    assert t_interval(SIXTEEN, side="lower").low > t_interval(SIXTEEN).low


def test_two_sided_t_uses_half_of_alpha():
    """Not the quantile of alpha: t_{0.025, 4} = 2.77645."""
    x = [1.0, 2.0, 3.0, 4.0, 5.0]
    found = t_interval(x)
    assert found.high - 3 == pytest.approx(2.77645 * np.sqrt(2.5 / 5), abs=1e-5)
    edge = 3 - 2.77645 * np.sqrt(0.5)
    assert not t_test(x, edge + 1e-4).rejected
    assert t_test(x, edge - 1e-4).rejected


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_t_test_is_scipys(alternative, rng):
    x = rng.normal(0.3, 1, 12)
    found, theirs = t_test(x, 0.1, alternative=alternative), stats.ttest_1samp(
        x, 0.1, alternative=alternative
    )  # fmt: skip
    assert found.statistic == pytest.approx(theirs.statistic)
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert found.df == (11,)
    limits = theirs.confidence_interval()
    assert found.interval == pytest.approx((limits.low, limits.high))


def test_z_test_in_three_directions():
    x = SIXTEEN
    assert z_test(x, 9, 2).statistic == 2
    assert z_test(x, 9, 2).p_value == pytest.approx(2 * stats.norm.sf(2))
    assert z_test(x, 9, 2, alternative="greater").p_value == pytest.approx(stats.norm.sf(2))
    assert z_test(x, 9, 2, alternative="less").p_value == pytest.approx(stats.norm.cdf(2))
    assert z_test(x, 9, 2, alternative="greater").null == "the mean is at most 9"


@settings(deadline=None, max_examples=50)
@given(
    x=st.lists(st.floats(-10, 10), min_size=2, max_size=9),
    mean=st.floats(-10, 10),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
)
def test_a_test_rejects_what_its_interval_excludes(x, mean, alternative):
    found = t_test(x, mean, alternative=alternative)
    low, high = found.interval
    if min(abs(mean - low), abs(mean - high)) > 1e-9 * (1 + abs(mean)):
        assert found.rejected == (not low <= mean <= high)


def test_constant_values_are_certain_or_say_nothing():
    assert t_test([2.0, 2.0, 2.0], 2).p_value == 1
    assert t_test([2.0, 2.0, 2.0], 1).p_value == 0
    assert t_test([2.0, 2.0, 2.0], 1).statistic == np.inf


def test_bad_input_says_what_must_hold():
    with pytest.raises(DataError, match=r"at least 2 values; got shape \(1,\)"):
        t_test([1.0], 0)
    with pytest.raises(DataError, match="NaN"):
        t_interval([1.0, np.nan])
    with pytest.raises(ParameterError, match="sigma must be a finite number > 0; got 0"):
        z_interval([1.0], 0)
    with pytest.raises(ParameterError, match="alpha must be between 0 and 1"):
        t_test([1.0, 2.0], 0, alpha=5)
    with pytest.raises(ParameterError, match="alternative must be one of 'two-sided'"):
        t_test([1.0, 2.0], 0, alternative="both")
    with pytest.raises(ParameterError, match="side must be one of"):
        t_interval([1.0, 2.0], side="left")


def test_results_are_one_sentence():
    assert str(z_interval(SIXTEEN, 2, side="lower")).endswith("95% confidence at least 9.178.")
    assert str(z_interval(SIXTEEN, 2, side="upper")).endswith("95% confidence at most 10.82.")
    assert "cannot be rejected at level 0.05" in str(z_test(SIXTEEN, 10, 2))


@pytest.mark.parametrize("value", [0.1, 0.3, 0.7, 1 / 3, 1e9 + 0.1])
def test_rounding_rejects_nothing(value):
    """The mean of ten 0.3 is 0.3 - 6e-17 with a deviation of 6e-17: neither is a finding."""
    found = t_test([value] * 10, value)
    assert (found.statistic, found.p_value) == (0, 1)
    assert t_test([value] * 10, value * 1.001).p_value == 0
    interval = t_interval([value] * 10)
    assert interval.low == interval.high
