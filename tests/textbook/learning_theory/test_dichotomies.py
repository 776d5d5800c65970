"""Dichotomies by linear programs against counting and brute force."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from gramian.linear_model import separability
from gramian.textbook.learning_theory import cover_count, dichotomies, halfspace_dichotomies


@pytest.mark.slow
@pytest.mark.parametrize("d", [1, 2, 3])
def test_points_in_general_position_have_covers_count(d):
    points = np.random.default_rng(d).normal(size=(10, d))
    found = halfspace_dichotomies(points)
    for n in range(1, 11):  # those of the first n points are the beginnings of the rows
        assert len(np.unique(found[:, :n], axis=0)) == cover_count(n, d)
    assert len(halfspace_dichotomies(points[:6])) == cover_count(6, d)


def test_t4_four_points_of_the_plane_have_14():
    assert len(dichotomies([[0, 0], [1, 0], [0, 1]])) == 8
    assert len(dichotomies([[0, 0], [1, 0], [0, 1], [1, 1]])) == 14


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5))
def test_halfspaces_agree_with_a_linear_program(points):
    X = np.array(points, dtype=float)
    expected = {
        labels
        for labels in product([False, True], repeat=len(X))
        if len(set(labels)) < 2 or separability(X, np.array(labels, dtype=int)).separable
    }
    assert {tuple(row) for row in dichotomies(X).tolist()} == expected


def test_units_and_places_of_the_points_do_not_matter():
    points = np.random.default_rng(0).normal(size=(6, 2))
    moved = points * [1e-6, 1e8] + [5.0, -1e9]
    assert (dichotomies(points) == dichotomies(moved)).all()


def test_discs_contain_what_halfplanes_do_and_more():
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [-0.5, 0.8], [-0.5, -0.8]])
    by_lines = {tuple(row) for row in dichotomies(ring).tolist()}
    by_discs = {tuple(row) for row in dichotomies(ring, "balls").tolist()}
    assert (True, False, False, False) in by_discs - by_lines  # a disc around the middle
    assert (False, True, True, True) not in by_discs
    assert len(by_discs) > len(by_lines)


def test_discs_are_balls_of_some_center_and_radius():
    points = np.random.default_rng(3).normal(size=(5, 2))
    grid = np.stack(np.meshgrid(np.linspace(-9, 9, 60), np.linspace(-9, 9, 60)), -1).reshape(-1, 2)
    squares = ((points[None] - grid[:, None]) ** 2).sum(axis=2)
    seen = {tuple(row) for center in squares for row in (center <= center[:, None]).tolist()}
    found = {tuple(row) for row in dichotomies(points, "balls").tolist()}
    assert seen <= found


def test_intervals_are_runs():
    assert len(dichotomies([3.0, 1.0, 2.0, 5.0], "intervals")) == 4 * 5 // 2 + 1
    assert len(dichotomies([1.0, 1.0, 2.0], "intervals")) == 4  # equal points stay together
    with pytest.raises(ValueError, match=r'got 2 coordinates\. Use "boxes", or'):
        dichotomies([[1.0, 2.0]], "intervals")


def test_boxes_are_subsets_that_fill_their_own_box():
    points = np.random.default_rng(4).integers(0, 4, size=(7, 2)).astype(float)
    expected = {(False,) * 7}
    for labels in product([False, True], repeat=7):
        chosen = points[list(labels)]
        if len(chosen):
            inside = ((points >= chosen.min(axis=0)) & (points <= chosen.max(axis=0))).all(axis=1)
            expected |= {tuple(inside.tolist())} if (inside == labels).all() else set()
    assert {tuple(row) for row in dichotomies(points, "boxes").tolist()} == expected


def test_the_power_set_has_all():
    assert len(dichotomies(np.arange(6.0), "power_set")) == 64
    with pytest.raises(ValueError, match="at most 20"):
        dichotomies(np.arange(30.0), "power_set")


def test_bad_classes_and_points_are_refused():
    with pytest.raises(ValueError, match="'halfspaces'"):
        dichotomies([1.0], "circles")
    with pytest.raises(ValueError, match="functions of the points, at least one; got none"):
        dichotomies([1.0], [])
    with pytest.raises(ValueError, match="or a list of functions"):
        dichotomies([1.0, 2.0], lambda x: x[:, 0] > 1)
    with pytest.raises(ValueError, match="one value per point"):
        dichotomies([1.0, 2.0], [lambda x: [True]])
    with pytest.raises(ValueError, match="finite array of points"):
        dichotomies([[np.nan, 1.0]])
    with pytest.raises(ValueError, match="finite array of points"):
        dichotomies(np.empty((0, 2)))


def test_a_number_among_the_functions_is_refused():
    with pytest.raises(ValueError, match=r"must contain functions of the points.*got \[3\]"):
        dichotomies([1.0, 2.0], [3])


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
def test_balls_pick_out_the_same_subsets_of_shifted_points(offset):
    """On the line a ball is an interval, whose subsets are counted without arithmetic."""
    points = np.random.default_rng(4).normal(size=7) + offset
    assert_array_equal(dichotomies(points, "balls"), dichotomies(points, "intervals"))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_balls_pick_out_the_same_subsets_of_scaled_points(scale):
    points = np.random.default_rng(5).normal(size=(5, 2))
    assert_array_equal(dichotomies(points * scale, "balls"), dichotomies(points, "balls"))
