"""Beta-binomial."""

import numpy as np
import pytest
from scipy.integrate import quad

from gramian.base.errors import ParameterError
from gramian.distributions import Beta, BetaBinomial, Binomial


def test_one_trial_after_eight_of_ten():
    """T31: Beta(2, 2) and 8 ones of 10 predict a one with probability 10 / 14."""
    assert BetaBinomial(1, 2 + 8, 2 + 2).prob(1) == pytest.approx(10 / 14)


def test_it_is_a_binomial_with_a_beta_probability():
    for x in range(5):
        mixed = quad(lambda p, x=x: Binomial(4, p).prob(x) * Beta(2, 3.5).prob(p), 0, 1)[0]
        assert BetaBinomial(4, 2, 3.5).prob(x) == pytest.approx(mixed)


@pytest.mark.slow
def test_a_million_trials_have_a_distribution_function():
    big = BetaBinomial(10**6, 2.0, 2.0)
    assert big.cdf(500_000) == pytest.approx(0.5, abs=1e-5)
    assert np.abs(big.quantile(0.5) - 500_000) <= 1


@pytest.mark.parametrize("n", [10**7, 10**12, 2**60])
def test_huge_counts_need_no_table(n):
    # the probabilities are equal, or rise with x
    even, rising = BetaBinomial(n, 1, 1), BetaBinomial(n, 2, 1)
    assert even.entropy() == pytest.approx(np.log(n + 1), rel=1e-12)
    counts = np.floor(np.array([0.0, 0.001, 0.3, 0.9]) * n)
    assert even.cdf(counts) == pytest.approx((counts + 1) / (n + 1), rel=1e-12)
    assert even.cdf([-1, n, np.inf, np.nan]) == pytest.approx([0, 1, 1, np.nan], nan_ok=True)
    share = rising.quantile([0, 0.01, 0.25, 1]) / n
    assert share == pytest.approx([0, 0.1, 0.5, 1], abs=2e-7)
    assert rising.cdf(rising.quantile(0.3)) >= 0.3 > rising.cdf(rising.quantile(0.3) - 1) - 1e-12


def test_moment_generating_function_of_many_trials():
    n = 10**6
    t = np.array([0.0, -100 / n, 3 / n, -np.inf, np.inf])
    lengths = np.expm1(t[1:3] * (n + 1)) / np.expm1(t[1:3]) / (n + 1)
    expected = [1, *lengths, 1 / (n + 1), np.inf]
    assert BetaBinomial(n, 1, 1).mgf(t) == pytest.approx(expected, rel=1e-12)
    values = BetaBinomial(20_000, 2, 3).mgf([0.01, 0.1, 1.0, 1e300])
    assert 1e81 < values[0] < 1e82
    assert values[1:].tolist() == [np.inf, np.inf, np.inf]


def test_fit_names_the_largest_number_of_trials():
    with pytest.raises(ParameterError, match=r"BetaBinomial\.fit: n must be at most 100000000"):
        BetaBinomial.fit([1, 2, 3], n=10**12)
