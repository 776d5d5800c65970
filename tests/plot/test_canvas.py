"""Colours, frames and points shared by the plots."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from gramian.base.errors import DataError
from gramian.plot.canvas import (
    COLOURS,
    axes_or_new,
    colours,
    frame,
    grid_over,
    number_list,
    pale,
    plane,
    scatter_by_class,
    scatter_labelled,
    space_or_new,
)
from tests.plot.conftest import legend_texts


@pytest.mark.parametrize("count", [1, 8, 9, 30])
def test_every_class_has_its_own_colour(count):
    assert len({to_rgb(colour) for colour in colours(count)}) == count
    if count <= len(COLOURS):
        assert colours(count) == list(COLOURS[:count])


def test_a_pale_colour_lies_between_it_and_white():
    np.testing.assert_allclose(pale("black", 0.25), [0.75] * 3)
    np.testing.assert_allclose(pale("red", 0.5), [1, 0.5, 0.5])
    np.testing.assert_allclose(pale(COLOURS[0], 1.0), to_rgb(COLOURS[0]))


def test_axes_are_those_given_or_those_of_a_new_figure(ax):
    assert axes_or_new(ax) is ax
    assert axes_or_new(None).figure.number not in (ax.figure.number, None)
    assert len(plt.get_fignums()) == 2


def test_axes_of_three_dimensions(ax):
    assert space_or_new(ax) is ax
    assert space_or_new(None).name == "3d"


def test_a_grid_goes_row_after_row_from_the_bottom():
    cells = grid_over((0, 1, 10, 30), 3)
    assert cells.points[:4].tolist() == [[0, 10], [0.5, 10], [1, 10], [0, 20]]
    np.testing.assert_array_equal(cells.values(cells.points[:, 0]), [cells.across] * 3)
    np.testing.assert_array_equal(cells.values(cells.points[:, 1])[:, 0], cells.up)


@pytest.mark.parametrize("points", [[1.0, 2.0], [[1.0, 2.0, 3.0]], np.empty((0, 2))])
def test_invalid_points_of_the_plane_raise(points):
    with pytest.raises(DataError, match="plot_it: X must have at least one row and 2 columns"):
        plane("plot_it", "X", points)


def test_invalid_lists_of_numbers_raise():
    assert number_list("plot_it", "errors", [1, 2]).tolist() == [1.0, 2.0]
    for values in ([], [[1.0]], 1.0):
        with pytest.raises(DataError, match="plot_it: errors must be a list of numbers; got shape"):
            number_list("plot_it", "errors", values)


def test_the_frame_has_a_margin_on_every_side():
    box = frame(np.array([[0.0, 5.0]]), np.array([[10.0, 5.0]]), margin=0.1)
    np.testing.assert_allclose(box, (-1, 11, 4.9, 5.1))  # a range of zero counts as one


def test_points_are_drawn_by_class_and_empty_classes_are_not(ax):
    X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]])
    scatter_by_class(ax, X, np.array([2, 0, 2]), ["a", "b", "c"], ["red", "blue", "green"])
    assert [c.get_label() for c in ax.collections] == ["a", "c"]
    np.testing.assert_array_equal(ax.collections[1].get_offsets(), X[[0, 2]])
    assert to_rgb(ax.collections[1].get_facecolor()[0]) == pytest.approx(to_rgb("green"))


def test_labels_are_in_the_legend_in_sorted_order(ax):
    scatter_labelled(ax, np.eye(2), ["b", "a"])
    assert legend_texts(ax) == ["a", "b"]
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), [[0, 1]])
