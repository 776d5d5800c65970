"""Probabilities of categories."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import ParameterError
from gramian.distributions.common.simplex import (
    check_probabilities,
    entropy_of_logs,
    is_on_simplex,
    likely_counts,
    multinomial_covariance,
    sum_minus_one,
    sums_of_others,
)


def test_probabilities_sum_to_1_up_to_rounding():
    p = check_probabilities("C", "p", np.array([0.1] * 10) + 1e-12)
    assert p.sum() == pytest.approx(1, abs=1e-15)
    with pytest.raises(ParameterError, match=r"whose sum is 0.9. Divide them by their sum"):
        check_probabilities("C", "p", np.array([0.4, 0.5]))
    with pytest.raises(ParameterError, match=">= 0"):
        check_probabilities("C", "p", np.array([1.4, -0.4]))
    with pytest.raises(ParameterError, match="one probability per category"):
        check_probabilities("C", "p", np.eye(2))


def test_events_on_the_simplex_are_positive():
    x = np.array([[0.5, 0.5], [1.0, 0.0], [0.6, 0.6]])
    assert is_on_simplex(x).tolist() == [True, False, False]


def test_a_sum_minus_1_is_exact():
    """The tenth as a float is 2^-55 / 10 too large, ten of them as much as 2^-54."""
    x = np.array([[0.1] * 10, [0.5, 0.25, 0.25, 2.0**-80, 0, 0, 0, 0, 0, 0]])
    assert sum_minus_one(x).tolist() == [2.0**-54, 2.0**-80]


def test_sums_of_others_do_not_cancel():
    assert_allclose(sums_of_others(np.array([1e20, 1.0, 2.0])), [3.0, 1e20, 1e20])
    covariance = multinomial_covariance(np.array([1e20, 1.0, 2.0]))
    assert_allclose(np.diag(covariance), [3e-20, 1e-20, 2e-20], rtol=1e-14)
    assert_allclose(covariance.sum(axis=1), 0, atol=1e-34)


def test_few_of_many_counts_give_the_same_sum():
    """The entropy of a binomial with n p q = 1e10 is log(2 pi e n p q) / 2 - O(1 / n)."""
    counts, step = likely_counts(2e10, 1e5, 4e10)
    assert len(counts) < 10000
    assert counts[1] - counts[0] == step
    z = (counts - 2e10) / 1e5
    logs = -z * z / 2 - np.log(np.sqrt(2 * np.pi) * 1e5)
    expected = 0.5 * np.log(2 * np.pi * np.e * 1e10)
    assert step * entropy_of_logs(logs) == pytest.approx(expected, rel=1e-13)
    assert likely_counts(3.0, 1.7, 10)[0].tolist() == list(range(11))
