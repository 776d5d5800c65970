"""Scales, ticks and paths of the drawings."""

import math
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.report.drawing import Scale, path, place, plane, round_values, span, sparkline


def points(text):
    """Return the places of a path of lines."""
    return [tuple(map(float, part.split())) for part in re.split("[ML]", text.rstrip("Z")) if part]


def test_a_scale_is_straight_and_may_go_down():
    up = Scale(10, 20, 100, 0)
    assert (up(10), up(15), up(20)) == (100, 50, 0)
    assert Scale(3, 3, 0, 80)(3) == 40  # one value is in the middle


def test_lines_bands_and_dots_are_at_their_places():
    chart = plane((0, 10), (0, 1), ("x", "y"), width=112, height=150, left=0)
    assert points(chart.line([0, 10], [0, 1])) == [(0, 110), (100, 10)]
    assert points(chart.steps([0, 10], [0, 1])) == [(0, 110), (0, 10), (100, 10)]
    assert chart.band([0, 10], [0, 0], [1, 1]) == "M0 10L100 10L100 110L0 110Z"
    assert chart.dots([5], [0.5]) == "M50 60h0"
    assert chart.bars([0, 5, 10], [0.5, 0]) == "M0 110V60H49V110Z"
    assert chart.line([], []) == chart.band([], [], []) == chart.steps([], []) == ""


def test_ticks_and_grid_are_at_round_values():
    chart = plane((0, 10), (0, 1), ("x", "y"), width=112, height=150, left=0)
    assert [(t.place, t.text) for t in chart.x_ticks][:3] == [(0, "0"), (20, "2"), (40, "4")]
    assert chart.grid.count("M") == len(chart.x_ticks) + len(chart.y_ticks)


def test_ends_have_room():
    assert span([2.0, 2.0], room=0.0) == (1.0, 3.0)
    assert span([0.0]) == pytest.approx((-0.55, 0.55))
    assert span([1.0, 5.0], zero=True) == (0.0, 5.25)
    assert span([None, math.nan, 1.0, 2.0], room=0.0) == (1.0, 2.0)


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.integers(3, 9),
)
def test_round_values_are_round_and_inside(low, length, about):
    found = round_values(low, low + length, about)
    assert 1 <= len(found) <= 3 * about
    slack = 1e-8 * (1 + abs(low) + length)
    assert low - slack <= found[0] <= found[-1] <= low + length + slack
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    for step in steps:
        mantissa = step / 10 ** math.floor(math.log10(step) + 1e-9)
        assert min(abs(mantissa - m) for m in (1, 2, 5, 10)) < 1e-3


def test_paths_are_short():
    assert path([(1.0, 2.0), (1.0, 2.0), (3.25, 4.0)]) == "M1 2L3.2 4"
    assert place(2.0) == "2"
    assert sparkline([0, 1, 2], [1, 2], width=20, height=10) == "M0 10V5H9V10ZM10 10V0H19V10Z"
    assert sparkline([0, 1], [0]) == ""
