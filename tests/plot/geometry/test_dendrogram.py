"""Dendrograms and medoids, drawn."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.plot import plot_dendrogram, plot_medoids

ACROSS = [[0, 0, 1, 1], [2, 2, 3, 3], [0.5, 0.5, 2.5, 2.5]]
UP = [[0, 1, 1, 0], [0, 2, 2, 0], [1, 5, 5, 2]]


def test_merges_below_the_cut_have_the_colour_of_their_cluster(ax):
    assert plot_dendrogram(ACROSS, UP, cut=3.0, names="abcd", ax=ax) is ax
    merges, line = ax.lines[:-1], ax.lines[-1]
    colours = [merge.get_color() for merge in merges]
    assert colours[2] == "#666666"
    assert len(set(colours)) == 3
    np.testing.assert_array_equal(line.get_ydata(), [3.0, 3.0])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == list("abcd")
    np.testing.assert_array_equal(merges[0].get_xdata(), ACROSS[0])


def test_nested_merges_share_a_cluster(ax):
    plot_dendrogram(ACROSS, UP, cut=9.0, ax=ax)
    assert len({merge.get_color() for merge in ax.lines[:-1]}) == 1


def test_inversions_are_dashed(ax):
    plot_dendrogram([[0, 0, 1, 1], [0.5, 0.5, 2, 2]], [[0, 2, 2, 0], [2, 1.5, 1.5, 0]], ax=ax)
    assert [line.get_linestyle() for line in ax.lines] == ["-", "--"]


def test_points_are_joined_with_their_medoids(ax):
    plot_medoids([[0, 0], [0, 2], [9, 0]], [[0, 0], [9, 0]], [0, 0, 1], ax=ax)
    np.testing.assert_array_equal(ax.lines[1].get_xydata(), [[0, 2], [0, 0]])
    assert len(ax.collections) == 2


def test_invalid_input_is_named():
    with pytest.raises(DataError, match="four corners per merge"):
        plot_dendrogram([[0, 1]], [[0, 1]])
    with pytest.raises(DataError, match="the 4 leaves; got 2"):
        plot_dendrogram(ACROSS, UP, names="ab")
    with pytest.raises(DataError, match="numbers from 0 to 1"):
        plot_medoids([[0, 0]], [[0, 0], [1, 1]], [2])
