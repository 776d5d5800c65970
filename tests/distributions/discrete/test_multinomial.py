"""Multinomial."""

import itertools

import numpy as np
import pytest
import scipy.stats
from numpy.testing import assert_allclose
from scipy.special import comb, perm

from gramian.base.errors import DataError
from gramian.distributions import Binomial, Multinomial

P = np.array([0.2, 0.5, 0.3])


def test_probabilities_agree_with_scipy_and_sum_to_1():
    x = np.array([c for c in itertools.product(range(6), repeat=3) if sum(c) == 5])
    ours = Multinomial(5, P)
    assert_allclose(ours.log_prob(x), scipy.stats.multinomial(5, P).logpmf(x), rtol=1e-10)
    assert ours.prob(x).sum() == pytest.approx(1)
    assert_allclose(ours.prob(x) @ x, ours.mean)
    assert_allclose(np.cov(x.T, aweights=ours.prob(x), bias=True), ours.covariance, atol=1e-12)
    assert_allclose(ours.variance, np.diag(ours.covariance))
    t = np.array([0.1, -0.2, 0.3])
    assert ours.mgf(t) == pytest.approx(np.exp(x @ t) @ ours.prob(x))


def test_coefficient():
    """7! / (1! 2! 4!) = 105."""
    assert Multinomial(7, P).coefficient([1, 2, 4]) == 105
    assert Multinomial(40, P).coefficient([20, 20, 0]) == pytest.approx(137846528820, rel=1e-12)


def test_counts_of_another_sum_are_impossible():
    ours = Multinomial(5, [0.5, 0.5, 0.0])
    assert ours.log_prob([[1, 1, 1], [2, 2, 1], [2.5, 2.5, 0]]).tolist() == [-np.inf] * 3
    assert ours.prob([2, 3, 0]) == pytest.approx(10 / 32)
    with pytest.raises(DataError, match=r"sum to n=5; got \[1.0, 1.0\] \(row 0\)"):
        Multinomial.fit([[1, 1]], n=5)


def test_coefficient_counts_the_orderings():
    """C(5, 2) = 10 is the coefficient of two categories; P(5, 2) = 20 counts the orders too."""
    two = Multinomial(5, [0.5, 0.5]).coefficient([2, 3])
    assert two == comb(5, 2, exact=True) == len(list(itertools.combinations(range(5), 2))) == 10
    assert perm(5, 2, exact=True) == len(list(itertools.permutations(range(5), 2))) == 20


@pytest.mark.parametrize(("n", "p"), [(0, [0.5, 0.5]), (1, [0.2, 0.3, 0.5]), (7, [0.6, 0.4, 0.0])])
def test_entropy_is_the_sum_over_all_counts(n, p):
    counts = np.array([c for c in itertools.product(range(n + 1), repeat=len(p)) if sum(c) == n])
    share = Multinomial(n, p).prob(counts)
    expected = -(share[share > 0] @ np.log(share[share > 0]))
    assert Multinomial(n, p).entropy() == pytest.approx(expected, abs=1e-13)


def test_entropy_of_many_trials():
    two = Multinomial(10**6, [0.3, 0.7])
    assert two.entropy(2) == pytest.approx(Binomial(10**6, 0.3).entropy(2), abs=1e-7)
    three = Multinomial(10**5, [0.2, 0.3, 0.5])  # nearly normal
    normal = np.log(2 * np.pi * np.e * 1e5) + 0.5 * np.log(0.2 * 0.3 * 0.5)
    assert three.entropy() == pytest.approx(normal, abs=1e-4)


def test_entropy_of_very_many_trials():
    """(K - 1) log(2 pi e n) / 2 + sum log(p) / 2 + O(1 / n)."""
    p = [0.5, 0.3, 0.2]
    expected = np.log(2 * np.pi * np.e * 10**12) + 0.5 * np.log(p).sum()
    assert Multinomial(10**12, p).entropy() == pytest.approx(expected, rel=1e-12)


def test_the_coefficient_is_0_for_invalid_counts():
    assert Multinomial(3, [0.5, 0.5]).coefficient([[1, 2], [2, 2], [4, -1]]).tolist() == [3, 0, 0]
    large = Multinomial(100, [0.5, 0.5]).coefficient([50, 50])
    assert large == pytest.approx(1.0089134454556e29, rel=1e-12)
