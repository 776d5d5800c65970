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
