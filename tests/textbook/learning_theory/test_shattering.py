"""Shattering and VC dimensions that are known."""

import math
from itertools import combinations_with_replacement

import numpy as np
import pytest

from gramian.textbook.learning_theory import (
    dichotomies,
    extremal_points,
    growth_function,
    growth_report,
    is_shattered,
    known_vc_dimension,
    sauer_shelah,
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
def test_a_search_over_candidates_finds_the_known_dimension(sets, d):
    points = extremal_points(sets, int(known_vc_dimension(sets, d)), d)
    more = np.r_[points, np.random.default_rng(0).normal(size=(1, d))]
    found = vc_dimension(sets, candidates=more, tries=50)
    assert found.dimension == known_vc_dimension(sets, d)
    assert (found.exact, found.exhausted) == (True, True)
    assert is_shattered(found.points, sets)


@pytest.mark.parametrize("d", [1, 6, 12])
def test_named_classes_have_their_known_dimension(d):
    for sets, dimension in (("halfspaces", d + 1), ("balls", d + 1), ("boxes", 2 * d)):
        found = vc_dimension(sets, d=d)
        assert (found.dimension, found.exact) == (dimension, True)
        assert found.points.shape == (dimension, d)


def test_intervals_have_two_and_the_power_set_no_limit():
    assert vc_dimension("intervals").dimension == vc_dimension("intervals", d=1).dimension == 2
    assert str(vc_dimension("power_set")) == "VC dimension inf"
    found = vc_dimension("power_set", most=5, candidates=np.arange(9.0))
    assert (found.dimension, found.exact, found.exhausted) == (5, False, False)
    assert str(found) == "VC dimension at least 5"
    with pytest.raises(ValueError, match="intervals are one-dimensional; got d=2"):
        vc_dimension("intervals", d=2)


def test_functions_of_ones_own():
    above = [lambda x, t=t: x[:, 0] > t for t in np.linspace(-3, 3, 61)]
    assert vc_dimension(above, d=1).dimension == 1
    assert [shatter_function(n, above, d=1).subsets for n in (1, 2, 3, 4)] == [2, 3, 4, 5]
    assert growth_report(above, d=1, most=3).vc_dimension == 1
    waves = [lambda x, w=w: np.sin(w * x[:, 0]) > 0 for w in np.linspace(0.1, 400, 40_000)]
    assert vc_dimension(waves, d=1, most=4, tries=3).dimension == 4  # one parameter, no limit


def two_intervals(x):
    """All unions of two intervals with ends on a grid, as functions of the line."""
    return [
        lambda x, ends=ends: (
            (ends[0] < x[:, 0]) & (x[:, 0] < ends[1]) | (ends[2] < x[:, 0]) & (x[:, 0] < ends[3])
        )
        for ends in combinations_with_replacement(x, 4)
    ]


def test_unions_of_two_intervals_have_dimension_four():
    points = np.arange(6.0)
    unions = two_intervals(points[:-1] + 0.5)
    unions += two_intervals(np.r_[-0.5, points + 0.5])
    found = vc_dimension(unions, candidates=points, tries=100)
    assert (found.dimension, found.exact) == (4, True)
    assert shatter_function(6, unions, candidates=points).subsets == sauer_shelah(6, 4)


def test_few_functions_cannot_shatter_many_points():
    above = [lambda x, t=t: x[:, 0] > t for t in (-1.0, 0.0, 1.0)]
    found = vc_dimension(above, d=1)
    assert (found.dimension, found.exact) == (1, True)  # two points have four subsets
    assert vc_dimension([*above, lambda x: x[:, 0] < 5], d=1).exact is False


def test_a_search_is_a_lower_bound_and_says_so():
    boxes = shatter_function(7, "boxes", d=3, tries=30)
    assert not boxes.exact
    assert 100 < boxes.subsets <= sauer_shelah(7, 6)
    assert str(boxes) == f"at least {boxes.subsets} subsets"
    assert len(dichotomies(boxes.points, "boxes")) == boxes.subsets
    longer = shatter_function(7, "boxes", d=3, tries=60)
    assert longer.subsets >= boxes.subsets
    report = growth_report("boxes", d=2, most=13, tries=1)
    assert report.exact == [True] * 12 + [False]
    assert ">= " in str(report)


def test_candidates_are_searched_completely_where_they_are_few():
    line = np.c_[np.arange(5.0), np.arange(5.0)]
    assert vc_dimension("halfspaces", candidates=line).dimension == 2
    found = vc_dimension("halfspaces", candidates=[[0, 0], [1, 0], [0, 1]])
    assert (found.dimension, found.exhausted) == (3, False)  # there is no fourth point
    with pytest.raises(ValueError, match="at least 6 points; got 5"):
        shatter_function(6, candidates=line)


def test_the_report_distinguishes_polynomial_from_exponential():
    boxes = growth_report("boxes", d=1, most=6)
    assert (boxes.regime, boxes.vc_dimension) == ("polynomial", 2)
    assert boxes.counts == boxes.polynomial == [2, 4, 7, 11, 16, 22]
    assert boxes.subsets == [2, 4, 8, 16, 32, 64]
    everything = growth_report("power_set", most=5)
    assert everything.regime == "exponential"
    assert everything.counts == everything.polynomial == everything.subsets
    assert everything.vc_dimension == math.inf


def test_the_regime_of_a_known_class_does_not_depend_on_the_sizes_tried():
    halfspaces = growth_report("halfspaces", d=6)
    assert (halfspaces.regime, halfspaces.vc_dimension) == ("polynomial", 7)
    assert halfspaces.counts == halfspaces.subsets
    assert halfspaces.known
    assert all(halfspaces.exact)
    plane = growth_report("boxes", d=2)
    assert (plane.regime, plane.vc_dimension) == ("polynomial", 4)
    assert plane.counts == [2, 4, 8, 16, 28, 49, 77]


def test_a_search_that_shatters_every_size_leaves_the_regime_undecided():
    waves = [lambda x, w=w: np.sin(w * x[:, 0]) > 0 for w in np.linspace(0.1, 400, 4000)]
    report = growth_report(waves, d=1, most=3, tries=3)
    assert (report.regime, report.vc_dimension, report.known) == ("undecided", 3, False)
    assert str(report).startswith("undecided growth as far as searched, VC dimension at least 3")


@pytest.mark.slow
@pytest.mark.parametrize("sets", ["halfspaces", "balls", "boxes"])
def test_searched_counts_stay_below_the_growth_function(sets):
    growth = growth_function(sets, 2)
    for n in (2, 4, 6):
        assert shatter_function(n, sets, tries=5).subsets <= growth(n)


def test_unknown_classes_are_refused():
    for function in (vc_dimension, growth_report):
        with pytest.raises(ValueError, match=f"{function.__name__}: sets must be one of 'halfsp"):
            function("squares")


def test_functions_may_come_from_a_generator():
    above = (lambda x, t=t: x[:, 0] > t for t in range(10))
    assert vc_dimension(above, d=1).dimension == 1


def test_a_report_needs_at_least_one_point():
    with pytest.raises(ValueError, match="growth_report: most must be an integer of at least 1"):
        growth_report(most=0)
