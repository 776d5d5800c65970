"""Invariance of pooling to small shifts."""

from collections.abc import Callable
from itertools import product
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError

SHIFTS = tuple((a, b) for a, b in product((-1, 0, 1), repeat=2) if (a, b) != (0, 0))


def max_pool(X: npt.ArrayLike, size: int = 2) -> npt.NDArray[Any]:
    """Return the maxima over blocks of size x size of each image; a remainder is dropped.

    Parameters
    ----------
    X
        Images, shape (n, height, width), or one of shape (height, width).
    size
        Side of a block.

    Examples
    --------
    >>> from gramian.textbook.networks import max_pool
    >>> max_pool([[1, 2, 0, 0], [3, 4, 0, 9]]).tolist()
    [[4, 9]]
    """
    images = np.asarray(X)
    if images.ndim not in (2, 3):
        raise DataError(
            "max_pool: X must be images (n, height, width), or one (height, width); got shape "
            f"{images.shape}."
        )
    if not isinstance(size, Integral) or not 1 <= size <= min(images.shape[-2:]):
        raise ParameterError(
            f"max_pool: size must be an integer from 1 to {min(images.shape[-2:])}, the shorter "
            f"side; got {size!r}."
        )
    rows, columns = images.shape[-2] // size, images.shape[-1] // size
    cut = images[..., : rows * size, : columns * size]
    blocks = cut.reshape(*images.shape[:-2], rows, size, columns, size)
    return np.asarray(blocks.max(axis=(-3, -1)))


def shift_invariance(
    X: npt.ArrayLike,
    function: Callable[[Any], npt.ArrayLike] = max_pool,
    *,
    tol: float = 0.0,
) -> float:
    """Return the fraction of the 8 one-pixel shifts that leave the output of a function unchanged.

    Shifted images are padded with zeros. A single bright pixel in the corner of a 2 x 2 block stays
    in it for 3 of the 8 shifts, so the maximum does not change; for a 3 x 3 block it is 5 for a
    pixel next to a corner, and all 8 for the middle pixel.

    Parameters
    ----------
    X
        Images, shape (n, height, width).
    function
        Function from images to one output each: `max_pool`, a model's ``predict`` or a layer of its
        ``feature_maps``.
    tol
        Largest difference that counts as unchanged.

    Returns
    -------
    fraction : float
        Mean over images and shifts.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.textbook.networks import shift_invariance
    >>> image = np.zeros((1, 8, 8))
    >>> image[0, 4, 4] = 1.0
    >>> shift_invariance(image)
    0.375
    """
    images = np.asarray(X)
    if images.ndim != 3 or not len(images):
        raise DataError(
            f"shift_invariance: X must be images (n, height, width); got shape {images.shape}."
        )
    before = _outputs(function, images)
    same = [_unchanged(before, _outputs(function, shifted(images, s)), tol) for s in SHIFTS]
    return float(np.mean(same))


def shifted(images: npt.NDArray[Any], shift: tuple[int, int]) -> npt.NDArray[Any]:
    """Return images shifted down and right by at most one pixel, padded with zeros.

    Examples
    --------
    >>> shifted(np.array([[[1, 2], [3, 4]]]), (0, 1)).tolist()
    [[[0, 1], [0, 3]]]
    """
    down, right = shift
    _, height, width = images.shape
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    return np.asarray(padded[:, 1 - down : 1 - down + height, 1 - right : 1 - right + width])


def _outputs(function: Callable[[Any], npt.ArrayLike], images: npt.NDArray[Any]) -> Any:
    return np.asarray(function(images)).reshape(len(images), -1)


def _unchanged(before: Any, after: Any, tol: float) -> Any:
    if before.dtype.kind not in "fiub":
        return (before == after).all(axis=1)
    return (np.abs(before.astype(np.float64) - after) <= tol).all(axis=1)
