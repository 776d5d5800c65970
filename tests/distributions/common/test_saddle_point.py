"""Binomial and Poisson probabilities against forty digits of arithmetic."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln

from gramian.distributions.common.saddle_point import (
    deviance,
    log_binomial,
    log_choose,
    log_negative_binomial,
    log_poisson,
    log_ratio,
)

pytestmark = pytest.mark.numeric


# Computed with mpmath, 50 digits, from the same doubles.
@pytest.mark.parametrize(
    ("n", "x", "p", "expected"),
    [
        (1_000_000, 400_123, 0.4, -7.1447047875738113971),
        (1_000_000, 500_000, 0.4, -20418.13080700918239),
        (1_000_000_000, 123_456_789, 0.125, -10935.672910081579147),
    ],
)
def test_log_binomial_keeps_its_digits(n, x, p, expected):
    assert log_binomial(x, n - x, p, 1 - p) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("x", "m", "expected"),
    [
        (1_000_000, 1000100.5, -7.8317436821872698393),
        (1_000_000_000, 1000031415.25, -11.774020083528096974),
        (5, 1e-8, -96.89089547254387325),
        (1_000_000, 10.0, -10512943.29166412394),
    ],
)
def test_log_poisson_keeps_its_digits(x, m, expected):
    assert log_poisson(x, m) == pytest.approx(expected, rel=1e-13)


def test_small_arguments_use_the_direct_formulas():
    x = np.array([0.0, 1e-9, 1e-4, 0.5, 1.0, 2.0, 14.9, 15.1])
    assert_allclose(log_poisson(x, 2.0), x * np.log(2) - 2 - gammaln(x + 1), rtol=1e-12)
    n = 20.0
    plain = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1) + x * np.log(0.3)
    assert_allclose(log_binomial(x, n - x, 0.3, 0.7), plain + (n - x) * np.log(0.7), rtol=1e-12)


def test_certain_and_impossible_events():
    assert log_poisson([0, 1], 0.0).tolist() == [0.0, -np.inf]
    assert log_binomial([0, 3], [3, 0], 0.0, 1.0).tolist() == [0.0, -np.inf]
    assert log_binomial([0, 3], [3, 0], 1.0, 0.0).tolist() == [-np.inf, 0.0]
    assert log_binomial(0, 0, 0.5, 0.5) == 0


def test_deviance_near_its_zero():
    """D(m + h, m) = h^2 / 2m - h^3 / 6m^2 + ..."""
    h = 1e-6
    assert deviance(1 + h, 1.0) == pytest.approx(h * h / 2 - h**3 / 6, rel=1e-9)
    assert deviance(0.0, 3.0) == 3.0
    assert deviance(1e-300, 1e300) == pytest.approx(1e300)


def test_a_mean_that_underflows_is_passed_as_its_logarithm():
    assert log_poisson(0.5, 0.0, lambda: -1000.0) == pytest.approx(-500 - gammaln(1.5))
    assert log_poisson(0.0, 0.0, lambda: -1000.0) == 0


def test_log_ratio_of_numbers_far_apart():
    found = log_ratio([1e-300, 1e300, 3.0], [1e300, 1e-300, 2.0])
    assert_allclose(found, [2 * math.log(1e-300), 2 * math.log(1e300), math.log(1.5)], rtol=1e-15)


# Computed with mpmath, 50 digits, from the same doubles.
@pytest.mark.parametrize(
    ("x", "r", "p", "expected"),
    [
        (1e12, 1e-10, 1e-15, -50.657872046502058974),
        (0.0, 1e-10, 1e-15, -3.4538776394910686441e-9),
        (3.0, 1e12, 1 - 1e-12, -2.7918037133998645644),
        (5.0, 2.5, 0.25, -2.441956641554863383),
    ],
)
def test_log_negative_binomial_with_extreme_parameters(x, r, p, expected):
    assert log_negative_binomial(x, r, p, 1 - p) == pytest.approx(expected, rel=1e-12)


def test_log_choose_is_the_logarithm_of_the_binomial_coefficient():
    x = np.arange(61.0)
    expected = [math.log(math.comb(60, int(each))) for each in x]
    assert_allclose(log_choose(x, 60 - x), expected, rtol=1e-14)
    assert log_choose(1.0, 1e15) == pytest.approx(math.log(1e15 + 1), rel=1e-15)
