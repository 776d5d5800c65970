"""Patches of images, and sums of gradients over them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neural_network.convolution.patches import (
    as_images,
    patches_of,
    shifted,
    sum_patches,
)


def test_patches_are_the_numbers_that_a_filter_sees(rng):
    x = rng.normal(size=(3, 7, 6, 2))
    found = patches_of(x, (3, 2), (2, 1), ((1, 0), (0, 1)))
    padded = np.pad(x, ((0, 0), (1, 0), (0, 1), (0, 0)))
    assert found.shape == (3, 3, 6, 2, 3, 2)
    for i in range(3):
        for j in range(6):
            expected = np.moveaxis(padded[:, 2 * i : 2 * i + 3, j : j + 2], -1, 1)
            assert_array_equal(found[:, i, j], expected)


@pytest.mark.parametrize("stride", [(1, 1), (2, 3)])
@pytest.mark.parametrize("pads", [((0, 0), (0, 0)), ((1, 2), (0, 1))])
def test_sums_of_patches_are_the_transposed_map(rng, stride, pads):
    """<patches(x), s> = <x, sums(s)> for every x and s."""
    x = rng.normal(size=(2, 8, 7, 3))
    patches = patches_of(x, (3, 2), stride, pads)
    slopes = rng.normal(size=patches.shape)
    assert_allclose(
        (patches * slopes).sum(), (x * sum_patches(slopes, x.shape, stride, pads)).sum()
    )


def test_a_signal_is_an_image_of_height_one(rng):
    x = rng.normal(size=(4, 6, 2))
    assert as_images(x).shape == (4, 1, 6, 2)
    assert as_images(x[:, None]).shape == (4, 1, 6, 2)


def test_shifted_views_are_the_positions_in_a_patch(rng):
    x = rng.normal(size=(2, 5, 6, 1))
    patches = patches_of(x, (2, 3), (2, 2), ((0, 0), (0, 0)))
    for k, view in enumerate(shifted(x, (2, 3), (2, 2), patches.shape[1:3])):
        assert_array_equal(view, patches[..., k // 3, k % 3])
