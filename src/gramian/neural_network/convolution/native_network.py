"""Networks of convolutions, max pooling and dense layers, trained and evaluated by native code.

Every stage is a convolution with its activation, followed by 2 x 2 max pooling; the layers after
the stages are dense, with or without dropout between them. `LayerNetwork` computes the same for
other layers, more slowly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Floats, Matrix
from gramian.neural_network.convolution.architecture import shapes_of
from gramian.neural_network.convolution.forward import is_native
from gramian.neural_network.convolution.layers import (
    Conv,
    Dense,
    Dropout,
    Layer,
    Shape,
    padding_of,
)
from gramian.neural_network.mlp.descent import Steps
from gramian.neural_network.mlp.network import Activation, Network
from gramian.neural_network.training.named_arrays import Arrays, copies_of
from gramian.neural_network.training.training import Settings, row_order
from gramian.objectives.network_losses import Output

Stage: TypeAlias = list[int]  # as native code reads it

_NAMES: dict[str, Activation] = {
    "identity": "identity",
    "relu": "relu",
    "tanh": "tanh",
    "sigmoid": "logistic",
}


@dataclass(frozen=True)
class NativeNetwork:
    """The layers in the form that native code reads.

    Examples
    --------
    >>> from gramian.neural_network.convolution.layers import Pool
    >>> layers = [Conv(4, 3), Pool(2), Dense(5), Dense(2, "identity")]
    >>> native = native_network(layers, (8, 8, 1), "softmax")
    >>> native.dense.widths, native.size
    ((36, 5, 2), 237)
    """

    stages: tuple[Stage, ...]
    dense: Network
    dropout: tuple[float, ...]  # of the inputs of every dense layer
    numbers: tuple[int, ...]  # of the layers with weights
    maps: Shape  # of the last stage

    @property
    def size(self) -> int:
        """The number of parameters."""
        return sum(_weights_of(stage) + stage[7] for stage in self.stages) + self.dense.size

    def join(self, weights: Arrays) -> Matrix:
        """Return the vector of named weights."""
        parts: list[Any] = []
        convolutions, dense = self._numbers()
        for k in convolutions:
            parts += [weights[f"layer{k}.weight"], weights[f"layer{k}.bias"]]
        for k in dense:
            weight = weights[f"layer{k}.weight"]
            if k == dense[0]:  # whose inputs have their channels last here
                *sides, channels = self.maps
                weight = np.moveaxis(weight.reshape(-1, channels, *sides), 1, -1)
            parts.append(weight.reshape(len(weight), -1).T)
        parts += [weights[f"layer{k}.bias"] for k in dense]
        return np.concatenate([np.ravel(part) for part in parts])

    def split(self, vector: Matrix) -> Arrays:
        """Return the named weights of a vector; views of it or copies."""
        found: Arrays = {}
        convolutions, dense = self._numbers()
        at = 0
        for k, stage in zip(convolutions, self.stages, strict=True):
            _, _, channels, *_, filters, height, width, _ = stage
            size = _weights_of(stage)
            weight: Matrix = vector[at : at + size].reshape(filters, channels, height, width)
            found[f"layer{k}.weight"] = weight
            found[f"layer{k}.bias"] = vector[at + size : at + size + filters]
            at += size + filters
        layers = self.dense.split(vector[at:])
        for k, coef, bias in zip(dense, layers.coefs, layers.intercepts, strict=True):
            weight = coef.T
            if k == dense[0]:
                weight = np.moveaxis(weight.reshape(-1, *self.maps), -1, 1)
            found[f"layer{k}.weight"] = weight.reshape(coef.shape[::-1])
            found[f"layer{k}.bias"] = bias
        return found

    def _numbers(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the numbers of the convolutions and of the dense layers."""
        return self.numbers[: len(self.stages)], self.numbers[len(self.stages) :]

    def outputs(self, vector: Matrix, rows: Matrix) -> Matrix:
        """Return the output of the last layer for every row, before any softmax."""
        plain = Network(self.dense.widths, self.dense.activations, "squared")
        out = np.empty((len(rows), self.dense.widths[-1]), dtype=vector.dtype)
        settings = Steps("none").native(plain, 0.0)
        _native.conv_network_predict(
            settings, list(self.stages), np.ascontiguousarray(rows), vector, out
        )
        return out


