import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_intervals

POINTS, LOWS, HIGHS = [0.9, 0.8, 0.7], [0.85, 0.7, 0.6], [0.95, 0.9, 0.78]


def test_every_interval_is_a_line_with_its_point(ax):
    assert plot_intervals(POINTS, LOWS, HIGHS, ["a", "b", "c"], ax=ax) is ax
    segments = ax.collections[0].get_segments()
    assert_allclose([s[:, 0] for s in segments], np.column_stack([LOWS, HIGHS]))
    assert_allclose(ax.lines[0].get_xdata(), POINTS)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]


def test_intervals_that_miss_the_truth_stand_out(ax):
    plot_intervals(POINTS, LOWS, HIGHS, truth=0.8, ax=ax)
    held, missed = (len(collection.get_segments()) for collection in ax.collections)
    assert (held, missed) == (1, 2)


def test_one_sided_intervals_reach_the_edge(ax):
    plot_intervals([0.5], [0.4], [np.inf], ax=ax)
    (segment,) = ax.collections[0].get_segments()
    assert segment[1, 0] == ax.get_xlim()[1]


def test_lengths_must_agree():
    with pytest.raises(DataError, match=r"one number for each interval; got shapes \(3,\), \(2,\)"):
        plot_intervals(POINTS, LOWS[:2], HIGHS)
    with pytest.raises(DataError, match="one name for each of 3 intervals; got 1"):
        plot_intervals(POINTS, LOWS, HIGHS, ["a"])
