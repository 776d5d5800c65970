import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from gramian.base.errors import DataError
from gramian.plot import plot_posterior_contours, plot_posterior_curves
from tests.plot.conftest import legend_texts

X = np.array([-2.0, -1.0, 0.5, 2.0])
Y = np.array(["dry", "dry", "wet", "wet"])


def test_curves_are_marked_where_they_cross_one_half(ax):
    curves = {"a": lambda Z: expit(3 * (Z[:, 0] - 0.25)), "b": lambda Z: 0 * Z[:, 0] + 0.9}
    assert plot_posterior_curves(X, Y, curves, ax=ax) is ax
    marks = [line.get_xydata() for line in ax.lines if line.get_marker() == "o"]
    assert_allclose(marks[0], [[0.25, 0.5]], atol=1e-4)
    assert len(marks[1]) == 0
    assert ax.get_ylabel() == "P(wet | x)"


def test_the_points_of_the_second_class_lie_on_top(ax):
    plot_posterior_curves(X[:, None], Y, {"a": lambda Z: expit(Z[:, 0])}, ax=ax)
    below, above = (c.get_offsets() for c in ax.collections)
    assert_allclose(below[:, 0], X[:2])
    assert_allclose(above[:, 0], X[2:])
    assert (below[:, 1] < 0).all()
    assert (above[:, 1] > 1).all()


def test_contours_of_each_model_lie_at_their_levels(ax):
    points = np.column_stack([X, X])
    models = {"left": lambda Z: expit(Z[:, 0] + 1), "right": lambda Z: expit(Z[:, 0] - 1)}
    assert plot_posterior_contours(points, Y, models, levels=(0.4, 0.5), ax=ax) is ax
    contours = [c for c in ax.collections if hasattr(c, "levels")]
    for contour, shift in zip(contours, (1, -1), strict=True):
        assert list(contour.levels) == [0.4, 0.5]
        for level, path in zip(contour.levels, contour.get_paths(), strict=True):
            assert len(path.vertices) > 10
            assert_allclose(expit(path.vertices[:, 0] + shift), level, atol=1e-3)
    names = legend_texts(ax)
    assert names == ["left", "right", "dry", "wet"]


def test_a_model_that_reaches_no_level_has_no_contour(ax):
    points = np.column_stack([X, X])
    plot_posterior_contours(points, Y, {"sure": lambda Z: 0 * Z[:, 0] + 0.99}, ax=ax)
    assert [c for c in ax.collections if hasattr(c, "levels")] == []
    assert ax.get_legend().get_texts()[0].get_text() == "sure"


@pytest.mark.parametrize("y", [["a", "b", "c", "a"], ["a"] * 4, ["a", "b"]])
def test_other_than_two_classes_are_refused(y):
    with pytest.raises(DataError, match="one of two classes"):
        plot_posterior_curves(X, y, {})
    with pytest.raises(DataError, match="one of two classes"):
        plot_posterior_contours(np.column_stack([X, X]), y, {})
