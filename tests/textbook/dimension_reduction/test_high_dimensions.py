"""Facts of many dimensions beside their simulations."""

import math

import numpy as np
import pytest
from scipy import stats

from gramian.random_projection import random_in_ball
from gramian.textbook.dimension_reduction import (
    distance_concentration,
    inner_volume,
    random_angles,
    thin_shell,
)


@pytest.mark.parametrize("d", [1, 10, 999, 1000, 100_000])
def test_t47_the_shell_is_as_thin_in_every_dimension(d):
    facts = thin_shell(d, n=4000)
    assert facts.mean_length == pytest.approx(stats.chi(d).mean(), rel=1e-9)
    squares = facts.lengths**2
    assert squares.mean() == pytest.approx(facts.mean_square, abs=5 * math.sqrt(2 * d / 4000))
    assert squares.var() == pytest.approx(facts.variance_of_square, rel=0.25)
    assert facts.lengths.std() == pytest.approx(facts.std_of_length, rel=0.06)
    if d >= 10:
        assert facts.std_of_length == pytest.approx(math.sqrt(0.5), rel=0.02)


def test_t47_a_tenth_of_the_radius_holds_nearly_all_the_volume():
    assert inner_volume(0.1, 100) == pytest.approx(2.656e-5, rel=1e-3)
    inside = np.linalg.norm(random_in_ball(20_000, 6, random_state=0), axis=1) < 0.9
    assert inside.mean() == pytest.approx(inner_volume(0.1, 6), abs=0.015)
    assert inner_volume(1.0, 3, radius=2.0) == 0.125


def test_t47_angles_are_nearly_right():
    assert random_angles(100).std == 0.1
    found = random_angles(25, n=5000)
    assert found.cosines.mean() == pytest.approx(0, abs=0.012)
    assert found.cosines.std() == pytest.approx(found.std, rel=0.05)


def test_near_and_far_become_alike():
    ratios = [distance_concentration(d, n=600, far=300, queries=20).ratio for d in (1, 10, 200)]
    assert ratios[0] > 10 * ratios[1] / 2 > ratios[2]
    assert 1 < ratios[2] < 1.4


def test_impossible_arguments_are_refused():
    with pytest.raises(ValueError, match="width"):
        inner_volume(2.0, 3)
    with pytest.raises(ValueError, match="far must be at most n"):
        distance_concentration(2, n=10, far=20)
    with pytest.raises(ValueError, match="d must be an integer >= 1"):
        thin_shell(0)
