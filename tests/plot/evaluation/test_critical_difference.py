import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import plot_critical_difference

RANKS = [3.143, 2.000, 2.893, 1.964]
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def bars(ax):
    return [line for line in ax.lines if line.get_linewidth() == 3]


def test_a_bar_spans_its_group_with_a_dot_over_each_member(ax):
    assert plot_critical_difference(RANKS, NAMES, [(0, 2), (1, 2, 3)], ax=ax) is ax
    first, second = bars(ax)
    assert_allclose(np.sort(first.get_xdata()), [2.893, 3.143])
    assert_allclose(np.sort(second.get_xdata()), [1.964, 2.893])
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [len(line.get_xdata()) for line in dots] == [2, 3]


def test_the_best_is_at_the_right():
    ax = plot_critical_difference(RANKS, NAMES, [])
    left, right = ax.get_xlim()
    assert (left, right) == (4, 1)
    ax = plot_critical_difference([0.7, 0.9], ["a", "b"], [], low_is_best=False, label="accuracy")
    left, right = ax.get_xlim()
    assert left < 0.7 < 0.9 < right
    assert ax.get_xlabel() == "accuracy"


def test_every_model_is_named_once_with_its_value(ax):
    plot_critical_difference(RANKS, NAMES, [], ax=ax)
    assert sorted(text.get_text() for text in ax.texts) == [
        "C4.5  3.14", "C4.5+cf  2.89", "C4.5+m  2", "C4.5+m+cf  1.96",
    ]  # fmt: skip


def test_the_critical_difference_is_drawn_to_scale(ax):
    plot_critical_difference(RANKS, NAMES, [], critical_difference=1.25, ax=ax)
    (ruler,) = [line for line in ax.lines if line.get_marker() == "|"]
    assert abs(np.diff(ruler.get_xdata())[0]) == pytest.approx(1.25)
    assert "critical difference 1.25" in [text.get_text() for text in ax.texts]


def test_models_of_one_rank_still_have_a_line(ax):
    plot_critical_difference([2.0, 2.0, 2.0], ["a", "b", "c"], [(0, 1, 2)], ax=ax)
    assert ax.get_xlim()[0] > ax.get_xlim()[1]


def test_names_and_positions_must_agree():
    with pytest.raises(DataError, match=r"one number for each.*got shape \(4,\) and 2 names"):
        plot_critical_difference(RANKS, NAMES[:2], [])
