"""Image and signal arrays as the rows of a table, and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from numbers import Integral
from typing import Any

import numpy as np

from gramian.base.errors import DataError
from gramian.base.types import Table
from gramian.neural_network.convolution.layers import Shape


@dataclass(frozen=True)
class IsInputShape:
    """The check of the parameter `input_shape`."""

    def accepts(self, value: object) -> bool:
        """Return whether the value consists of two or three positive integers."""
        if not isinstance(value, list | tuple) or len(value) not in (2, 3):
            return False
        return all(
            isinstance(v, Integral) and not isinstance(v, bool) and int(v) >= 1 for v in value
        )

    def __str__(self) -> str:
        return "a tuple (height, width, channels) or (length, channels)"


def as_rows(owner: str, X: Table, shape: Sequence[int] | None) -> tuple[Any, Shape | None]:
    """Return X as a table, and the shape of its images where X is an array of images.

    An array (n, height, width, channels) has images, (n, height, width) grey images or, where that
    is the given shape, signals; anything else is left to the gate. Bytes become float32, which
    holds them exactly and takes half the time of float64.

    Examples
    --------
    >>> rows, shape = as_rows("ConvClassifier", np.zeros((5, 8, 8)), None)
    >>> rows.shape, shape
    ((5, 64), (8, 8, 1))
    """
    expected = None if shape is None else tuple(int(side) for side in shape)
    rank = getattr(X, "ndim", 2)
    if isinstance(X, np.ndarray) and X.dtype == np.uint8:
        X = X.astype(np.float32)
    if not isinstance(X, np.ndarray) or rank == 2:
        return X, None
    found = X.shape[1:]
    if rank == 3 and found != expected:
        found = (*found, 1)
    if rank not in (3, 4):
        raise DataError(
            f"{owner}: X must be a table (n, features), images (n, height, width) or (n, height, "
            f"width, channels); got an array of {rank} dimensions, shape {X.shape}. Reshape your "
            "data."
        )
    if expected is not None and found != expected:
        raise DataError(
            f"{owner}: X has images of shape {found}, where {expected} is expected; resize them or "
            "change input_shape."
        )
    return X.reshape(len(X), prod(found)), found


def shape_of_rows(owner: str, features: int, shape: Sequence[int] | None) -> Shape:
    """Return the shape that rows have: the given one, or signals of one channel."""
    if shape is None:
        return (features, 1)
    if prod(shape) != features:
        raise DataError(
            f"{owner}: input_shape={tuple(shape)} means {prod(shape)} features, but X has "
            f"{features}; pass the shape of the images, channels last."
        )
    return tuple(int(side) for side in shape)
