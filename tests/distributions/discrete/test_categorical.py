"""Categorical."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError
from gramian.distributions import Categorical


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=9))
def test_entropy_is_largest_for_equal_probabilities(weights):
    p = np.array(weights) / np.sum(weights)
    assert Categorical(p).entropy(base=2) <= np.log2(len(p)) + 1e-12


def test_uniform_entropy_and_zero_probabilities():
    """log2 K at the uniform; 0 log 0 = 0."""
    assert Categorical([0.25] * 4).entropy(base=2) == 2
    assert Categorical([0.5, 0.5, 0.0]).entropy(base=2) == 1


def test_likelihood_through_counts():
    """prod over the N events (not the K categories) = prod p_k^m_k."""
    model, x = Categorical([0.2, 0.5, 0.3]), np.array([0, 1, 1, 2, 1])
    counts = Categorical.sufficient_statistics(x).total
    assert counts.tolist() == [1, 3, 1]
    assert model.log_prob(x).sum() == pytest.approx(counts @ np.log(model.probabilities))


def test_no_data_need_the_number_of_categories():
    with pytest.raises(DataError, match="n_categories is required"):
        Categorical.fit([])
    assert Categorical.sufficient_statistics([], n_categories=3).total.tolist() == [0, 0, 0]


def test_mode_is_the_first_of_the_likeliest():
    assert Categorical([0.4, 0.2, 0.4]).mode == 0
