"""Gamma."""

import math

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.distributions import Exponential, Gamma

pytestmark = pytest.mark.numeric


@pytest.mark.parametrize(
    ("a", "r", "x", "expected"),
    [
        (1e6, 2.0, 500123.5, -7.1642931623167273149),
        (0.01, 3.0, 1e-200, 451.32335465766570475),
        (2.5, 1.0, 1000.0, -989.92304995199971358),
    ],
)
def test_log_prob_keeps_its_digits(a, r, x, expected):
    """mpmath, 50 digits."""
    assert Gamma(a, r).log_prob(x) == pytest.approx(expected, rel=1e-12)


def test_quantile_at_1e_300():
    assert Gamma(2.5).quantile(1e-300) == pytest.approx(1.6167038902915642e-120, rel=1e-10)


def test_density_at_0():
    assert Gamma(0.5).log_prob(0.0) == np.inf
    assert Gamma(1.0, 2.0).log_prob(0.0) == pytest.approx(math.log(2))
    assert Gamma(2.0).log_prob([0.0, -1.0]).tolist() == [-np.inf, -np.inf]


def test_shape_1_is_exponential():
    x = np.linspace(0.1, 5, 9)
    assert Gamma(1.0, 2.0).log_prob(x) == pytest.approx(Exponential(2.0).log_prob(x))


def test_mgf_diverges_at_the_rate():
    assert Gamma(2.0, 3.0).mgf([2.9, 3.0, 4.0])[1:].tolist() == [np.inf, np.inf]
    assert Gamma(2.0, 3.0).mgf(2.0) == pytest.approx((1 - 2 / 3) ** -2)


def test_mode_and_zeros_outside_the_support():
    assert (Gamma(3.0, 2.0).mode, Gamma(0.5).mode) == (1.0, 0.0)
    with pytest.raises(DataError, match=r"numbers > 0; got 0.0 \(row 1\)"):
        Gamma.fit([1.0, 0.0])
