"""Poisson."""

import numpy as np
import pytest
import scipy.stats

from gramian.distributions import Poisson


def test_fit_is_the_mean():
    assert Poisson.fit([2, 0, 4], [1, 1, 2]).rate == 2.5
    assert Poisson.fit([0, 0]) == Poisson(0.0)


def test_rate_0_is_certain():
    assert Poisson(0.0).log_prob([0, 1]).tolist() == [0.0, -np.inf]
    assert Poisson(0.0).entropy() == 0


@pytest.mark.parametrize("rate", [999.0, 1001.0])
def test_entropy_by_sum_and_by_series_meet(rate):
    x = np.arange(2000)
    assert Poisson(rate).entropy() == pytest.approx(
        scipy.stats.entropy(scipy.stats.poisson(rate).pmf(x)), rel=1e-10
    )
