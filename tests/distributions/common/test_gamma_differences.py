"""Differences of log Gamma and digamma functions at large arguments."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import gammaln, psi

from gramian.distributions.common.gamma_differences import (
    digamma_error,
    digamma_step,
    dirichlet_entropy,
    log_gamma_step,
)


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
