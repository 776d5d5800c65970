"""Figures of hyperplanes draw what they say."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import (
    plot_centroids,
    plot_margin_slab,
    plot_score_contours,
    plot_weight_space,
)

X, Y = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 0.5]]), np.array([1, -1, 1])


def test_the_slab_has_its_width():
    ax = plot_margin_slab(X, Y, [0.5, 0.5], 0.0, support=[0, 1])
    assert ax.get_title() == "slab 2.83 wide, 2 support vectors"
    rings = ax.collections[-1].get_offsets()
    np.testing.assert_array_equal(rings, X[:2])
    with pytest.raises(DataError, match="not both 0"):
        plot_margin_slab(X, Y, [0.0, 0.0], 1.0)


def test_the_bisector_is_half_way():
    ax = plot_centroids(X, Y, [[0.0, 0.0], [2.0, 2.0]])
    ends = np.column_stack(ax.lines[-1].get_data())
    np.testing.assert_allclose(ends.mean(axis=0), [1, 1], atol=1e-12)
    np.testing.assert_allclose((ends - 1) @ [1, 1], 0, atol=1e-12)
    with pytest.raises(DataError, match="two different points"):
        plot_centroids(X, Y, [[0.0, 0.0], [0.0, 0.0]])


def test_level_lines_and_surface():
    ax = plot_score_contours(lambda Z: Z[:, 0], X, Y, levels=(0.0, 1.0))
    assert sorted(label.get_text() for label in ax.get_legend().get_texts()) == ["-1", "1"]
    figure = ax.figure
    surface = figure.add_subplot(projection="3d")
    assert plot_score_contours(lambda Z: Z[:, 0], X, Y, resolution=20, ax=surface) is surface


def test_walls_are_at_right_angles_to_their_rows():
    ax = plot_weight_space(X, Y, path=[[0.0, 0.0], [1.0, 1.0]])
    for row, line in zip(X, ax.lines[:3], strict=True):
        np.testing.assert_allclose(np.column_stack(line.get_data()) @ row, 0, atol=1e-12)
    assert len(ax.lines) == 4
