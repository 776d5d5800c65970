"""Hoeffding's inequality and the binomial distribution."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gramian.textbook.learning_theory import HoeffdingBound, error_count_distribution, hoeffding_sum


def test_t46_probabilities_of_a_tenth():
    bound = HoeffdingBound()
    assert bound.delta(100, 0.1) == pytest.approx(0.27067, abs=5e-6)
    assert bound.delta(500, 0.1) == pytest.approx(9.08e-5, abs=5e-8)


@given(st.integers(1, 300), st.floats(0.01, 0.99), st.floats(0.01, 0.5))
def test_the_binomial_never_exceeds_the_bound(n, risk, epsilon):
    counts = np.arange(n + 1)
    far = np.abs(counts / n - risk) > epsilon + 1e-12
    probability = stats.binom.pmf(counts[far], n, risk).sum()
    assert probability <= HoeffdingBound().delta(n, epsilon) + 1e-12
    above = stats.binom.pmf(counts[counts / n - risk > epsilon + 1e-12], n, risk).sum()
    assert above <= HoeffdingBound(sides=1).delta(n, epsilon) + 1e-12


@pytest.mark.parametrize("sides", [1, 2])
def test_sample_size_epsilon_and_delta_are_inverses(sides):
    bound = HoeffdingBound(sides)
    n = bound.sample_size(0.03, 0.01)
    assert bound.delta(n, 0.03) <= 0.01 < bound.delta(n - 1, 0.03)
    assert bound.epsilon(n, 0.01) <= 0.03 < bound.epsilon(n - 1, 0.01)


def test_the_sum_form_is_the_mean_form():
    assert hoeffding_sum(30.0, 200) == pytest.approx(HoeffdingBound(sides=1).delta(200, 0.15))
    assert hoeffding_sum(0.0, 5) == 1


def test_t12_error_counts_of_a_quarter():
    small, large = error_count_distribution(0.25, 20), error_count_distribution(0.25, 500)
    assert (small.mean, large.mean) == (5, 125)
    assert small.probabilities @ small.counts == pytest.approx(5)
    assert large.probabilities.sum() == pytest.approx(1)
    assert small.std_of_rate / large.std_of_rate == pytest.approx(math.sqrt(500 / 20))


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="sides must be 1 or 2"):
        HoeffdingBound(3)
    with pytest.raises(ValueError, match="risk must be in"):
        error_count_distribution(1.2, 20)
    with pytest.raises(ValueError, match="deviation"):
        hoeffding_sum(-1.0, 5)


def test_a_tiny_delta_does_not_overflow():
    rows = HoeffdingBound().sample_size(0.1, 5e-324)
    assert rows == math.ceil((math.log(2) - math.log(5e-324)) / 0.02)


def test_a_distribution_of_very_many_counts_is_refused_before_it_fills_the_memory():
    with pytest.raises(ValueError, match=r"n must be at most 10,000,000.*scipy\.stats\.binom"):
        error_count_distribution(0.25, 10**9)
