import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_dichotomies, plot_growth
from tests.plot.conftest import legend_texts

POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])


def test_each_labelling_has_a_panel_with_its_points_filled():
    panels = plot_dichotomies(POINTS, [[True, False, True], [False, False, False]])
    inside, outside = panels[0].collections
    assert_allclose(inside.get_offsets(), POINTS[[0, 2]])
    assert_allclose(outside.get_offsets(), POINTS[[1]])
    assert len(panels[1].collections[0].get_offsets()) == 0
    plt.close("all")


def test_panels_that_are_left_are_hidden():
    panels = plot_dichotomies(POINTS, np.zeros((9, 3), dtype=bool))
    assert len(panels) == 16
    assert [ax.axison for ax in panels] == [True] * 9 + [False] * 7
    plt.close("all")


def test_shapes_must_agree(ax):
    with pytest.raises(ValueError, match=r"got shapes \(3, 2\) and \(1, 2\)"):
        plot_dichotomies(POINTS, [[True, False]])
    with pytest.raises(ValueError, match="2 labellings; got 1 Axes"):
        plot_dichotomies(POINTS, np.zeros((2, 3)), axs=[ax])


def test_growth_is_drawn_beside_all_subsets(ax):
    assert plot_growth([1, 2, 3], [2, 4, 7], bound=[2, 4, 7], ax=ax) is ax
    assert_allclose(ax.lines[0].get_ydata(), [2, 4, 8])
    assert_allclose(ax.lines[2].get_ydata(), [2, 4, 7])
    assert ax.get_yscale() == "log"
    assert legend_texts(ax)[0] == "all subsets, 2^n"
    with pytest.raises(ValueError, match="the same length"):
        plot_growth([1, 2], [2], ax=ax)
