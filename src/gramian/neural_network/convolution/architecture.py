"""Properties of a network before training: shapes, parameter counts, receptive fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from gramian.base.errors import ParameterError
from gramian.neural_network.convolution.filter_bank import FilterBank
from gramian.neural_network.convolution.layers import (
    BatchNorm,
    Conv,
    Dense,
    Dropout,
    Layer,
    LocallyConnected,
    Pool,
    Shape,
)

LAYERS = (BatchNorm, Conv, Dense, Dropout, FilterBank, LocallyConnected, Pool)


@dataclass(frozen=True)
class LayerSummary:
    """One line of `summarize_layers`.

    Attributes
    ----------
    name
        The kind of layer.
    output_shape
        Sides and channels, or units.
    parameters
        Number of learned parameters.
    connections
        Products of a weight and an input for one row.
    """

    name: str
    output_shape: Shape
    parameters: int
    connections: int


@dataclass(frozen=True)
class IsLayers:
    """Constraint on the parameter `layers`: a list or tuple of layers."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is a list or tuple of layers."""
        return isinstance(value, list | tuple) and all(isinstance(v, LAYERS) for v in value)

    def __str__(self) -> str:
        return "a list of Conv, LocallyConnected, FilterBank, Pool, BatchNorm, Dropout and Dense"


def shapes_of(layers: Sequence[Layer], input_shape: Sequence[int]) -> list[Shape]:
    """Return the input shape of each layer, then the output shape.

    Examples
    --------
    >>> shapes_of([Conv(6, 5), Pool(2), Dense(10)], (32, 32, 1))
    [(32, 32, 1), (28, 28, 6), (14, 14, 6), (10,)]
    """
    shapes = [tuple(int(side) for side in input_shape)]
    for number, layer in enumerate(layers):
        if layer.on_maps and len(shapes[-1]) == 1:
            raise ParameterError(
                f"layers: layer {number}, a {type(layer).__name__}, needs an image or a signal, "
                "but a Dense comes before it; put it first."
            )
        shapes.append(layer.output_shape(shapes[-1]))
    return shapes


def summarize_layers(layers: Sequence[Layer], input_shape: Sequence[int]) -> list[LayerSummary]:
    """Return shape, parameters and connections of each layer.

    Parameters
    ----------
    layers
        The layers in order.
    input_shape
        ``(height, width, channels)`` of images, ``(length, channels)`` of signals.

    Returns
    -------
    list of LayerSummary

    Examples
    --------
    >>> from gramian.neural_network import Conv, Pool, summarize_layers
    >>> for line in summarize_layers([Conv(6, 5), Pool(2)], (32, 32, 1)):
    ...     print(line.name, line.output_shape, line.parameters, line.connections)
    Conv (28, 28, 6) 156 117600
    Pool (14, 14, 6) 0 0
    """
    shapes = shapes_of(layers, input_shape)
    return [
        LayerSummary(
            type(layer).__name__,
            after,
            sum(prod(shape) for shape in layer.parameter_shapes(before).values()),
            layer.connections(before),
        )
        for layer, before, after in zip(layers, shapes, shapes[1:], strict=False)
    ]


def count_parameters(layers: Sequence[Layer], input_shape: Sequence[int]) -> int:
    """Return the number of learned parameters.

    A convolution has filters (k k c + 1) parameters; a dense layer has one for each pair of input
    and output, and one bias for each output.

    Parameters
    ----------
    layers
        The layers in order.
    input_shape
        ``(height, width, channels)`` of images, ``(length, channels)`` of signals.

    Examples
    --------
    >>> from gramian.neural_network import Conv, Dense, count_parameters
    >>> count_parameters([Conv(6, 5)], (200, 200, 1)), count_parameters([Dense(6)], (200, 200, 1))
    (156, 240006)
    """
    return sum(line.parameters for line in summarize_layers(layers, input_shape))


def receptive_field(layers: Sequence[Layer], sides: int = 1) -> Any:
    """Return the size of the receptive field of the last layer along each side.

    A layer of width k adds k - 1 times the product of the strides before it.

    Parameters
    ----------
    layers
        Layers in order, up to the first dense layer, whose units see the whole input.
    sides
        1 for signals, 2 for images.

    Returns
    -------
    int or tuple of int
        One number, or a tuple with one for each side if they differ.

    Examples
    --------
    >>> from gramian.neural_network import Conv, Pool, receptive_field
    >>> receptive_field([Conv(1, 3)]), receptive_field([Conv(1, 3), Conv(1, 3)])
    (3, 5)
    >>> receptive_field([Conv(6, 5), Pool(2), Conv(16, 5), Pool(2)], sides=2)
    16
    """
    seen, step = [1] * sides, [1] * sides
    for layer in layers:
        if isinstance(layer, Dense):
            break
        sizes, strides = layer.window(sides)
        for axis in range(sides):
            seen[axis] += (sizes[axis] - 1) * step[axis]
            step[axis] *= strides[axis]
    return seen[0] if len(set(seen)) == 1 else tuple(seen)


def default_layers(input_shape: Shape) -> tuple[Layer, ...]:
    """Return 8 and 16 filters of width 3, pooled by 2 where a side is long enough, and 64 units."""
    layers: list[Layer] = []
    shape = input_shape
    for filters in (8, 16):
        layers.append(Conv(filters, 3, padding="same"))
        shape = layers[-1].output_shape(shape)
        if min(shape[:-1]) >= 4:
            layers.append(Pool(2))
            shape = layers[-1].output_shape(shape)
    return (*layers, Dense(64))
