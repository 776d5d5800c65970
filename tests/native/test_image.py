"""Steps over images against plain NumPy and SciPy."""

import numpy as np
import pytest
from scipy.ndimage import correlate1d

import gramian
from gramian import _native
from gramian.feature_extraction.image.batches import derivative_filter

FILTERS = [("tap", 1.0), ("sobel", 1.0), ("gaussian", 0.7), ("gaussian", 3.0)]


def plain_gradients(images, taps):
    derivative, smoothing = taps
    x = images.astype(np.float64)
    along = lambda a, k, axis: correlate1d(a, k, axis=axis, mode="nearest")  # noqa: E731
    across = along(along(x, smoothing, 1), derivative, 2)
    down = along(along(x, derivative, 1), smoothing, 2)
    return across, down


def plain_histograms(images, taps, cell, signed, shared):
    """Pixel by pixel."""
    height, width, bins = cell
    across, down = plain_gradients(images, taps)
    period = 2 * np.pi if signed else np.pi
    place = np.mod(np.arctan2(down, across), period) / period * bins
    length = np.hypot(across, down) / (height * width)
    n, rows, cols = images.shape
    out = np.zeros((n, rows // height, cols // width, bins))
    for i, r, c in np.ndindex(n, rows // height * height, cols // width * width):
        at, target = place[i, r, c], out[i, r // height, c // width]
        if shared:
            low = int(np.floor(at - 0.5))
            part = at - 0.5 - low
            target[low % bins] += (1 - part) * length[i, r, c]
            target[(low + 1) % bins] += part * length[i, r, c]
        else:
            target[int(at) % bins] += length[i, r, c]
    return out


def histograms(images, taps, cell, signed, shared, block=(0, 0, 0.0), features=None):
    height, width, bins = cell
    cells = images.shape[1] // height * (images.shape[2] // width)
    out = np.empty((len(images), cells * bins if features is None else features), images.dtype)
    _native.orientation_histograms(images, taps, cell, (signed, shared), block, out)
    return out


@pytest.mark.numeric
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("method", "sigma"), FILTERS)
@pytest.mark.parametrize("shape", [(3, 9, 11), (2, 1, 1), (1, 2, 17)])
def test_gradients_are_correlations_with_the_border_repeated(rng, dtype, method, sigma, shape):
    images, taps = rng.normal(size=shape).astype(dtype), derivative_filter("test", method, sigma)
    across, down = np.empty_like(images), np.empty_like(images)
    _native.image_gradients(images, taps, across, down)
    tolerance = 1e-12 if dtype == np.float64 else 1e-6
    for found, expected in zip((across, down), plain_gradients(images, taps), strict=True):
        np.testing.assert_allclose(found, expected, atol=tolerance)


@pytest.mark.numeric
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("cell", [(4, 4, 12), (3, 5, 1), (9, 11, 9)])
def test_histograms_are_the_votes_of_every_pixel(rng, dtype, signed, shared, cell):
    images, taps = (
        rng.normal(size=(4, 9, 11)).astype(dtype),
        derivative_filter("test", "sobel", 1.0),
    )
    found = histograms(images, taps, cell, signed, shared)
    expected = plain_histograms(images, taps, cell, signed, shared).reshape(4, -1)
    np.testing.assert_allclose(found, expected, atol=1e-10 if dtype == np.float64 else 1e-5)


@pytest.mark.numeric
def test_the_angles_match_atan2_all_around(rng):
    turns = np.linspace(-np.pi, np.pi, 721)[1:]
    x = np.concatenate([np.cos(turns), [0.0, 0.0, 1.0, -1.0, 0.0]])
    y = np.concatenate([np.sin(turns), [1.0, -1.0, 0.0, 0.0, 0.0]])
    for across, down in zip(x, y, strict=True):  # a ramp in each direction, one bin of 1000 a turn
        ramp = np.add.outer(down * np.arange(3.0), across * np.arange(3.0))[None]
        found = histograms(ramp, derivative_filter("test", "tap", 1.0), (3, 3, 1000), True, True)[0]
        expected = plain_histograms(
            ramp, derivative_filter("test", "tap", 1.0), (3, 3, 1000), True, True
        )
        np.testing.assert_allclose(found, expected.ravel(), atol=1e-10)


def test_blocks_are_scaled_to_length_one_and_overlap(rng):
    images, taps = rng.normal(size=(2, 9, 12)), derivative_filter("test", "tap", 1.0)
    cells = histograms(images, taps, (3, 3, 6), False, True).reshape(2, 3, 4, 6)
    found = histograms(images, taps, (3, 3, 6), False, True, (2, 3, 0.1), 2 * 2 * 36)
    blocks = found.reshape(2, 2, 2, 2, 3, 6)
    for r, c in np.ndindex(2, 2):
        part = cells[:, r : r + 2, c : c + 3]
        length = np.sqrt((part**2).sum(axis=(1, 2, 3), keepdims=True) + 0.01)
        np.testing.assert_allclose(blocks[:, r, c], part / length, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equalised_levels_are_ranks(rng, dtype):
    images = rng.integers(0, 50, size=(5, 6, 7)).astype(dtype)
    out = np.empty_like(images)
    _native.equalize_images(images, 4096, out)
    for image, found in zip(images, out, strict=True):
        rank = (image.ravel() <= image.reshape(-1, 1)).sum(axis=1)
        least = (image == image.min()).sum()
        expected = (rank - least) / (image.size - least)
        np.testing.assert_allclose(found.ravel(), expected, atol=1e-6)


def test_the_answer_does_not_depend_on_the_threads(rng):
    images, taps = rng.normal(size=(300, 28, 28)), derivative_filter("test", "gaussian", 1.0)
    answers = []
    before = gramian.get_num_threads()
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        answers.append(histograms(images, taps, (7, 7, 12), False, True))
    gramian.set_num_threads(before)
    assert (answers[0] == answers[1]).all()
    assert (answers[0] == answers[2]).all()


def test_shapes_that_do_not_fit_are_refused(rng):
    images, taps = rng.normal(size=(2, 8, 8)), derivative_filter("test", "tap", 1.0)
    for cell, block, features in [
        ((9, 1, 4), (0, 0, 0.0), 0),
        ((4, 4, 4), (3, 1, 0.0), 16),
        ((4, 4, 4), (0, 0, 0.0), 17),
        ((4, 4, 0), (0, 0, 0.0), 0),
    ]:
        with pytest.raises(ValueError, match="images"):
            histograms(images, taps, cell, False, True, block, features)
    with pytest.raises(ValueError, match="odd"):
        _native.image_gradients(images, np.ones((2, 4)), images.copy(), images.copy())
    with pytest.raises(ValueError, match="each pixel"):
        _native.equalize_images(images, 16, np.empty((2, 8, 7)))
