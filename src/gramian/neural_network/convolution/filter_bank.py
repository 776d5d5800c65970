"""Filters designed by hand, as a layer that is not trained: edges, corners, derivatives."""

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.neural_network.convolution.layer_checks import check_choice
from gramian.neural_network.convolution.layers import ActivationName, Layer, Shape


@dataclass(frozen=True)
class FilterBank(Layer):
    """Convolution with given filters, which training does not change, over every channel.

    Parameters
    ----------
    filters
        "edges": Sobel's horizontal and vertical derivatives and the two diagonal ones; "corners":
        four corner detectors and the Laplacian; "derivatives": first and second differences of
        signals; or filters of shape (number, height, width), or (number, length) of signals.
    activation
        "relu", "tanh", "sigmoid" or "identity".

    Examples
    --------
    >>> from gramian.neural_network import FilterBank
    >>> FilterBank("edges").output_shape((8, 8, 1))
    (8, 8, 4)
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
        given = BANKS[self.filters] if isinstance(self.filters, str) else self.filters
        return np.array(given, dtype=np.float64)

    def output_shape(self, shape: Shape) -> Shape:
        """Return the shape of the output: the same sides, a channel for each filter and channel."""
        bank = self.bank
        if bank.ndim != len(shape):
            kinds = {2: "signals", 3: "images"}
            raise ParameterError(
                f"FilterBank: the filters are of {kinds[bank.ndim]}, but the input has the shape "
                f"{shape}; give filters of its dimensions."
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


_SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]) / 8
_DIAGONAL = np.array([[-2, -1, 0], [-1, 0, 1], [0, 1, 2]]) / 8
_CORNER = np.array([[-4, -4, -4], [-4, 5, 5], [-4, 5, 5]]) / 20  # light to the lower right

BANKS: dict[str, Any] = {
    "edges": [_SOBEL, _SOBEL.T, _DIAGONAL, _DIAGONAL[:, ::-1]],
    "corners": [
        *(_CORNER[::a, ::b] for a, b in product((1, -1), repeat=2)),
        np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]]) / 4,
    ],
    "derivatives": np.array([[-1, 0, 1], [1, -2, 1]]) / 2,
}
