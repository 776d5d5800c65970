"""Shattering and VC dimensions that are known."""

import math

import numpy as np
import pytest

from gramian.textbook.learning_theory import (
    UniformBound,
    growth_function,
    growth_report,
    is_shattered,
    known_vc_dimension,
    shatter_function,
    vc_dimension,
)


def test_t4_halfplanes_shatter_three_points_and_never_four():
    assert is_shattered([[0, 0], [1, 0], [0, 1]])
    assert not is_shattered([[0, 0], [1, 0], [2, 0]])  # on a line
    assert vc_dimension("halfspaces", d=2, tries=5).dimension == 3


@pytest.mark.parametrize(
    ("sets", "d"), [("halfspaces", 1), ("halfspaces", 3), ("balls", 2), ("boxes", 2), ("boxes", 3)]
)
def test_the_search_finds_the_known_dimension(sets, d):
    found = vc_dimension(sets, d=d, tries=6)
    assert found.dimension == known_vc_dimension(sets, d)
    assert found.exhausted
    assert is_shattered(found.points, sets)


def test_intervals_have_two_and_the_power_set_no_limit():
    assert vc_dimension("intervals", d=1).dimension == 2
    found = vc_dimension("power_set", most=5)
    assert (found.dimension, found.exhausted) == (5, False)
    assert known_vc_dimension("power_set", 3) == math.inf


def test_functions_of_ones_own():
    above = [lambda x, t=t: x[:, 0] > t for t in np.linspace(-3, 3, 61)]
    assert vc_dimension(above, d=1).dimension == 1
    waves = [lambda x, w=w: np.sin(w * x[:, 0]) > 0 for w in np.linspace(0.1, 400, 40_000)]
    assert vc_dimension(waves, d=1, most=4, tries=3).dimension == 4  # one parameter, no limit


def test_candidates_are_searched_completely_where_they_are_few():
    line = np.c_[np.arange(5.0), np.arange(5.0)]
    assert vc_dimension("halfspaces", candidates=line).dimension == 2
    found = vc_dimension("halfspaces", candidates=[[0, 0], [1, 0], [0, 1]])
    assert (found.dimension, found.exhausted) == (3, False)  # there is no fourth point
    with pytest.raises(ValueError, match="got 5 candidates"):
        shatter_function(6, candidates=line)


def test_the_report_tells_polynomial_from_exponential():
    boxes = growth_report("boxes", d=1, most=6)
    assert (boxes.regime, boxes.vc_dimension) == ("polynomial", 2)
    assert boxes.counts == boxes.polynomial == [2, 4, 7, 11, 16, 22]
    assert boxes.subsets == [2, 4, 8, 16, 32, 64]
    assert growth_report("power_set", most=5).regime == "exponential"


@pytest.mark.parametrize("sets", ["halfspaces", "balls", "boxes"])
def test_searched_counts_stay_below_the_growth_function(sets):
    growth = growth_function(sets, 2)
    for n in (2, 4, 6):
        assert shatter_function(n, sets, tries=5).subsets <= growth(n)


def test_the_power_set_grows_as_two_to_the_n():
    growth = growth_function("power_set", 1)
    assert growth(10) == 1024
    with pytest.raises(ValueError, match="no sample is large enough"):  # and at once
        UniformBound(growth).sample_size(0.1, 0.1)


def test_unknown_classes_are_refused():
    with pytest.raises(ValueError, match="'boxes'"):
        known_vc_dimension("squares", 2)


def test_functions_may_come_from_a_generator():
    above = (lambda x, t=t: x[:, 0] > t for t in range(10))
    assert vc_dimension(above, d=1).dimension == 1


def test_a_report_needs_at_least_one_point():
    with pytest.raises(ValueError, match="growth_report: most must be an integer of at least 1"):
        growth_report(most=0)
