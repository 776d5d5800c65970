"""Histograms of oriented gradients."""

from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Matrix
from gramian.feature_extraction.image.batches import Method, check_images, derivative_filter


def orientation_histograms(
    images: npt.ArrayLike,
    *,
    n_bins: int = 12,
    cell: int | tuple[int, int] = 8,
    block: int | tuple[int, int] | None = None,
    signed: bool = False,
    interpolate: bool = True,
    method: Method = "tap",
    sigma: float = 1.0,
    epsilon: float = 1e-5,
) -> Matrix:
    """Describe grey images by histograms of oriented gradients.

    An image is divided into cells. In each cell every pixel votes for the direction of its
    gradient, weighted by the length of the gradient; a feature is the mean vote for a bin of
    directions. With `block`, the features of neighbouring cells are scaled together to length 1,
    which removes the contrast (Dalal and Triggs 2005). Pixels beyond the last whole cell are
    ignored.

    Parameters
    ----------
    images
        Shape (n, height, width), or (height, width) for one. float32 stays float32.
    n_bins
        Number of bins of directions in each cell.
    cell
        Height and width of a cell in pixels.
    block
        Rows and columns of cells in a block; blocks overlap, one begins at each cell. None means no
        blocks.
    signed
        Whether opposite directions differ: bins then divide 360 degrees, otherwise 180.
    interpolate
        Whether to split a vote between the two nearest bins, in proportion.
    method, sigma
        The filter, as for `image_gradients`.
    epsilon
        Its square is added to the squared length of a block, which suppresses noise in flat blocks.

    Returns
    -------
    features
        Shape (n, cells * n_bins), or (n, blocks * cells of a block * n_bins); without n for one
        image.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.feature_extraction.image import orientation_histograms
    >>> stripes = np.tile([0.0, 1.0, 2.0, 3.0], (4, 1))
    >>> orientation_histograms(stripes, n_bins=4, cell=4, interpolate=False)
    array([0.75, 0.  , 0.  , 0.  ])
    """
    owner = "orientation_histograms"
    batch, single = check_images(owner, images)
    bins = _check_count(owner, "n_bins", n_bins)
    height, width = _check_pair(owner, "cell", cell)
    if height > batch.shape[1] or width > batch.shape[2]:
        raise DataError(
            f"{owner}: cell must fit into the images of {batch.shape[1]} x {batch.shape[2]} "
            f"pixels; got {height} x {width}."
        )
    down, across = batch.shape[1] // height, batch.shape[2] // width
    rows, columns = (0, 0) if block is None else _check_pair(owner, "block", block)
    if rows > down or columns > across:
        raise DataError(
            f"{owner}: block must fit into {down} x {across} cells; got {rows} x {columns}. Use "
            "smaller cells."
        )
    if not (np.isfinite(epsilon) and epsilon >= 0):
        raise ParameterError(f"{owner}: epsilon must be a number >= 0; got {epsilon!r}.")
    features = down * across * bins
    if block is not None:
        features = (down - rows + 1) * (across - columns + 1) * rows * columns * bins
    out = np.empty((len(batch), features), dtype=batch.dtype)
    _native.orientation_histograms(
        batch,
        derivative_filter(owner, method, sigma),
        (height, width, bins),
        (bool(signed), bool(interpolate)),
        (rows, columns, float(epsilon)),
        out,
    )
    return out[0] if single else out


def _check_pair(owner: str, name: str, value: Any) -> tuple[int, int]:
    """Return a height and a width from one integer or two."""
    both = value if isinstance(value, tuple | list) else (value, value)
    if len(both) != 2:
        raise ParameterError(f"{owner}: {name} must be one integer or two; got {value!r}.")
    return _check_count(owner, name, both[0]), _check_count(owner, name, both[1])


def _check_count(owner: str, name: str, value: Any) -> int:
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_integer or not 1 <= int(value) <= 2**20:
        raise ParameterError(f"{owner}: {name} must be an integer >= 1; got {value!r}.")
    return int(value)
