"""Checks of image batches, and derivative filters."""

from typing import Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_finite, is_float32
from gramian.base.types import Floats, Matrix

Method = Literal["tap", "sobel", "gaussian"]

_MAX_VALUE = 1e150  # squares of larger gradients overflow


def check_images(owner: str, images: npt.ArrayLike) -> tuple[Matrix, bool]:
    """Return grey images as an array (n, height, width), and whether there was a single image.

    float32 stays float32; other types become float64.
    """
    dtype = np.float32 if is_float32(images) else np.float64
    try:
        batch = np.asarray(images)
        if batch.dtype.kind not in "fiub":
            raise ValueError
    except ValueError:
        raise DataError(
            f"{owner}: images must be numeric arrays of equal height and width; scale or pad "
            "them first."
        ) from None
    if batch.ndim not in (2, 3) or batch.size == 0:
        raise DataError(
            f"{owner}: images must have shape (n, height, width), or (height, width) for one; got "
            f"{batch.shape}. Convert colours to grey, and reshape flattened images."
        )
    single = batch.ndim == 2
    batch = np.ascontiguousarray(batch[None] if single else batch, dtype=dtype)
    check_finite(owner, "images", batch.reshape(len(batch), -1))
    if dtype == np.float64 and max(batch.max(), -batch.min()) > _MAX_VALUE:
        raise DataError(
            f"{owner}: images must contain values up to {_MAX_VALUE:g}; divide them by a constant."
        )
    return batch, single


def derivative_filter(owner: str, method: Method, sigma: float) -> Floats:
    """Return the derivative kernel and the smoothing kernel, as the rows of an array."""
    if method == "tap":
        return np.array([[-0.5, 0.0, 0.5], [0.0, 1.0, 0.0]])
    if method == "sobel":
        return np.array([[-0.5, 0.0, 0.5], [0.25, 0.5, 0.25]])
    if method != "gaussian":
        raise ParameterError(
            f"{owner}: method must be one of 'tap', 'sobel', 'gaussian'; got {method!r}."
        )
    if not (np.isfinite(sigma) and 0 < sigma <= 1000):
        raise ParameterError(f"{owner}: sigma must be a number in (0, 1000]; got {sigma!r}.")
    radius = max(1, int(np.ceil(4 * sigma)))
    x = np.arange(-radius, radius + 1.0)
    smoothing = np.exp(-0.5 * (x / sigma) ** 2)
    smoothing /= smoothing.sum()
    derivative = x * smoothing
    return np.stack([derivative / (x * derivative).sum(), smoothing])  # exact on a ramp
