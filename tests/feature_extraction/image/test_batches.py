import numpy as np
import pytest

from gramian.base.errors import DataError, ParameterError
from gramian.feature_extraction.image.batches import check_images, derivative_filter


def test_one_image_is_a_batch_and_float32_stays():
    batch, single = check_images("test", np.zeros((3, 4), dtype=np.float32))
    assert batch.shape == (1, 3, 4)
    assert single
    assert batch.dtype == np.float32
    is_integer, single = check_images("test", np.ones((2, 3, 4), dtype=np.uint8))
    assert is_integer.dtype == np.float64
    assert not single


@pytest.mark.parametrize(
    ("images", "words"),
    [
        (np.zeros(4), "height, width"),
        (np.zeros((0, 3, 3)), "height, width"),
        (np.zeros((1, 2, 3, 4)), "height, width"),
        ([np.zeros((2, 2)), np.zeros((3, 2))], "equal height and width"),
        ([["a", "b"]], "numeric"),
        ([[np.nan, 1.0]], "NaN"),
        ([[1e200, 1.0]], "1e\\+150"),
    ],
)
def test_invalid_images_are_refused(images, words):
    with pytest.raises(DataError, match=words):
        check_images("test", images)


@pytest.mark.parametrize(
    ("method", "sigma"), [("tap", 1), ("sobel", 1), ("gaussian", 0.3), ("gaussian", 2)]
)
def test_filters_are_exact_on_a_ramp_and_keep_a_constant(method, sigma):
    derivative, smoothing = derivative_filter("test", method, sigma)
    x = np.arange(len(derivative)) - len(derivative) // 2
    assert derivative @ x == pytest.approx(1)
    assert derivative.sum() == pytest.approx(0)
    assert smoothing.sum() == pytest.approx(1)


def test_unknown_filters_are_refused():
    with pytest.raises(ParameterError, match="method"):
        derivative_filter("test", "prewitt", 1.0)
    with pytest.raises(ParameterError, match="sigma"):
        derivative_filter("test", "gaussian", 0.0)
