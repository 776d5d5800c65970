import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.feature_extraction.image import image_gradients, orientation_histograms
from gramian.plot import plot_edge_map, plot_image_grid, plot_orientation_histograms

SQUARE = np.zeros((16, 16))
SQUARE[4:12, 4:12] = 1.0


def test_an_edge_map_shows_the_magnitudes():
    magnitude = image_gradients(SQUARE).magnitude
    ax = plot_edge_map(magnitude)
    np.testing.assert_array_equal(ax.images[0].get_array(), magnitude)


def test_lines_lie_along_the_edges_and_stay_in_their_cells():
    stripes = np.tile(np.arange(16.0), (16, 1))  # edges are upright
    bins = orientation_histograms(stripes, n_bins=4, interpolate=False).reshape(2, 2, 4)
    ax = plot_orientation_histograms(stripes, bins)
    segments = np.array(ax.collections[0].get_segments())
    assert len(segments) == 4
    assert (np.abs(segments[:, 0] - segments[:, 1]) <= 8).all()
    leaning = np.abs(segments[:, 0, 0] - segments[:, 1, 0])
    assert (leaning < np.abs(segments[:, 0, 1] - segments[:, 1, 1])).all()


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(DataError, match="magnitude"):
        plot_edge_map([1.0, 2.0])
    with pytest.raises(DataError, match="histograms"):
        plot_orientation_histograms(SQUARE, [[1.0]])


def test_a_grid_holds_every_image_at_its_place():
    images = np.arange(24.0).reshape(3, 2, 4) ** 2
    ax = plot_image_grid(images, columns=2, titles=["a", "b", "c"])
    shown = np.ma.filled(ax.images[0].get_array(), np.nan)
    assert shown.shape == (6, 9)
    first, last = shown[1:3, :4], shown[4:6, :4]
    np.testing.assert_allclose(first, (images[0] - images[0].min()) / np.ptp(images[0]))
    np.testing.assert_allclose(last, (images[2] - images[2].min()) / np.ptp(images[2]))
    assert np.isnan(shown[4:6, 5:]).all()
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"]
    assert not np.ma.filled(plot_image_grid(np.ones((1, 2, 2))).images[0].get_array()[1:], 1).any()


def test_a_grid_needs_images_and_their_titles():
    with pytest.raises(DataError, match="shape"):
        plot_image_grid(np.ones((2, 2)))
    with pytest.raises(DataError, match="titles"):
        plot_image_grid(np.ones((2, 2, 2)), titles=["a"])
    with pytest.raises(DataError, match="columns"):
        plot_image_grid(np.ones((2, 2, 2)), columns=0)
