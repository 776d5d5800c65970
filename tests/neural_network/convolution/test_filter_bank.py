"""Filters designed by hand."""

import numpy as np
import pytest
import scipy.ndimage

from gramian.neural_network import ConvClassifier, FilterBank

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_a_bank_is_a_correlation_of_every_channel(rng):
    images = rng.normal(size=(3, 6, 7, 2))
    model = ConvClassifier([FilterBank("edges")], max_iter=1).fit(images, [0, 1, 0])
    maps = model.feature_maps(images)[0]
    assert maps.shape == (3, 6, 7, 8)
    for channel in range(2):
        for k, f in enumerate(FilterBank("edges").bank):
            expected = scipy.ndimage.correlate(images[1, :, :, channel], f, mode="constant")
            np.testing.assert_allclose(maps[1, :, :, 4 * channel + k], expected, atol=1e-12)


@pytest.mark.parametrize("name", ["edges", "corners", "derivatives"])
def test_the_banks_do_not_see_a_constant(name):
    sums = FilterBank(name).bank
    if name == "derivatives":
        np.testing.assert_allclose(sums.sum(axis=-1), 0, atol=1e-12)
    else:
        np.testing.assert_allclose(sums.sum(axis=(1, 2)), 0, atol=1e-12)


def test_edges_are_the_slopes_of_an_image():
    """Across, down and along both diagonals; Sobel's have the size of the slope."""
    across = np.tile([-1.0, 0.0, 1.0], (3, 1))
    slopes = [[(f * image).sum() for f in FilterBank("edges").bank] for image in (across, across.T)]
    np.testing.assert_allclose(slopes, [[1, 0, 0.75, -0.75], [0, 1, 0.75, 0.75]], atol=1e-12)


def test_each_corner_is_found_by_its_own_filter():
    corners = []
    for rows in (slice(1, 3), slice(0, 2)):
        for columns in (slice(1, 3), slice(0, 2)):
            image = np.zeros((3, 3))
            image[rows, columns] = 1.0
            corners.append(image)
    found = np.array([[(f * c).sum() for c in corners] for f in FilterBank("corners").bank[:4]])
    np.testing.assert_array_equal(found.argmax(axis=1), np.arange(4))
    np.testing.assert_allclose(found.diagonal(), 1.0)


def test_training_leaves_the_filters_alone(rng):
    X, y = rng.normal(size=(20, 12)), rng.integers(2, size=20)
    model = ConvClassifier([FilterBank("derivatives")], max_iter=3, random_state=0).fit(X, y)
    assert not any("layer0" in name for name in model.weights_)


def test_given_filters_compare_and_are_checked():
    assert FilterBank([[1, -1]]) == FilterBank(np.array([[1.0, -1.0]]))
    with pytest.raises(ValueError, match=r"shape \(number, height, width\)"):
        FilterBank([1.0, 2.0])
    with pytest.raises(ValueError, match="one of"):
        FilterBank("gabor")
    with pytest.raises(ValueError, match="of images, but the input has the shape"):
        FilterBank("edges").output_shape((12, 1))
