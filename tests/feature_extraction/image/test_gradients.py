import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.ndimage import gaussian_filter, sobel
from sklearn.datasets import load_digits

from gramian.base.errors import ParameterError
from gramian.feature_extraction.image import image_gradients, oriented_derivative

DIGITS = load_digits().images[:50]


def test_the_tap_is_the_central_difference():
    found = image_gradients(DIGITS)
    assert_allclose(found.across[:, :, 1:-1], (DIGITS[:, :, 2:] - DIGITS[:, :, :-2]) / 2)
    assert_allclose(found.down[:, 1:-1], (DIGITS[:, 2:] - DIGITS[:, :-2]) / 2)


def test_sobel_is_an_eighth_of_scipys():
    found = image_gradients(DIGITS, method="sobel")
    for axis, values in ((2, found.across), (1, found.down)):
        theirs = np.stack([sobel(image, axis=axis - 1, mode="nearest") for image in DIGITS])
        assert_allclose(values, theirs / 8, atol=1e-12)


def test_gaussian_derivatives_agree_with_scipy():
    found = image_gradients(DIGITS, method="gaussian", sigma=1.5).across[0]
    theirs = gaussian_filter(DIGITS[0], 1.5, order=(0, 1), mode="nearest")
    assert_allclose(found, theirs, atol=0.02 * np.abs(theirs).max())


@pytest.mark.parametrize("angle", [0.0, 0.7, np.pi / 2, 2.5])
def test_a_derivative_in_the_direction_of_a_ramp_is_its_slope(angle):
    rows, columns = np.mgrid[0:21, 0:21]
    ramp = 3 * (np.cos(angle) * columns + np.sin(angle) * rows)
    assert oriented_derivative(ramp, angle)[10, 10] == pytest.approx(3)
    assert oriented_derivative(ramp, angle + np.pi / 2)[10, 10] == pytest.approx(0, abs=1e-9)


def test_magnitude_and_angle_of_the_gradient():
    rows, columns = np.mgrid[0:5, 0:5]
    found = image_gradients(3.0 * columns + 4.0 * rows)
    assert found.magnitude[2, 2] == pytest.approx(5)
    assert found.angle[2, 2] == pytest.approx(np.arctan2(4, 3))


def test_float32_stays_and_one_image_comes_back_alone():
    found = image_gradients(DIGITS[0].astype(np.float32))
    assert found.across.dtype == np.float32
    assert found.across.shape == (8, 8)
    with pytest.raises(ParameterError, match="angle"):
        oriented_derivative(DIGITS, np.inf)


def test_errors_of_a_direction_name_it():
    with pytest.raises(ValueError, match=r"^oriented_derivative: Input images contains NaN"):
        oriented_derivative(np.full((3, 3), np.nan), 0.0)
