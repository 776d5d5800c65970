"""Counts with Dirichlet probabilities."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.distributions import BetaBinomial, Dirichlet, DirichletMultinomial
from gramian.distributions.common.polya import (
    dirichlet_mgf,
    generating_function,
    log_beta_binomial,
    mixed_moments,
)

pytestmark = pytest.mark.numeric


@pytest.mark.parametrize(
    ("n", "a", "b", "x", "expected"),
    [  # mpmath, 50 digits
        (1_000_000, 2.5, 3.5, 400_000, -13.165178466054229438),
        (1_000_000, 1e6, 2e6, 333_000, -7.4057227272706425445),
    ],
)
def test_log_beta_binomial_keeps_its_digits(n, a, b, x, expected):
    assert log_beta_binomial(x, n, a, b) == pytest.approx(expected, rel=1e-12)


def test_generating_function_is_the_expectation():
    x = np.arange(13)
    mine = generating_function(np.array([1.3, 1.0]), np.array([2.0, 3.5]), 12)
    assert mine == pytest.approx(1.3**x @ BetaBinomial(12, 2.0, 3.5).prob(x), rel=1e-12)
    assert generating_function(np.array([0.0, 0.0]), np.array([1.0, 1.0]), 0) == 1


def test_first_two_moments():
    """E m'u and E (m'u)^2 from mean and covariance."""
    u, D = np.array([0.2, 1.0, 0.7]), Dirichlet([0.8, 3.0, 1.5])
    first = D.mean @ u
    assert_allclose(mixed_moments(u, D.alpha, 2), [1, first, first**2 + u @ D.covariance @ u])


def test_mgf_of_a_dirichlet_of_two_matches_a_beta():
    beta = Dirichlet([2.0, 3.5]).marginal(0)
    for t in (-30.0, -1.0, 0.0, 2.0, 50.0):
        mine = dirichlet_mgf(np.array([t, 0.0]), np.array([2.0, 3.5]))
        assert mine == pytest.approx(float(beta.mgf(t)), rel=1e-11)


def test_counts_that_vary_too_little_have_no_maximum():
    with pytest.raises(DataError, match="vary no more"):
        DirichletMultinomial.fit([[2, 2], [2, 2], [2, 2]], n=4)
    with pytest.raises(DataError, match="every category must occur"):
        DirichletMultinomial.fit([[4, 0], [4, 0]], n=4)
