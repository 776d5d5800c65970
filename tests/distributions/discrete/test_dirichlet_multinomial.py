"""Dirichlet-multinomial."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.distributions import BetaBinomial, DirichletMultinomial

ALPHA = np.array([0.8, 3.0, 1.5])


def test_probabilities_agree_with_scipy_and_sum_to_1():
    x = np.array([c for c in itertools.product(range(6), repeat=3) if sum(c) == 5])
    ours = DirichletMultinomial(5, ALPHA)
    assert_allclose(ours.log_prob(x), scipy.stats.dirichlet_multinomial(ALPHA, 5).logpmf(x))
    assert ours.prob(x).sum() == pytest.approx(1)
    assert_allclose(ours.prob(x) @ x, ours.mean)
    assert_allclose(np.cov(x.T, aweights=ours.prob(x), bias=True), ours.covariance, atol=1e-12)
    t = np.array([0.1, -0.2, 0.3])
    assert ours.mgf(t) == pytest.approx(np.exp(x @ t) @ ours.prob(x))
    assert ours.log_prob([1, 1, 1]) == -np.inf


def test_two_categories_are_a_beta_binomial():
    x = np.arange(8)
    ours = DirichletMultinomial(7, [2.0, 3.5]).log_prob(np.column_stack([x, 7 - x]))
    assert_allclose(ours, BetaBinomial(7, 2.0, 3.5).log_prob(x))


def test_alpha_must_be_positive():
    with pytest.raises(ParameterError, match="two or more numbers > 0"):
        DirichletMultinomial(3, [1, 0])


@pytest.mark.parametrize(("n", "alpha"), [(0, [1, 2]), (1, [1, 2, 3]), (6, [0.3, 2.5, 0.01])])
def test_entropy_is_the_sum_over_all_counts(n, alpha):
    counts = np.array(
        [c for c in itertools.product(range(n + 1), repeat=len(alpha)) if sum(c) == n]
    )
    share = DirichletMultinomial(n, alpha).prob(counts)
    expected = -(share[share > 0] @ np.log(share[share > 0]))
    assert DirichletMultinomial(n, alpha).entropy() == pytest.approx(expected, abs=1e-12)
    many = DirichletMultinomial(20_000, [2.0, 3.0])
    assert many.entropy() == pytest.approx(BetaBinomial(20_000, 2.0, 3.0).entropy(), abs=1e-8)


@pytest.mark.parametrize("n", [10**5, 10**12])
def test_the_entropy_of_huge_counts_needs_no_table(n):
    """With alpha = 1 all vectors of counts are equally probable."""
    assert DirichletMultinomial(n, [1, 1]).entropy() == pytest.approx(np.log(n + 1), rel=1e-12)
    vectors = (n + 1) * (n + 2) // 2
    assert DirichletMultinomial(n, [1, 1, 1]).entropy() == pytest.approx(
        math.log(vectors), rel=1e-12
    )
    two = DirichletMultinomial(n, [0.3, 7]).entropy()
    assert two == pytest.approx(BetaBinomial(n, 0.3, 7).entropy(), rel=1e-12)


def test_sums_that_grow_with_n_name_its_limit():
    with pytest.raises(ParameterError, match="mgf needs n <= 100000"):
        DirichletMultinomial(10**12, [1, 2]).mgf([0.0, 1.0])
    with pytest.raises(ParameterError, match="fit: n must be at most 100000000"):
        DirichletMultinomial.fit([[1, 2]], n=10**12)
