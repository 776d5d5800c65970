"""Maxima of blocks of 2 x 2 against NumPy and PyTorch."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from gramian.neural_network.convolution.max_pooling import pooled_by_two  # noqa: E402

SHAPES = [(2, 3, 28, 28), (1, 1, 2, 2), (3, 2, 10, 10), (2, 2, 7, 9), (1, 2, 5, 17), (2, 1, 6, 64)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_maxima_and_gradients_are_those_of_torch(rng, shape, dtype):
    values = rng.integers(0, 4, size=shape).astype(dtype)  # with equal numbers in most blocks
    slopes = torch.from_numpy(rng.normal(size=(*shape[:2], shape[2] // 2, shape[3] // 2)))
    ours = torch.from_numpy(values.copy()).requires_grad_(True)
    theirs = torch.from_numpy(values.copy()).requires_grad_(True)
    found, expected = pooled_by_two(ours), torch.nn.functional.max_pool2d(theirs, 2)
    assert found.dtype == ours.dtype
    assert_array_equal(found.detach().numpy(), expected.detach().numpy())
    found.backward(slopes.to(found.dtype))
    expected.backward(slopes.to(found.dtype))
    assert_array_equal(ours.grad.numpy(), theirs.grad.numpy())


def test_maps_may_be_views_in_any_order(rng):
    images = torch.from_numpy(rng.normal(size=(2, 6, 8, 3))).movedim(-1, 1)
    blocks = images.numpy().reshape(2, 3, 3, 2, 4, 2)
    assert_array_equal(pooled_by_two(images).numpy(), blocks.max(axis=(3, 5)))


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("width", [2, 32])
def test_a_block_with_nan_is_nan(place, width):
    """So that a loss that is no number is seen."""
    maps = np.zeros((1, 1, 2, width))
    maps[0, 0, place // 2, place % 2] = np.nan
    found = pooled_by_two(torch.from_numpy(maps)).numpy().ravel()
    assert np.isnan(found[0])
    assert_array_equal(found[1:], 0)


def test_maps_without_rows():
    assert pooled_by_two(torch.zeros(0, 2, 4, 4)).shape == (0, 2, 2, 2)
