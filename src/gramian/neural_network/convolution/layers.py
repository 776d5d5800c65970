"""The layers of a convolutional network, as immutable values, and their output shapes.

A shape has the channels last: ``(height, width, channels)`` of images, ``(length, channels)`` of
signals, ``(units,)`` after a dense layer. A convolution of width k and stride s turns a side of
length m into ``(m - k) // s + 1`` for padding "valid" and ``ceil(m / s)`` for "same".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import ClassVar, Literal, TypeAlias

from gramian.base.errors import ParameterError
from gramian.neural_network.convolution.layer_checks import (
    check_choice,
    check_counts,
    check_real,
)

Shape: TypeAlias = tuple[int, ...]
Shapes: TypeAlias = dict[str, Shape]  # of named parameters
Size: TypeAlias = int | tuple[int, ...]
ActivationName: TypeAlias = Literal["identity", "relu", "sigmoid", "tanh"]
Padding: TypeAlias = Literal["valid", "same"]
PoolKind: TypeAlias = Literal["max", "average"]


class Layer:
    """The base class of layers: output shape and parameter shapes."""

    on_maps: ClassVar[bool] = False  # needs the positions of an image or a signal

    def output_shape(self, shape: Shape) -> Shape:
        """Return the shape of the output for an input of this shape."""
        return shape

    def parameter_shapes(self, shape: Shape) -> Shapes:
        """Return the shapes of the learned parameters, filters by output, input and position."""
        return {}

    def connections(self, shape: Shape) -> int:
        """Return the number of products of a weight and an input, for one row."""
        return 0

    def window(self, sides: int) -> tuple[Shape, Shape]:
        """Return the width and stride, along each side, of the input window of an output."""
        return (1,) * sides, (1,) * sides


@dataclass(frozen=True)
class Conv(Layer):
    """Convolution: the same filters at every position.

    h_k = a((W_k * x) + b_k), with the bias inside the activation a; the sum is a correlation, as
    in all deep-learning libraries. The gradient of a shared weight is the sum over its positions.

    Parameters
    ----------
    filters
        Number of filters, that is, of channels of the output.
    size
        Width of the filters: a number, or one for each side.
    stride
        Step between two positions.
    padding
        "valid": only positions where the filter lies inside; "same": zeros around the input, so
        that a stride of 1 keeps its sides.
    activation
        "relu", "tanh", "sigmoid" or "identity".

    Examples
    --------
    >>> from gramian.neural_network import Conv
    >>> Conv(6, 5).output_shape((32, 32, 1))
    (28, 28, 6)
    >>> Conv(6, 5, padding="same", stride=2).output_shape((32, 32, 1))
    (16, 16, 6)
    """

    record_name: ClassVar[str] = "conv_layer"

    filters: int
    size: Size = 3
    stride: Size = 1
    padding: Padding = "valid"
    activation: ActivationName = "relu"
    on_maps: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the values."""
        check_counts(self, "filters", "size", "stride")
        check_choice(self, "padding", Padding)
        check_choice(self, "activation", ActivationName)

    def output_shape(self, shape: Shape) -> Shape:
        """Return the shape of the output for an input of this shape."""
        sizes, strides = self.window(len(shape) - 1)
        return (*_sides(self, shape, sizes, strides, self.padding), self.filters)

    def parameter_shapes(self, shape: Shape) -> Shapes:
        """Return the shapes of the filters and their biases."""
        sizes, _ = self.window(len(shape) - 1)
        return {"weight": (self.filters, shape[-1], *sizes), "bias": (self.filters,)}

    def connections(self, shape: Shape) -> int:
        """Return the number of products for one row; those with zeros around it count."""
        weight = self.parameter_shapes(shape)["weight"]
        return prod(self.output_shape(shape)[:-1]) * prod(weight)

    def window(self, sides: int) -> tuple[Shape, Shape]:
        """Return width and stride along each side."""
        return _each(self, "size", self.size, sides), _each(self, "stride", self.stride, sides)


@dataclass(frozen=True)
class LocallyConnected(Conv):
    """Local filters that are not shared: every position has its own.

    Parameters
    ----------
    filters
        Number of filters at each position.
    size
        Width of the filters: a number, or one for each side.
    stride
        Step between two positions.
    padding
        "valid" or "same", as of `Conv`.
    activation
        "relu", "tanh", "sigmoid" or "identity".

    Examples
    --------
    >>> from gramian.neural_network import Conv, LocallyConnected, count_parameters
    >>> [count_parameters([layer], (28, 28, 1)) for layer in (Conv(6, 5), LocallyConnected(6, 5))]
    [156, 89856]
    """

    record_name: ClassVar[str] = "locally_connected_layer"

    def parameter_shapes(self, shape: Shape) -> Shapes:
        """Return the shapes of the filters, by position, and of their biases."""
        sizes, _ = self.window(len(shape) - 1)
        places = prod(self.output_shape(shape)[:-1])
        return {
            "weight": (places, shape[-1] * prod(sizes), self.filters),
            "bias": (places, self.filters),
        }

    def connections(self, shape: Shape) -> int:
        """Return the number of products for one row: one for each weight."""
        return prod(self.parameter_shapes(shape)["weight"])


