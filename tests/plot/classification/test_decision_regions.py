import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import QuadMesh
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.plot import draw_decision_regions
from tests.plot.conftest import legend_texts

X = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
Y = np.array(["a", "b", "c", "b"])


def quadrant(Z):
    """Class a left below, b above, c right below."""
    return np.where(Z[:, 1] > 0, "b", np.where(Z[:, 0] > 0, "c", "a"))


def shading(ax):
    (mesh,) = [c for c in ax.collections if isinstance(c, QuadMesh)]
    return mesh


def test_it_draws_on_the_axes_given_and_returns_them(ax):
    figures = plt.get_fignums()
    assert draw_decision_regions(quadrant, X, Y, ax=ax) is ax
    assert plt.get_fignums() == figures


def test_without_axes_it_makes_a_figure():
    assert draw_decision_regions(quadrant, X, Y).figure.number in plt.get_fignums()


def test_each_grid_point_is_shaded_by_its_class(ax):
    draw_decision_regions(quadrant, X, Y, resolution=50, ax=ax)
    codes = shading(ax).get_array().reshape(50, 50)
    assert set(np.unique(codes)) == {0, 1, 2}
    assert codes[0, 0] == 0
    assert (codes[-1] == 1).all()
    assert codes[0, -1] == 2


def test_a_class_that_is_never_predicted_keeps_its_own_colour(ax):
    draw_decision_regions(lambda Z: np.full(len(Z), "a"), X, Y, resolution=10, ax=ax)
    assert set(np.unique(shading(ax).get_array())) == {0}
    names = legend_texts(ax)
    assert names == ["a", "b", "c"]


def test_a_class_that_has_no_point_is_in_the_legend(ax):
    draw_decision_regions(lambda Z: np.where(Z[:, 0] > 0, "nobody", "a"), X, ["a"] * 4, ax=ax)
    names = legend_texts(ax)
    assert names == ["a", "nobody"]


def test_every_point_is_drawn_once_in_the_frame(ax):
    draw_decision_regions(quadrant, X, Y, resolution=10, ax=ax)
    points = [
        c.get_offsets() for c in ax.collections if len(c.get_offsets()) and c.get_label() in Y
    ]
    drawn = np.concatenate(points)
    assert_allclose(drawn[np.lexsort(drawn.T)], X[np.lexsort(X.T)])
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < -1 < 1 < right
    assert bottom < -1 < 1 < top


def test_more_classes_than_the_palette_still_differ(ax):
    y = np.arange(12)
    points = np.column_stack([y, y % 3]).astype(float)
    draw_decision_regions(lambda Z: np.rint(Z[:, 0]).clip(0, 11).astype(int), points, y, ax=ax)
    colours = {tuple(h.get_facecolor()[0]) for h in ax.get_legend().legend_handles}
    assert len(colours) == 12


def test_invalid_input_is_named():
    with pytest.raises(
        DataError, match=r"X must have at least one row and 2 columns; got shape \(4, 3\)"
    ):
        draw_decision_regions(quadrant, np.zeros((4, 3)), Y)
    with pytest.raises(DataError, match=r"y must have one class for each of the 4 rows"):
        draw_decision_regions(quadrant, X, Y[:3])
