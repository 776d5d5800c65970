import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.graph import Graph, fiedler_pair, sweep_cut
from gramian.plot import (
    plot_fiedler_vector,
    plot_graph_cut,
    plot_segmentation,
    plot_spectral_embedding,
)

GRAPH = Graph.from_edges([[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [2, 3]])
POINTS = np.array([[0, 0], [0, 1], [1, 0.5], [2, 0.5], [3, 0], [3, 1.0]])


def test_the_edges_of_the_cut_are_drawn_apart():
    edges, weights = GRAPH.edges()
    labels = sweep_cut(GRAPH).labels
    ax = plot_graph_cut(POINTS, edges, labels, weights=weights)
    inner, crossing = ax.collections[:2]
    assert len(inner.get_segments()) == 6
    np.testing.assert_array_equal(crossing.get_segments()[0], POINTS[[2, 3]])
    assert ax.get_title() == "weight of the cut: 1"
    assert inner.get_zorder() < min(vertices.get_zorder() for vertices in ax.collections[2:])


def test_the_fiedler_vector_ascends_and_the_cut_is_marked():
    vector = fiedler_pair(GRAPH).vector
    ax = plot_fiedler_vector(vector, sweep_cut(GRAPH).labels)
    heights = np.concatenate([c.get_offsets()[:, 1] for c in ax.collections])
    assert (np.diff(heights) >= 0).all()
    assert ax.get_legend().get_texts()[0].get_text() == "cut: 3 | 3"


def test_an_embedding_has_a_colour_for_each_class():
    ax = plot_spectral_embedding(POINTS, [0, 0, 0, 1, 1, 1])
    assert len(ax.get_legend().get_texts()) == 2
    assert len(plot_spectral_embedding(POINTS).collections[0].get_offsets()) == 6


def test_borders_of_segments_are_drawn_over_the_image():
    ax = plot_segmentation(np.eye(4), np.eye(4, dtype=int))
    assert ax.get_title() == "2 segments"
    assert len(ax.images) == 1
    assert plot_segmentation(np.eye(4), np.zeros(16)).get_title() == "1 segments"


def test_lengths_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match="label for each"):
        plot_graph_cut(POINTS, [[0, 1]], [0, 1])
    with pytest.raises(DataError, match="weights"):
        plot_graph_cut(POINTS, [[0, 1]], np.zeros(6), weights=[1, 2])
    with pytest.raises(DataError, match="two parts"):
        plot_fiedler_vector([1.0, 2.0], [0, 0])
    with pytest.raises(DataError, match="each pixel"):
        plot_segmentation(np.eye(3), [0, 1])
