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


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_weights_do_not_depend_on_the_unit(size):
    image = np.random.default_rng(0).uniform(size=(4, 5))
    expected = image_graph(image).weights.data
    np.testing.assert_allclose(image_graph(image * size).weights.data, expected, rtol=1e-9)
    weights = image_graph(image * size, sigma=0.3 * size).weights.data
    np.testing.assert_allclose(weights, image_graph(image, sigma=0.3).weights.data, rtol=1e-9)


def test_an_image_of_text_is_refused():
    with pytest.raises(ValueError, match=r"image_graph: image must be an array of numbers"):
        image_graph([["a"]])
