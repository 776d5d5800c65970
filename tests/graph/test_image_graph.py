import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.feature_extraction.image import grid_to_graph

from gramian.base.errors import DataError, ParameterError
from gramian.graph import image_graph, sweep_cut


def test_pixels_are_joined_with_those_beside_and_below():
    flat = image_graph(np.zeros((3, 4)))
    expected = grid_to_graph(3, 4).toarray() - np.eye(12)
    assert_array_equal(flat.weights.toarray(), expected)
    assert image_graph(np.zeros((3, 4)), neighbors=8).n_edges == 17 + 12


def test_weights_fall_with_the_difference_of_colours():
    image = np.array([[[0.0, 0.0], [3.0, 4.0]]])
    assert_allclose(image_graph(image, sigma=5.0).weights.toarray()[0, 1], np.exp(-0.5))


def test_the_sweep_cut_is_the_edge_of_a_square():
    image = np.zeros((12, 12))
    image[3:9, 3:9] = 1
    image += 0.05 * np.random.default_rng(0).normal(size=image.shape)
    labels = sweep_cut(image_graph(image, sigma=0.2)).labels.reshape(image.shape)
    assert_array_equal(labels == labels[5, 5], image > 0.5)


@pytest.mark.parametrize("image", [np.zeros(3), np.zeros((0, 2)), [[np.nan, 1.0]]])
def test_what_is_no_image_is_refused(image):
    with pytest.raises(DataError, match="image"):
        image_graph(image)


def test_bad_settings_are_refused():
    with pytest.raises(ParameterError, match="neighbors"):
        image_graph(np.zeros((2, 2)), neighbors=6)
    with pytest.raises(ParameterError, match="sigma"):
        image_graph(np.zeros((2, 2)), sigma=-1.0)
