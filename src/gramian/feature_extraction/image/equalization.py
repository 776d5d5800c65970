"""Histogram equalisation."""

from numbers import Integral

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.types import Matrix
from gramian.feature_extraction.image.batches import check_images


def equalize_histogram(images: npt.ArrayLike, *, n_levels: int = 256) -> Matrix:
    r"""Spread the grey levels of each image evenly over [0, 1].

    With F(v) the proportion of pixels at most as bright as v, and :math:`F_0` that of the darkest
    level, a pixel becomes :math:`(F(v) - F_0) / (1 - F_0)`. The result does not change under
    increasing transformations of the brightness. An image with one grey level becomes 0.

    Parameters
    ----------
    images
        Shape (n, height, width), or (height, width) for one. float32 stays float32.
    n_levels
        Number of grey levels: bins of equal width between the darkest and the brightest pixel of an
        image.

    Examples
    --------
    >>> from gramian.feature_extraction.image import equalize_histogram
    >>> equalize_histogram([[0, 1], [2, 100]])
    array([[0.        , 0.33333333],
           [0.66666667, 1.        ]])
    """
    owner = "equalize_histogram"
    batch, single = check_images(owner, images)
    if (
        not isinstance(n_levels, Integral)
        or isinstance(n_levels, bool)
        or not (2 <= n_levels <= 2**24)
    ):
        raise ParameterError(
            f"{owner}: n_levels must be an integer between 2 and 2^24; got {n_levels!r}."
        )
    out = np.empty_like(batch)
    _native.equalize_images(batch, int(n_levels), out)
    return out[0] if single else out
