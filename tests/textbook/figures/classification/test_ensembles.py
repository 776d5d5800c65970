"""Figures of boosting rounds, votes, and averaging."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.figures import plot_average_variance, plot_votes, plot_weighted_points
from tests.plot.conftest import legend_texts

POINTS, CLASSES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), ["a", "b", "b"]


def test_areas_are_weights(ax):
    plot_weighted_points(POINTS, CLASSES, [1, 2, 1], predict=lambda q: np.full(len(q), "b"), ax=ax)
    sizes = np.concatenate([c.get_sizes() for c in ax.collections[-2:]])
    assert_allclose(sizes / sizes[0], [1, 2, 1])
    with pytest.raises(ValueError, match="one per point"):
        plot_weighted_points(POINTS, CLASSES, [1, 2], ax=ax)


def test_votes_against_errors(ax):
    plot_votes([0.2, 0.5, 0.8], [1, 0, -1], seen=[0.35], ax=ax)
    assert_allclose(ax.lines[-1].get_xydata(), [[0.35, 0.5]])
    with pytest.raises(ValueError, match="the same length"):
        plot_votes([0.2], [1, 2], ax=ax)


def test_a_line_and_points_per_correlation(ax):
    theory = {"r = 0": [1.0, 0.5], "r = 1": [1.0, 1.0]}
    plot_average_variance([1, 2], theory, measured={"r = 0": [1.1, 0.4]}, ax=ax)
    assert len(ax.lines) == 3
    assert legend_texts(ax) == list(theory)
