"""Quantiles of counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from gramian.distributions.common.count_quantiles import normal_guess, smallest_count


def cdf(x):
    return np.clip((np.floor(x) + 1) / 1000, 0, 1)


@given(q=st.floats(0, 1), guess=st.one_of(st.floats(-1e3, 1e4), st.sampled_from([np.nan, np.inf])))
def test_no_guess_changes_the_quantile(q, guess):
    found = smallest_count(cdf, np.array([q]), np.array([guess]), 999)[0]
    assert cdf(found) >= q
    assert found == 0 or q == 1 or cdf(found - 1) < q
    assert found == 999 or q < 1


@pytest.mark.parametrize("mean", [1e17, 1e60])
def test_floats_that_are_farther_apart_than_counts(mean):
    step = lambda x: np.where(x < mean, 0.25, 0.75)  # noqa: E731
    q = np.array([0.2, 0.5, 1.0])
    assert_array_equal(smallest_count(step, q, normal_guess(1e9, 1e9, q)), [0, mean, np.inf])
