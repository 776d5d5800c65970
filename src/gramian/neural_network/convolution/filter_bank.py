"""Filters designed by hand, as a layer that is not trained: edges, corners, waves, derivatives."""

from dataclasses import dataclass
from itertools import product
from math import prod
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.neural_network.convolution.layer_checks import check_choice
from gramian.neural_network.convolution.layers import ActivationName, Layer, Shape

if TYPE_CHECKING:
    from gramian.base.types import Floats


@dataclass(frozen=True)
class FilterBank(Layer):
    """Convolution with given filters, which training does not change, over every channel.

    Parameters
    ----------
    filters
        "edges": Sobel's horizontal and vertical derivatives and the two diagonal ones; "corners":
        four corner detectors and the Laplacian; "gabor": waves under a Gaussian in four directions,
        even and odd (`gabor_filters`); "derivatives": first and second differences of signals; or
        filters of shape (number, height, width), or (number, length) of signals.
    activation
        "relu", "tanh", "sigmoid" or "identity".

    Examples
    --------
    >>> from gramian.neural_network import FilterBank
    >>> FilterBank("edges").output_shape((8, 8, 1))
    (8, 8, 4)
    >>> FilterBank("gabor").output_shape((8, 8, 1))
    (8, 8, 8)
    """

    record_name: ClassVar[str] = "filter_bank"

    filters: Any = "edges"
    activation: ActivationName = "identity"
    on_maps: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the values, and keep given filters as tuples, which compare and can be stored."""
        check_choice(self, "activation", ActivationName)
        if isinstance(self.filters, str):
            if self.filters not in BANKS:
                raise ParameterError(
                    f"FilterBank: filters must be one of {sorted(BANKS)} or an array; got "
                    f"{self.filters!r}."
                )
            return
        bank = np.asarray(self.filters, dtype=np.float64)
        if bank.ndim not in (2, 3) or not bank.size or not np.isfinite(bank).all():
            raise ParameterError(
                "FilterBank: filters must be finite numbers of shape (number, height, width) or "
                f"(number, length); got shape {bank.shape}."
            )
        object.__setattr__(self, "filters", _nested(bank))

    @property
    def bank(self) -> npt.NDArray[np.float64]:
        """The filters as an array (number, height, width) or (number, length)."""
        filters = BANKS[self.filters] if isinstance(self.filters, str) else self.filters
        return np.array(filters, dtype=np.float64)

    def output_shape(self, shape: Shape) -> Shape:
        """Return the shape of the output: the same sides, a channel for each filter and channel."""
        bank = self.bank
        if bank.ndim != len(shape):
            kinds = {2: "signals", 3: "images"}
            raise ParameterError(
                f"FilterBank: the filters are for {kinds[bank.ndim]}, but the input has the shape "
                f"{shape}; pass filters with as many dimensions as the input."
            )
        return (*shape[:-1], len(bank) * shape[-1])

    def connections(self, shape: Shape) -> int:
        """Return the number of products for one row."""
        return prod(self.output_shape(shape)) * prod(self.bank.shape[1:])

    def window(self, sides: int) -> tuple[Shape, Shape]:
        """Return width and stride along each side."""
        return self.bank.shape[1:], (1,) * sides


def _nested(bank: npt.NDArray[np.float64]) -> Any:
    return tuple(_nested(part) if part.ndim else float(part) for part in bank)


def gabor_filters(
    orientations: int = 4,
    *,
    wavelength: float = 4.0,
    sigma: float = 2.0,
    aspect: float = 0.5,
    size: int = 7,
) -> npt.NDArray[np.float64]:
    """Return Gabor filters: plane waves under a Gaussian, which find stripes of a direction.

    With u the distance along the direction of the wave and v that across it,

        exp(-(u^2 + aspect^2 v^2) / (2 sigma^2)) (cos(2 pi u / wavelength) - c)    even,
        exp(-(u^2 + aspect^2 v^2) / (2 sigma^2)) sin(2 pi u / wavelength)          odd,

    where c makes the sum 0, so that a constant image gives 0. Every filter has norm 1. The squares
    of an even and an odd filter add up to an energy that does not depend on where the stripes are.
    Reference: Daugman, Journal of the Optical Society of America A 2, 1985.

    Parameters
    ----------
    orientations
        Number of directions, evenly from 0 (stripes that change from left to right) up to 180
        degrees; each has an even and an odd filter.
    wavelength
        Distance of two stripes, in pixels, at least 2.
    sigma
        Deviation of the Gaussian, in pixels.
    aspect
        Width of the Gaussian along the wave over its length along the stripes.
    size
        Height and width, odd.

    Returns
    -------
    bank : array of shape (2 orientations, size, size)
        Even and odd filters of the first direction, of the second, ...

    Examples
    --------
    >>> from gramian.neural_network import FilterBank, gabor_filters
    >>> bank = gabor_filters(6, wavelength=5.0, size=9)
    >>> FilterBank(bank).output_shape((28, 28, 1))
    (28, 28, 12)
    """
    for name, number in (("orientations", orientations), ("size", size)):
        if not isinstance(number, Integral) or isinstance(number, bool) or number < 1:
            raise ParameterError(f"gabor_filters: {name} must be an integer >= 1; got {number!r}.")
    if size < 3 or size % 2 == 0:
        raise ParameterError(f"gabor_filters: size must be odd and at least 3; got {size!r}.")
    limits = (("wavelength", wavelength, 2.0), ("sigma", sigma, 0.0), ("aspect", aspect, 0.0))
    for name, value, least in limits:
        if not (isinstance(value, Real) and np.isfinite(value) and value > 0 and value >= least):
            bound = f">= {least:g}" if least else "> 0"
            raise ParameterError(
                f"gabor_filters: {name} must be a finite number {bound}; got {value!r}."
            )
    y, x = np.mgrid[:size, :size] - size // 2
    bank = []
    for angle in np.pi * np.arange(orientations) / orientations:
        u: Floats = x * np.cos(angle) + y * np.sin(angle)
        v: Floats = y * np.cos(angle) - x * np.sin(angle)
        window: Floats = np.exp(-(u**2 + (aspect * v) ** 2) / (2 * sigma**2))
        phase = 2 * np.pi * u / wavelength
        even: Floats = window * (np.cos(phase) - (window * np.cos(phase)).sum() / window.sum())
        bank += [even, window * np.sin(phase)]
    return np.array([f / np.linalg.norm(f) for f in bank])


_SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]) / 8
_DIAGONAL = np.array([[-2, -1, 0], [-1, 0, 1], [0, 1, 2]]) / 8
_CORNER = np.array([[-4, -4, -4], [-4, 5, 5], [-4, 5, 5]]) / 20  # light to the lower right

BANKS: dict[str, Any] = {
    "edges": [_SOBEL, _SOBEL.T, _DIAGONAL, _DIAGONAL[:, ::-1]],
    "corners": [
        *(_CORNER[::a, ::b] for a, b in product((1, -1), repeat=2)),
        np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]]) / 4,
    ],
    "gabor": gabor_filters(),
    "derivatives": np.array([[-1, 0, 1], [1, -2, 1]]) / 2,
}
