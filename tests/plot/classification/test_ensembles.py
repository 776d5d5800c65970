"""Figures of ensembles."""

import numpy as np
import pytest

from gramian.plot import plot_error_against_members, plot_posterior_map
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


def test_errors_begin_at_one_member():
    ax = plot_error_against_members(
        {"bag": [0.4, 0.3, 0.2], "forest": [0.4, 0.1]}, single=0.35, single_label="tree"
    )
    assert [line.get_xdata()[0] for line in ax.lines[:2]] == [1, 1]
    assert ax.lines[0].get_ydata().tolist() == [0.4, 0.3, 0.2]
    assert legend_texts(ax) == ["bag", "forest", "tree"]
    with pytest.raises(ValueError, match="'bag' must be a list of numbers"):
        plot_error_against_members({"bag": [[0.1]]})
