"""Rates and rules of thumb."""

import math

import pytest

from gramian.textbook.learning_theory import VCRate, cover_bound, rows_per_dimension


def test_the_rate_and_its_inverse():
    rate = VCRate(7, constant=1.5)
    assert rate.deviation(700) == pytest.approx(0.15)
    n = rate.sample_size(0.04)
    assert rate.deviation(n) <= 0.04 < rate.deviation(n - 1)


def test_t5_550_rows_for_each_dimension_always_and_342_for_very_many():
    assert math.ceil(rows_per_dimension(1)) == 550
    assert math.ceil(rows_per_dimension(math.inf)) == 342
    assert 342 < rows_per_dimension(100) < 550
    assert rows_per_dimension(10_000) < 342


@pytest.mark.parametrize("d", [1, 4, 100])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.1), (0.05, 0.01), (0.45, 0.3)])
def test_the_rows_meet_the_inequality(d, epsilon, delta):
    n = math.ceil(rows_per_dimension(d, epsilon=epsilon, delta=delta) * d)
    needed = (math.log(2 / delta) + cover_bound(n, d, log=True)) / (2 * epsilon**2)
    assert n >= needed * (1 - 1e-12)


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="constant"):
        VCRate(3, constant=0.0)
    with pytest.raises(ValueError, match="d must be in"):
        rows_per_dimension(0.5)


def test_deviations_whose_squares_vanish_are_refused():
    with pytest.raises(ValueError, match="deviation must be in"):
        VCRate(3).sample_size(1e-200)
    with pytest.raises(ValueError, match="epsilon must be at least"):
        rows_per_dimension(epsilon=1e-200)
