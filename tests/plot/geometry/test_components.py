"""Scree plots, biplots and loadings."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import plot_biplot, plot_loadings, plot_scree


def test_a_scree_plot_shows_variances_and_their_proportion():
    ax = plot_scree([3.0, 1.0, 0.0], kept=1)
    assert [bar.get_height() for bar in ax.patches] == [3.0, 1.0, 0.0]
    (proportion,) = (other for other in ax.figure.axes if other is not ax)
    np.testing.assert_allclose(proportion.lines[0].get_ydata(), [0.75, 1.0, 1.0])
    assert list(ax.lines[0].get_xdata()) == [1.5, 1.5]


def test_arrows_of_a_biplot_reach_the_points_in_one_scale():
    points = np.array([[10.0, 0.0], [0.0, -4.0]])
    ax = plot_biplot(points, [[1.0, 0.0], [0.0, 0.5]], labels=["a", "b"], names=["x", "y"])
    (x_at, y_at) = (np.array(text.get_position()) for text in ax.texts if text.get_text())
    np.testing.assert_allclose(x_at, [7.2, 0.0])
    np.testing.assert_allclose(y_at, [0.0, 3.6])  # 0.9 of the 4 that the points reach
    assert len(plot_biplot(points, [[0.0, 0.0]]).collections) == 1


def test_loadings_of_both_signs_share_a_scale():
    ax = plot_loadings([[0.5, 0.0], [-2.0, 1.0]], names=["x", "y"])
    assert ax.images[0].get_clim() == (-2.0, 2.0)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x", "y"]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("variances must be", lambda: plot_scree([0.0, 0.0])),
        ("variances must be", lambda: plot_scree([[1.0]])),
        ("points must have", lambda: plot_biplot(np.ones((3, 3)), np.ones((3, 2)))),
        ("one name per arrow", lambda: plot_biplot([[1.0, 2.0]], [[1.0, 0.0]], names=[])),
        ("one label per point", lambda: plot_biplot([[1.0, 2.0]], [[1.0, 0.0]], labels=[1, 2])),
        ("loadings must have", lambda: plot_loadings([1.0])),
        ("one name per row", lambda: plot_loadings([[1.0]], names=["a", "b"])),
    ],
)
def test_bad_input_is_named(words, call):
    with pytest.raises(DataError, match=words):
        call()


def test_names_of_equal_arrows_do_not_overlap():
    arrows = [[1.0, 0.5], [1.0, 0.5], [1.0, 0.51], [-1.0, 0.5]]
    ax = plot_biplot([[3.0, 2.0], [-3.0, -2.0]], arrows, names=list("abcd"))
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if text.get_text()]
    assert len(boxes) == 4
    assert not any(one.overlaps(two) for i, one in enumerate(boxes) for two in boxes[:i])


def test_loadings_have_a_scale():
    ax = plot_loadings([[0.9, 0.0], [-0.2, 0.8]])
    assert "loading" in [other.get_ylabel() for other in ax.figure.axes]
