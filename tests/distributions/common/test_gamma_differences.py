"""Differences of log Gamma and digamma functions at large arguments."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln, psi

from gramian.distributions.common.gamma_differences import (
    digamma_error,
    digamma_step,
    dirichlet_entropy,
    log_beta,
    log_factorial_rest,
    log_gamma_curvature,
    log_gamma_step,
    stirling_error,
)

pytestmark = pytest.mark.numeric


def test_small_arguments_agree_with_the_functions():
    a = np.geomspace(1e-3, 100, 40)
    assert_allclose(digamma_error(a), psi(a) - np.log(a), rtol=1e-11)
    assert_allclose(digamma_step(a, 0.5), psi(a + 0.5) - psi(a), rtol=1e-11)
    assert_allclose(log_gamma_step(a, 2.5), gammaln(a + 2.5) - gammaln(a), rtol=1e-12, atol=1e-13)


def test_a_step_of_one_is_the_recurrence():
    """Gamma(a + 1) = a Gamma(a), and digamma(a + 1) = digamma(a) + 1 / a."""
    a = np.geomspace(0.1, 1e15, 60)
    assert_allclose(log_gamma_step(a, 1.0), np.log(a), rtol=1e-13, atol=1e-13)
    assert_allclose(digamma_step(a, 1.0), 1 / a, rtol=1e-9)


@pytest.mark.parametrize(
    ("alpha", "entropy"),
    [  # mpmath, 50 digits
        ([1e6, 1e6], -6.528537766617507),
        ([1e10, 1e9], -11.388244748259975),
        ([1e10, 1e9, 1.5], -33.14843308292475),
        ([1.0, 1.0], 0.0),
    ],
)
def test_entropy_of_a_narrow_dirichlet(alpha, entropy):
    assert dirichlet_entropy(np.array(alpha)) == pytest.approx(entropy, rel=1e-12, abs=1e-14)


def test_stirling_error_meets_its_series():
    n = np.array([15.0, np.nextafter(15, 16), 1e8])
    assert_allclose(
        stirling_error(n), 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5), rtol=1e-7
    )


def test_log_factorial_rest():
    n = np.array([0.0, 1e-300, 1e-4, 0.5, 1.0, 14.9, 15.1, 40.0])
    expected = gammaln(n + 1) - n * np.log(np.maximum(n, 1e-300)) + n
    assert_allclose(log_factorial_rest(n), expected, rtol=1e-12, atol=1e-14)
    for each in n:  # all large, or none
        assert log_factorial_rest(each) == pytest.approx(log_factorial_rest(n)[n == each][0])


# Computed with mpmath, 400 digits, from the same doubles.
@pytest.mark.parametrize(
    ("a", "h", "k", "expected"),
    [
        (1e8, 1e-5, 10.0, 9.9999995499995293181e-13),
        (3.0, 1e-5, 1e12, 0.00026708234806164817576),
        (1e-300, 2.5, 0.5, 690.61162726537603124),
        (20.0, 1e-9, 1e-11, 5.127082293387591811e-22),
        (14.5, 1e-200, 3.0, 1.9408770687969797745e-201),
        (1e15, 1e10, 1e3, 0.0099999500003283358833),
        (1e-320, 1.0, 2.0, 737.52038807153385146),
        (2.0, 0.0, 5.0, 0.0),
    ],
)
def test_second_differences_of_log_gamma_keep_their_digits(a, h, k, expected):
    assert log_gamma_curvature(a, h, k) == pytest.approx(expected, rel=1e-14, abs=0)
    assert log_gamma_curvature(a, k, h) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1e6, 0.5, -6.335390211057436965),
        (1e12, 1e12, -1386294361132.4406173),
        (1e-10, 1e10, 23.025850927580150144),
        (2.5, 3.5, -3.3018352699620526098),
    ],
)
def test_log_beta_keeps_its_digits(a, b, expected):
    assert log_beta(a, b) == pytest.approx(expected, rel=1e-14)
    assert log_beta(b, a) == pytest.approx(expected, rel=1e-14)
