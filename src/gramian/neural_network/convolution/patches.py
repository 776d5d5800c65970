"""The patches of images that a filter or a block sees, and sums of their gradients.

Images are (n, height, width, channels); a signal is an image of height 1.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Maps: TypeAlias = npt.NDArray[Any]
Pair: TypeAlias = tuple[int, int]
Pads: TypeAlias = tuple[Pair, Pair]  # zeros before and after each side


def as_images(x: Maps) -> Maps:
    """Return signals (n, length, channels) as images of height 1; images are left unchanged.

    Examples
    --------
    >>> as_images(np.zeros((5, 8, 2))).shape
    (5, 1, 8, 2)
    """
    return x[:, None] if x.ndim == 3 else x


def patches_of(x: Maps, size: Pair, stride: Pair, pads: Pads) -> Maps:
    """Return a view (n, rows, columns, channels, height, width) of every patch.

    Examples
    --------
    >>> x = np.arange(4.0).reshape(1, 1, 4, 1)
    >>> patches_of(x, (1, 2), (1, 2), ((0, 0), (0, 0)))[0, 0, :, 0, 0].tolist()
    [[0.0, 1.0], [2.0, 3.0]]
    """
    windows = sliding_window_view(_padded(x, pads), size, axis=(1, 2))
    return windows[:, :: stride[0], :: stride[1]]


def sum_patches(slopes: Maps, shape: tuple[int, ...], stride: Pair, pads: Pads) -> Maps:
    """Return the gradient with respect to images, given the gradient with respect to their patches.

    Examples
    --------
    >>> slopes = np.ones((1, 1, 3, 1, 1, 2))
    >>> sum_patches(slopes, (1, 1, 4, 1), (1, 1), ((0, 0), (0, 0))).ravel().tolist()
    [1.0, 2.0, 2.0, 1.0]
    """
    size = slopes.shape[4], slopes.shape[5]
    parts = (slopes[..., i, j] for i in range(size[0]) for j in range(size[1]))
    return sum_parts(parts, shape, size, slopes.shape[1:3], stride, pads)


def sum_parts(
    parts: Iterable[Maps], shape: tuple[int, ...], size: Pair, places: Any, stride: Pair, pads: Pads
) -> Maps:
    """Do the same from one gradient for each position within the patches, in order.

    Examples
    --------
    >>> parts = [np.ones((1, 1, 3, 1))] * 2
    >>> sum_parts(parts, (1, 1, 4, 1), (1, 2), (1, 3), (1, 1), ((0, 0), (0, 0))).ravel().tolist()
    [1.0, 2.0, 2.0, 1.0]
    """
    (top, bottom), (left, right) = pads
    n, height, width, channels = shape
    found: Maps | None = None
    for k, part in enumerate(parts):
        if found is None:
            sides = height + top + bottom, width + left + right
            found = np.zeros((n, *sides, channels), part.dtype)
            views = list(shifted(found, size, stride, places))
        views[k] += part
    assert found is not None, "a patch has positions"
    return found[:, top : top + height, left : left + width]


def shifted(x: Maps, size: Pair, stride: Pair, places: Pair) -> Iterator[Maps]:
    """Yield a view of x for each position within a patch: the entries there, in all patches."""
    for i in range(size[0]):
        for j in range(size[1]):
            yield x[
                :,
                i : i + (places[0] - 1) * stride[0] + 1 : stride[0],
                j : j + (places[1] - 1) * stride[1] + 1 : stride[1],
            ]


def _padded(x: Maps, pads: Pads) -> Maps:
    (top, bottom), (left, right) = pads
    if not (top or bottom or left or right):
        return x
    n, height, width, channels = x.shape
    found = np.zeros((n, height + top + bottom, width + left + right, channels), x.dtype)
    found[:, top : top + height, left : left + width] = x
    return found
