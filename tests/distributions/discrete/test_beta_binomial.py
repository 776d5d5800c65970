"""Beta-binomial."""

import numpy as np
import pytest
from scipy.integrate import quad

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
