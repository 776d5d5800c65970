"""Cover and Hart's bounds, and consistency."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.textbook.learning_theory import (
    cover_hart_bound,
    least_bayes_error,
    neighbor_consistency,
)


def test_t14_bounds_of_a_tenth():
    assert cover_hart_bound(0.1) == pytest.approx(0.19)
    assert cover_hart_bound(0.1, n_classes=2) == pytest.approx(0.18)
    assert cover_hart_bound(0.1, n_classes=3) == pytest.approx(0.2 - 1.5 * 0.01)


@pytest.mark.parametrize("classes", [None, 2, 5])
def test_the_inverse(classes):
    for bayes in (0.0, 0.05, 0.3, 0.5):
        bound = cover_hart_bound(bayes, classes)
        assert least_bayes_error(bound, classes) == pytest.approx(bayes, abs=1e-7)
    assert least_bayes_error(1.0, 2) == 0.5  # worse than guessing says no more


@given(
    arrays(float, (6, 4), elements=st.floats(0.01, 1)),
    arrays(float, 6, elements=st.floats(0.01, 1)),
)
def test_the_asymptotic_error_of_one_neighbour_is_within_the_bound(weights, places):
    """With posteriors P(k | x) it is E[1 - sum_k P(k | x)^2], between B and the bound."""
    posteriors = weights / weights.sum(axis=1, keepdims=True)
    at = places / places.sum()
    bayes = min(0.75, float(at @ (1 - posteriors.max(axis=1))))
    neighbour = float(at @ (1 - (posteriors**2).sum(axis=1)))
    assert bayes - 1e-12 <= neighbour <= cover_hart_bound(bayes, 4) + 1e-12
    assert cover_hart_bound(bayes, 4) <= cover_hart_bound(bayes)


def draw(n, generator):
    x = generator.random((n, 1))
    return x, (x[:, 0] > 0.5) ^ (generator.random(n) < 0.2)


def test_one_neighbour_stays_between_the_bayes_error_and_the_bound():
    curve = neighbor_consistency(draw, [4000], neighbors=lambda n: 1, repetitions=6)
    noise = 4 * curve.standard_errors[0]
    assert 0.2 - noise <= curve.errors[0] <= cover_hart_bound(0.2, 2) + noise
    assert curve.errors[0] == pytest.approx(0.32, abs=noise + 0.01)  # equality for this noise


def test_more_neighbours_of_more_rows_reach_the_bayes_error():
    curve = neighbor_consistency(draw, [25, 400, 6400], repetitions=6)
    assert curve.k == [5, 20, 80]
    assert curve.errors[2] == pytest.approx(0.2, abs=0.015)
    assert curve.errors[0] > curve.errors[2]


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="bayes_error"):
        cover_hart_bound(0.7, n_classes=2)
    with pytest.raises(ValueError, match="n_classes must be an integer of at least 2"):
        cover_hart_bound(0.1, n_classes=1)
    with pytest.raises(ValueError, match="neighbor_error"):
        least_bayes_error(np.nan)
