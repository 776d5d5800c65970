"""The Gaussian map of inner products against plain NumPy."""

import numpy as np
import pytest

from gramian import _native

rng = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(1, 1), (3, 7), (5, 64), (300, 401), (2, 0)])
def test_products_become_values_of_the_kernel(dtype, shape):
    values = rng.normal(size=shape).astype(dtype)
    left, right = (rng.uniform(0, 3, size=n).astype(dtype) for n in shape)
    expected = np.exp(np.minimum(0, 0.7 * values.astype(float) - left[:, None] - right))
    _native.gaussian_values(values, left, right, 0.7)
    np.testing.assert_allclose(values, expected, rtol=1e-14 if dtype == np.float64 else 1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_far_rows_have_the_value_0_and_equal_ones_1(dtype):
    values = np.array([[0.0, 5.0, 0.0]], dtype=dtype)
    left, right = np.zeros(1, dtype), np.array([1e5, 0.0, 0.0], dtype)
    _native.gaussian_values(values, left, right, 1.0)
    assert values.tolist() == [[0.0, 1.0, 1.0]]


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="a number for each row"):
        _native.gaussian_values(np.zeros((2, 3)), np.zeros(2), np.zeros(2), 1.0)
