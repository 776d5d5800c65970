"""Beta."""

import math

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions import Beta

pytestmark = pytest.mark.numeric


def test_variance_of_beta_2_2():
    """T31: 0.05."""
    assert Beta(2, 2).variance == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("a", "b", "x", "expected"),
    [
        (1e6, 2e6, 0.3333, 7.2827112474995921358),
        (300.0, 2.0, 0.001, -2054.0089361765874791),
        (0.01, 0.02, 1e-300, 678.85745926853358223),
    ],
)
def test_log_prob_keeps_its_digits(a, b, x, expected):
    """mpmath, 50 digits."""
    assert Beta(a, b).log_prob(x) == pytest.approx(expected, rel=1e-12)


def test_mode():
    assert Beta(3, 2).mode == pytest.approx(2 / 3)
    assert (Beta(1, 3).mode, Beta(3, 1).mode) == (0.0, 1.0)
    assert math.isnan(Beta(0.5, 0.5).mode)


def test_density_at_the_ends():
    assert Beta(1, 3).log_prob([0.0, 1.0]).tolist() == [pytest.approx(math.log(3)), -np.inf]
    assert Beta(0.5, 1).log_prob([0.0, 1.0]).tolist() == [np.inf, pytest.approx(math.log(0.5))]


def test_0_and_1_are_outside_the_support():
    with pytest.raises(DataError, match=r"inside \(0, 1\); got 1.0 \(row 1\)"):
        Beta.fit([0.5, 1.0, 0.2])
