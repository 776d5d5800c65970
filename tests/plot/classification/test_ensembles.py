"""Figures of ensembles."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.plot import (
    plot_average_variance,
    plot_error_against_members,
    plot_posterior_map,
    plot_votes,
    plot_weighted_points,
)
from tests.plot.conftest import legend_texts

POINTS, CLASSES = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), ["a", "b", "b"]


def test_the_map_mixes_colours_by_the_posteriors(ax):
    def posterior(points):
        p = points[:, 0].clip(0, 1)
        return np.column_stack([1 - p, p])

    assert plot_posterior_map(posterior, POINTS, CLASSES, resolution=20, ax=ax) is ax
    picture = ax.images[0].get_array()
    assert picture.shape == (20, 20, 3)
    steps = np.diff(np.asarray(picture)[0], axis=0)
    assert (np.abs(steps.sum(axis=0)) > 0).any()
    assert len(ax.collections[0].get_offsets()) == 3
    with pytest.raises(ValueError, match="a column per class"):
        plot_posterior_map(lambda points: np.ones((len(points), 3)), POINTS, CLASSES, ax=ax)


def test_areas_are_weights(ax):
    plot_weighted_points(POINTS, CLASSES, [1, 2, 1], predict=lambda q: np.full(len(q), "b"), ax=ax)
    sizes = np.concatenate([c.get_sizes() for c in ax.collections[-2:]])
    assert_allclose(sizes / sizes[0], [1, 2, 1])
    with pytest.raises(ValueError, match="one per point"):
        plot_weighted_points(POINTS, CLASSES, [1, 2], ax=ax)


def test_votes_against_errors(ax):
    plot_votes([0.2, 0.5, 0.8], [1, 0, -1], seen=[0.35], ax=ax)
    assert_allclose(ax.lines[-1].get_xydata(), [[0.35, 0.5]])
    with pytest.raises(ValueError, match="one length"):
        plot_votes([0.2], [1, 2], ax=ax)


def test_a_line_and_points_per_correlation(ax):
    theory = {"r = 0": [1.0, 0.5], "r = 1": [1.0, 1.0]}
    plot_average_variance([1, 2], theory, measured={"r = 0": [1.1, 0.4]}, ax=ax)
    assert len(ax.lines) == 3
    assert legend_texts(ax) == list(theory)


def test_errors_begin_at_one_member():
    ax = plot_error_against_members(
        {"bag": [0.4, 0.3, 0.2], "forest": [0.4, 0.1]}, single=0.35, single_label="tree"
    )
    assert [line.get_xdata()[0] for line in ax.lines[:2]] == [1, 1]
    assert ax.lines[0].get_ydata().tolist() == [0.4, 0.3, 0.2]
    assert legend_texts(ax) == ["bag", "forest", "tree"]
    with pytest.raises(ValueError, match="'bag' must be a list of numbers"):
        plot_error_against_members({"bag": [[0.1]]})