def native_network(layers: Sequence[Layer], shape: Shape, output: Output) -> NativeNetwork | None:
    """Return the layers in the form that native code reads, or None if it does not support one."""
    stages: list[Stage] = []
    numbers: list[int] = []
    shapes = shapes_of(layers, shape)
    at = 0
    while at + 1 < len(layers) and is_native(layers[at], layers[at + 1], shapes[at]):
        layer = layers[at]
        assert isinstance(layer, Conv)
        if layer.activation not in ("relu", "identity"):
            return None
        (top, bottom), (left, right) = padding_of(layer, shapes[at])
        sizes, _ = layer.window(2)
        relu = int(layer.activation == "relu")
        stages.append([*shapes[at], top, left, bottom, right, layer.filters, *sizes, relu])
        numbers.append(at)
        at += 2
    if not stages:
        return None
    widths, activations = [prod(shapes[at])], []
    dropout = [0.0]
    maps = shapes[at]
    for k in range(at, len(layers)):
        layer = layers[k]
        if isinstance(layer, Dropout) and dropout[-1] == 0.0:
            dropout[-1] = float(layer.rate)
        elif isinstance(layer, Dense):
            widths.append(layer.units)
            activations.append(_NAMES[layer.activation])
            dropout.append(0.0)
            numbers.append(k)
        else:
            return None
    if not activations or activations[-1] != "identity" or dropout[-1] > 0:
        return None
    dense = Network(tuple(widths), tuple(activations[:-1]), output)
    return NativeNetwork(tuple(stages), dense, tuple(dropout[:-1]), tuple(numbers), maps)


def _weights_of(stage: Stage) -> int:
    _, _, channels, *_, filters, height, width, _ = stage
    return filters * channels * height * width


@dataclass
class NativeTraining:
    """The training of a native network: rows, targets, and the moments of the optimiser."""

    network: NativeNetwork
    settings: Settings
    rows: Matrix
    targets: npt.NDArray[Any]  # codes of classes, or values (n, outputs)
    row_weights: Floats | None
    seed: int
    parameters: Matrix
    first: Matrix = field(init=False)
    second: Matrix | None = field(init=False)
    t: int = 0
    rate: float = 0.0  # of the epoch before
    epochs: int = 0

    def __post_init__(self) -> None:
        self.first = np.zeros_like(self.parameters)
        adam = self.settings.solver == "adam"
        self.second = np.zeros_like(self.parameters) if adam else None

    @property
    def memory(self) -> Arrays:
        """The arrays that training changes."""
        return {"parameters": self.parameters}

    def weights(self) -> Arrays:
        """Return copies of the weights, by name."""
        return copies_of(self.network.split(self.parameters))

    def outputs(self, rows: Matrix) -> Matrix:
        """Return the outputs of rows."""
        return self.network.outputs(self.parameters, rows)

    def epoch(self, rate: float) -> tuple[float, float]:
        """Run an epoch; return its mean loss and the loss of its first batch."""
        order = row_order(len(self.rows), self.seed, self.epochs)
        self.epochs += 1
        return self.run(rate, order)

    def run(self, rate: float, order: npt.NDArray[Any]) -> tuple[float, float]:
        """Run the steps of an epoch in a given order of the rows."""
        if self.second is None and self.t > 0:  # velocities contain the rate
            self.first *= rate / self.rate
        self.rate = rate
        steps = Steps(
            self.settings.solver,
            alpha=self.settings.alpha,
            momentum=self.settings.momentum,
            nesterov=False,
            dropout=self.network.dropout,
            batch_size=self.settings.batch_size,
            seed=self.seed,
        )
        codes = self.targets.ndim == 1
        loss, start, finite, self.t = _native.conv_network_epoch(
            steps.native(self.network.dense, rate),
            list(self.network.stages),
            self.rows,
            self.targets.astype(np.int32) if codes else None,
            None if codes else np.ascontiguousarray(self.targets, dtype=self.rows.dtype),
            self.row_weights,
            np.ascontiguousarray(order, dtype=np.int32),
            self.parameters,
            self.first,
            self.second,
            self.t,
        )
        return (loss if finite else np.nan), start