@dataclass(frozen=True)
class Pool(Layer):
    """Maximum or mean over blocks, of each channel separately; it has no weights.

    Parameters
    ----------
    size
        Width of the blocks: a number, or one for each side.
    kind
        "max" or "average".
    stride
        Step between two blocks; None: blocks do not overlap.

    Examples
    --------
    >>> from gramian.neural_network import Pool
    >>> Pool(2).output_shape((28, 28, 6))
    (14, 14, 6)
    """

    record_name: ClassVar[str] = "pool_layer"

    size: Size = 2
    kind: PoolKind = "max"
    stride: Size | None = None
    on_maps: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the values."""
        check_counts(self, "size", *(() if self.stride is None else ("stride",)))
        check_choice(self, "kind", PoolKind)

    def output_shape(self, shape: Shape) -> Shape:
        """Return the shape of the output; a remainder narrower than a block is dropped."""
        sizes, strides = self.window(len(shape) - 1)
        return (*_sides(self, shape, sizes, strides, "valid"), shape[-1])

    def window(self, sides: int) -> tuple[Shape, Shape]:
        """Return width and stride along each side."""
        sizes = _each(self, "size", self.size, sides)
        return sizes, sizes if self.stride is None else _each(self, "stride", self.stride, sides)


@dataclass(frozen=True)
class BatchNorm(Layer):
    """Batch normalisation: (x - mean) / sqrt(variance + epsilon) gamma + beta of each channel.

    In training the moments are those of the batch and its positions; predictions use running
    averages, so that an answer does not depend on the other rows.

    Parameters
    ----------
    momentum
        Weight of a new batch in the running averages.
    epsilon
        Added to the variance.
    """

    record_name: ClassVar[str] = "batch_norm_layer"

    momentum: float = 0.1
    epsilon: float = 1e-5

    def __post_init__(self) -> None:
        """Check the values."""
        check_real(self, "momentum", "a number in (0, 1]", lambda v: 0 < v <= 1)
        check_real(self, "epsilon", "a number > 0", lambda v: 0 < v < inf)

    def parameter_shapes(self, shape: Shape) -> Shapes:
        """Return the shapes of gamma and beta, here named weight and bias."""
        return {"weight": (shape[-1],), "bias": (shape[-1],)}


@dataclass(frozen=True)
class Dropout(Layer):
    """In training each input is zero with probability `rate`, and the others are scaled up.

    Parameters
    ----------
    rate
        Probability of zero; the others are divided by 1 - rate, so that predictions need no factor.
    """

    record_name: ClassVar[str] = "dropout_layer"

    rate: float = 0.5

    def __post_init__(self) -> None:
        """Check the rate."""
        check_real(self, "rate", "a number in [0, 1)", lambda v: 0 <= v < 1)


@dataclass(frozen=True)
class Dense(Layer):
    """Every unit sees every input: a(Wx + b).

    Parameters
    ----------
    units
        Number of units.
    activation
        "relu", "tanh", "sigmoid" or "identity".

    Examples
    --------
    >>> from gramian.neural_network import Dense
    >>> Dense(10).parameter_shapes((4, 4, 2))
    {'weight': (10, 32), 'bias': (10,)}
    """

    record_name: ClassVar[str] = "dense_layer"

    units: int
    activation: ActivationName = "relu"

    def __post_init__(self) -> None:
        """Check the values."""
        check_counts(self, "units")
        check_choice(self, "activation", ActivationName)

    def output_shape(self, shape: Shape) -> Shape:
        """Return the number of units."""
        return (self.units,)

    def parameter_shapes(self, shape: Shape) -> Shapes:
        """Return the shapes of weights and biases."""
        return {"weight": (self.units, prod(shape)), "bias": (self.units,)}

    def connections(self, shape: Shape) -> int:
        """Return the number of weights."""
        return self.units * prod(shape)


def padding_of(layer: Conv, shape: Shape) -> list[tuple[int, int]]:
    """Return the padding before and after each side of an input."""
    sizes, strides = layer.window(len(shape) - 1)
    found = []
    for side, size, stride in zip(shape, sizes, strides, strict=False):
        total = max((-(-side // stride) - 1) * stride + size - side, 0)
        found.append((total // 2, total - total // 2) if layer.padding == "same" else (0, 0))
    return found


def _sides(
    layer: Layer, shape: Shape, sizes: Shape, strides: Shape, padding: Padding
) -> Sequence[int]:
    if padding == "same":
        return [-(-side // stride) for side, stride in zip(shape, strides, strict=False)]
    for side, size in zip(shape, sizes, strict=False):
        if side < size:
            raise ParameterError(
                f"{type(layer).__name__}: a width of {size} exceeds the side of {side} of its "
                f"input of shape {shape}; lower size, pool less or use padding='same'."
            )
    return [(m - k) // s + 1 for m, k, s in zip(shape, sizes, strides, strict=False)]


def _each(layer: Layer, name: str, value: Size, sides: int) -> Shape:
    """Return a number for each side."""
    if not isinstance(value, tuple):
        return (int(value),) * sides
    if len(value) != sides:
        raise ParameterError(
            f"{type(layer).__name__}: {name} must be a number or one for each of the {sides} sides "
            f"of its input; got {value!r}."
        )
    return value
