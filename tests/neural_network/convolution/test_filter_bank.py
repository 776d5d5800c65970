"""Filters designed by hand."""

import numpy as np
import pytest
import scipy.ndimage

from gramian.neural_network import ConvClassifier, FilterBank, gabor_filters


def test_a_bank_is_a_correlation_of_every_channel(rng):
    images = rng.normal(size=(3, 6, 7, 2))
    model = ConvClassifier([FilterBank("edges")], max_iter=1).fit(images, [0, 1, 0])
    maps = model.feature_maps(images)[0]
    assert maps.shape == (3, 6, 7, 8)
    for channel in range(2):
        for k, f in enumerate(FilterBank("edges").bank):
            expected = scipy.ndimage.correlate(images[1, :, :, channel], f, mode="constant")
            np.testing.assert_allclose(maps[1, :, :, 4 * channel + k], expected, atol=1e-12)


@pytest.mark.parametrize("name", ["edges", "corners", "gabor", "derivatives"])
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


def test_each_direction_of_stripes_is_found_by_its_own_gabor_filters():
    y, x = np.mgrid[:7, :7] - 3
    bank = FilterBank("gabor").bank
    assert bank.shape == (8, 7, 7)
    for k, angle in enumerate(np.pi * np.arange(4) / 4):
        u = x * np.cos(angle) + y * np.sin(angle)
        for shift in (0.0, 0.7, 1.9):
            responses = np.tensordot(bank, np.cos(2 * np.pi * (u - shift) / 4), 2)
            energy = (responses**2).reshape(4, 2).sum(axis=1)
            assert energy.argmax() == k
            assert energy[k] > 3 * np.delete(energy, k).max()


def test_gabor_filters_are_even_and_odd_with_norm_one():
    bank = gabor_filters(5, wavelength=5.0, sigma=1.5, aspect=1.0, size=9)
    np.testing.assert_allclose(np.linalg.norm(bank, axis=(1, 2)), 1.0)
    np.testing.assert_allclose(bank[::2], bank[::2, ::-1, ::-1], atol=1e-12)
    np.testing.assert_allclose(bank[1::2], -bank[1::2, ::-1, ::-1], atol=1e-12)
    np.testing.assert_allclose(bank.sum(axis=(1, 2)), 0.0, atol=1e-12)
    u = np.arange(9) - 4  # the first filters change from left to right only along the wave
    window = np.exp(-(u**2) / (2 * 1.5**2)) * np.sin(2 * np.pi * u / 5)
    row = bank[1, 4]
    np.testing.assert_allclose(row / row.max(), window / window.max(), atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"orientations": 0}, "orientations must be an integer >= 1"),
        ({"size": 4}, "size must be odd and at least 3"),
        ({"wavelength": 1.0}, "wavelength must be a finite number >= 2"),
        ({"sigma": 0.0}, "sigma must be a finite number > 0"),
    ],
)
def test_bad_settings_of_gabor_filters_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        gabor_filters(**settings)


def test_a_network_takes_gabor_filters(rng):
    images = rng.normal(size=(4, 10, 9, 2))
    model = ConvClassifier([FilterBank("gabor")], max_iter=1).fit(images, [0, 1, 0, 1])
    maps = model.feature_maps(images)[0]
    assert maps.shape == (4, 10, 9, 16)
    expected = scipy.ndimage.correlate(
        images[2, :, :, 1], FilterBank("gabor").bank[3], mode="constant"
    )
    np.testing.assert_allclose(maps[2, :, :, 8 + 3], expected, atol=1e-12)


def test_training_leaves_the_filters_alone(rng):
    X, y = rng.normal(size=(20, 12)), rng.integers(2, size=20)
    model = ConvClassifier([FilterBank("derivatives")], max_iter=3, random_state=0).fit(X, y)
    assert not any("layer0" in name for name in model.weights_)


def test_given_filters_compare_and_are_checked():
    assert FilterBank([[1, -1]]) == FilterBank(np.array([[1.0, -1.0]]))
    with pytest.raises(ValueError, match=r"shape \(number, height, width\)"):
        FilterBank([1.0, 2.0])
    with pytest.raises(ValueError, match="one of"):
        FilterBank("waves")
    with pytest.raises(ValueError, match="for images, but the input has the shape"):
        FilterBank("edges").output_shape((12, 1))
