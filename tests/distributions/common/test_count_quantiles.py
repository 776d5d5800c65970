"""Quantiles of counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special

from gramian.distributions.common.count_quantiles import (
    cdf_by_count,
    normal_guess,
    smallest_count,
)


def cdf(x):
    return np.clip((np.floor(x) + 1) / 1000, 0, 1)


@given(q=st.floats(0, 1), guess=st.one_of(st.floats(-1e3, 1e4), st.sampled_from([np.nan, np.inf])))
def test_no_guess_changes_the_quantile(q, guess):
    found = smallest_count(cdf, np.array([q]), lambda q: np.full(len(q), guess), 999)[0]
    assert cdf(found) >= q
    assert found == 0 or q == 1 or cdf(found - 1) < q
    assert found == 999 or q < 1


@pytest.mark.parametrize("mean", [1e17, 1e60])
def test_floats_that_are_farther_apart_than_counts(mean):
    step = lambda x: np.where(x < mean, 0.25, 0.75)  # noqa: E731
    q = np.array([0.2, 0.5, 1.0])
    assert_array_equal(
        smallest_count(step, q, lambda q: normal_guess(1e9, 1e9, 0.0, q)), [0, mean, np.inf]
    )


class CountedCdf:
    """The distribution function above, and how many numbers it was evaluated at."""

    def __init__(self):
        self.evaluations = 0

    def __call__(self, x):
        self.evaluations += x.size
        return cdf(x)


def test_many_levels_need_one_evaluation_per_count(rng):
    q, counted = rng.random((100, 200)), CountedCdf()
    q[0, :3] = 0, 1, 1e-300
    found = smallest_count(counted, q, lambda q: 1000 * q, 999)
    assert counted.evaluations < 1100
    each = [smallest_count(cdf, level, lambda q: 1000 * q, 999) for level in q[:5].ravel()[:, None]]
    assert_array_equal(found[:5].ravel(), np.ravel(each))


def test_the_search_ends_for_each_level_alone(rng):
    q, counted = rng.random(100), CountedCdf()
    guess = 1000 * q
    guess[0] = 0  # many steps
    found = smallest_count(counted, q, lambda q: guess, 999)
    assert counted.evaluations < 2 * 100 + 40
    assert_array_equal(found, [smallest_count(cdf, level, lambda q: q, 999) for level in q])


def test_a_distribution_function_that_falls_by_rounding():
    steps = np.array([0.1, 0.3, 0.3 - 2**-54, 0.3, 0.9, 1.0])
    q = np.concatenate([np.linspace(0.05, 0.95, 300), [0.3]])
    found = smallest_count(lambda x: steps[x.astype(int)], q, lambda q: 5 * q, 5)
    assert_array_equal(found, [np.flatnonzero(steps >= level)[0] for level in q])


def test_the_distribution_function_is_computed_once_per_count(rng):
    x, counted = rng.integers(100, 300, size=5000) + rng.random(5000), CountedCdf()
    x[:5] = -1, np.inf, -np.inf, 1e300, -0.5
    assert_array_equal(cdf_by_count(counted, x), cdf(x))
    assert counted.evaluations <= 205
    x[5] = 1e9
    assert_array_equal(cdf_by_count(counted, x), cdf(x))
    assert np.isnan(cdf_by_count(cdf, np.full(1000, np.nan))).all()


def test_the_normal_guess_is_close_for_skewed_counts():
    q = np.linspace(0.01, 0.99, 99)
    expected = special.gammaincinv(1e4, q)  # nearly Poisson
    assert_allclose(normal_guess(1e4, 1e4, 2.0, q), expected, atol=0.1)
