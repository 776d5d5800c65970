"""Bernoulli."""

import pytest

from gramian.distributions import Bernoulli


def test_mean_variance_and_mode():
    """P(1) = p, variance p (1 - p); heads are predicted where p > 1/2."""
    coin = Bernoulli(0.8)
    assert coin.prob([0, 1]) == pytest.approx([0.2, 0.8])
    assert (coin.mean, coin.variance) == pytest.approx((0.8, 0.16))
    assert (coin.mode, Bernoulli(0.5).mode) == (1, 0)


def test_surprise_and_entropy():
    """-log2 p; one bit at p = 1/2, none where the outcome is certain."""
    assert Bernoulli(0.5).entropy(base=2) == 1
    assert Bernoulli(1.0).entropy() == Bernoulli(0.0).entropy() == 0
    assert Bernoulli(0.25).log_prob(1) == pytest.approx(-1.3862943611198906)


def test_certain_outcomes():
    assert Bernoulli.fit([1, 1]) == Bernoulli(1)
    assert Bernoulli(1.0).sample(9, 0).tolist() == [1] * 9
    assert Bernoulli(0.0).sample(9, 0).tolist() == [0] * 9
