r"""Gradients of images: the rate and direction of change of the grey level.

    tap        (I[x + 1] - I[x - 1]) / 2
    sobel      the tap, averaged over three rows with weights 1, 2, 1
    gaussian   the derivative of a Gaussian, at a scale sigma

Each is exact on a ramp, and repeats the border pixels outside the image.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import ParameterError, raised_by
from gramian.base.types import Matrix
from gramian.feature_extraction.image.batches import Method, check_images, derivative_filter


class Gradients(NamedTuple):
    """Derivatives from left to right and from top to bottom, with the shape of the images."""

    across: Matrix
    down: Matrix

    @property
    def magnitude(self) -> Matrix:
        """Lengths of the gradients: an edge map."""
        return np.hypot(self.across, self.down)

    @property
    def angle(self) -> Matrix:
        """Directions of the gradients in radians, in (-pi, pi]; 0 is to the right, pi / 2 down."""
        return np.arctan2(self.down, self.across)


def image_gradients(
    images: npt.ArrayLike, *, method: Method = "tap", sigma: float = 1.0
) -> Gradients:
    """Return the gradients of grey images.

    Parameters
    ----------
    images
        Shape (n, height, width), or (height, width) for one. float32 stays float32.
    method
        "tap", the central difference; "sobel"; or "gaussian", the derivative of a Gaussian.
    sigma
        Standard deviation of the Gaussian, in pixels.

    Examples
    --------
    >>> from gramian.feature_extraction.image import image_gradients
    >>> image_gradients([[0.0, 1.0, 3.0], [0.0, 1.0, 3.0]]).across
    array([[0.5, 1.5, 1. ],
           [0.5, 1.5, 1. ]])
    """
    batch, single = check_images("image_gradients", images)
    across, down = np.empty_like(batch), np.empty_like(batch)
    _native.image_gradients(
        batch, derivative_filter("image_gradients", method, sigma), across, down
    )
    return Gradients(across[0], down[0]) if single else Gradients(across, down)


def oriented_derivative(
    images: npt.ArrayLike, angle: float, *, method: Method = "gaussian", sigma: float = 1.0
) -> Matrix:
    """Return the directional derivative of grey images.

    The derivative of a Gaussian is steerable (Freeman and Adelson 1991): in the direction t it is
    cos(t) times the horizontal plus sin(t) times the vertical derivative.

    Parameters
    ----------
    images
        Shape (n, height, width), or (height, width) for one.
    angle
        The direction in radians; 0 is to the right, pi / 2 down.
    method, sigma
        As for `image_gradients`.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.feature_extraction.image import oriented_derivative
    >>> ramp = np.add.outer(np.arange(9.0), np.zeros(9))
    >>> oriented_derivative(ramp, np.pi / 2, sigma=0.5)[4, 4].round(6)
    np.float64(1.0)
    """
    if not np.isfinite(angle):
        raise ParameterError(f"oriented_derivative: angle must be a number; got {angle!r}.")
    with raised_by("oriented_derivative", "image_gradients"):
        across, down = image_gradients(images, method=method, sigma=sigma)
    cosine, sine = across.dtype.type(np.cos(angle)), across.dtype.type(np.sin(angle))
    return np.asarray(cosine * across + sine * down)
