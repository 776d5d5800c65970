"""Pooling and shifts of one pixel."""

import numpy as np
import pytest

from gramian.textbook.networks import max_pool, shift_invariance
from gramian.textbook.networks.shift_invariance import SHIFTS, shifted


def pixel_at(row, column, side=12):
    image = np.zeros((1, side, side))
    image[0, row, column] = 1.0
    return image


def test_three_of_eight_shifts_stay_in_a_block_of_two():
    """T15: 3 of 8 for 2 x 2 blocks, wherever the pixel is."""
    for row in (4, 5):
        for column in (4, 5):
            assert shift_invariance(pixel_at(row, column)) == 3 / 8


def test_blocks_of_three_keep_three_five_or_all_shifts():
    """T15 has the 5 of 8 of a pixel at the middle of a side."""

    def pool(X):
        return max_pool(X, 3)

    kept = {(r, c): shift_invariance(pixel_at(r, c), pool) for r in (3, 4, 5) for c in (3, 4, 5)}
    assert kept[3, 3] == 3 / 8
    assert kept[3, 4] == 5 / 8
    assert kept[4, 4] == 1.0


def test_a_function_that_ignores_place_is_invariant(rng):
    images = np.pad(rng.random((5, 6, 6)), ((0, 0), (2, 2), (2, 2)))
    assert shift_invariance(images, lambda X: X.max(axis=(1, 2))) == 1.0
    assert shift_invariance(images, lambda X: X) == 0.0


def test_the_shifts_are_the_eight_neighbours():
    assert len(set(SHIFTS)) == 8
    image = pixel_at(4, 4)
    places = {tuple(int(i[0]) for i in np.nonzero(shifted(image, s)[0])) for s in SHIFTS}
    assert places == {(4 + a, 4 + b) for a, b in SHIFTS}


def test_labels_are_compared_as_they_are():
    assert shift_invariance(pixel_at(4, 4), lambda X: np.array(["a"] * len(X))) == 1.0


def test_what_is_no_array_of_images_is_refused():
    with pytest.raises(ValueError, match=r"images \(n, height, width\)"):
        shift_invariance(np.zeros((4, 4)))


@pytest.mark.parametrize("size", [0, -2, 3, 1.5])
def test_blocks_must_fit_into_the_image(size):
    with pytest.raises(ValueError, match="size must be an integer from 1 to 2, the shorter side"):
        max_pool(np.zeros((2, 4)), size)


def test_what_is_no_image_is_refused():
    with pytest.raises(ValueError, match=r"X must be images .* got shape \(3,\)"):
        max_pool([1, 2, 3])
