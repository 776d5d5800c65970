"""Rows as lines of the weight space."""

import numpy as np

from gramian.textbook.figures import plot_weight_space

X, Y = np.array([[1.0, 1.0], [-1.0, -1.0], [2.0, 0.5]]), np.array([1, -1, 1])


def test_lines_are_orthogonal_to_their_rows():
    ax = plot_weight_space(X, Y, path=[[0.0, 0.0], [1.0, 1.0]])
    for row, line in zip(X, ax.lines[:3], strict=True):
        np.testing.assert_allclose(np.column_stack(line.get_data()) @ row, 0, atol=1e-12)
    np.testing.assert_array_equal(ax.lines[3].get_xydata(), [[0, 0], [1, 1]])


def test_the_cone_holds_the_weights_that_separate(ax):
    plot_weight_space([[1, 0], [0, 1]], [1, 1], resolution=61, ax=ax)
    cone = np.vstack([path.vertices for path in ax.collections[0].get_paths()])
    np.testing.assert_allclose([cone.min(axis=0), cone.max(axis=0)], [[0, 0], [3, 3]], atol=1e-6)
