"""Power and sample sizes: statsmodels' numbers, and simulation."""

import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.evaluate import (
    binomial_test,
    binomial_test_power,
    mcnemar_sample_size,
    rate_sample_size,
    rejection_rate,
    t_test,
    t_test_power,
    t_test_sample_size,
    wilson_interval,
    z_test,
    z_test_power,
)


def test_t_power_agrees_with_statsmodels():
    """statsmodels 0.15.0, TTestPower: power, and solve_power rounded up."""
    assert t_test_power(0.5, 34) == pytest.approx(0.8077775012792737)
    assert t_test_power(0.5, 34, alternative="greater") == pytest.approx(0.8868653118499608)
    assert t_test_power(0.3, 10) == pytest.approx(0.13613625849735425)
    assert t_test_sample_size(0.5) == 34  # 33.367
    assert t_test_sample_size(0.2, power=0.9, alpha=0.01, alternative="greater") == 329  # 328.136


def test_the_sample_size_is_the_least_that_reaches_the_power():
    for effect in (-2.0, 0.1, 0.7, 9.0):
        n = t_test_sample_size(effect)
        assert t_test_power(effect, n) >= 0.8
        assert n == 2 or t_test_power(effect, n - 1) < 0.8


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_without_an_effect_the_power_is_the_level(alternative):
    assert t_test_power(0, 7, alternative=alternative) == pytest.approx(0.05)
    assert z_test_power(0, 7, alternative=alternative) == pytest.approx(0.05)
    assert binomial_test_power(0.3, 50, 0.3, alternative=alternative) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_simulated_rejections_are_the_power(alternative):
    sign = -1 if alternative == "less" else 1

    def draw(rng):
        return rng.normal(0.5 * sign, 1, 12)

    same = {"n_draws": 1000, "confidence": 0.999}
    t = rejection_rate(lambda x: t_test(x, 0, alternative=alternative), draw, **same)
    assert t_test_power(0.5 * sign, 12, alternative=alternative) in t
    z = rejection_rate(lambda x: z_test(x, 0, 1, alternative=alternative), draw, **same)
    assert z_test_power(0.5 * sign, 12, alternative=alternative) in z


def test_simulated_rejections_of_an_error_rate():
    found = rejection_rate(
        binomial_test,
        lambda rng: (int(rng.binomial(100, 0.2)), 100, 0.1),
        n_draws=1000,
        confidence=0.999,
    )
    assert binomial_test_power(0.2, 100, 0.1) in found


def test_mcnemar_rows_give_the_power():
    """Rows of Connor's formula; the law of b - c is normal for so many rows."""
    n = mcnemar_sample_size(0.08, 0.04)
    rng = np.random.default_rng(0)
    b, _, c = rng.multinomial(n, [0.08, 0.88, 0.04], size=4000).T
    rejected = stats.chi2.sf((b - c) ** 2 / (b + c), 1) <= 0.05
    assert rejected.mean() == pytest.approx(0.8, abs=0.025)


def test_rows_for_a_narrow_interval():
    n = rate_sample_size(0.02, p=0.1)
    found = wilson_interval(round(0.1 * n), n)
    assert (found.high - found.low) / 2 == pytest.approx(0.02, rel=0.02)


def test_bad_input_says_what_must_hold():
    with pytest.raises(ParameterError, match="an effect in the direction of the alternative"):
        t_test_sample_size(0)
    with pytest.raises(ParameterError, match="an effect in the direction of the alternative"):
        t_test_sample_size(0.3, alternative="less")
    with pytest.raises(ParameterError, match="more than 1e9 values"):
        t_test_sample_size(1e-7)
    with pytest.raises(ParameterError, match="n must be an integer >= 2; got 1"):
        t_test_power(0.5, 1)
    with pytest.raises(ParameterError, match="first_only and second_only must differ"):
        mcnemar_sample_size(0.1, 0.1)
