"""A network as a function of its weights: initial weights, outputs and gradients.

Weights are named arrays such as ``layer0.weight``, as in a model file. A batch is computed in
parallel, in blocks of a fixed number of rows whose gradients are added in order, so the results do
not depend on the number of threads.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.base.runtime.blas import bands, run_in_parallel
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Matrix, Weights
from gramian.neural_network.convolution.architecture import shapes_of, summarize_layers
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
from gramian.neural_network.convolution.operations import (
    Activate,
    ApplyFilters,
    Convolve,
    ConvolveAndPool,
    ConvolveLocally,
    Drop,
    Multiply,
    Normalise,
    Operation,
    TakeMaximum,
    TakeMean,
)
from gramian.neural_network.convolution.patches import Maps
from gramian.neural_network.training.named_arrays import Arrays
from gramian.objectives.loss import Loss

BLOCK = 32  # rows that are computed together
MAX_NATIVE_WEIGHTS = 2**14  # weights of a convolution that stay in the cache


def initial_weights(
    layers: Sequence[Layer], shape: Shape, seed: int, dtype: npt.DTypeLike
) -> Arrays:
    """Return Gaussian weights whose variance keeps the size of signals constant, and zero biases.

    2 / fan_in before a ReLU (He 2015), 2 / (fan_in + fan_out) elsewhere (Glorot and Bengio 2010).
    """
    found: Arrays = {}
    for k, (layer, before) in enumerate(zip(layers, shapes_of(layers, shape), strict=False)):
        shapes = layer.parameter_shapes(before)
        for name, sizes in shapes.items():
            found[f"layer{k}.{name}"] = np.zeros(sizes, dtype=dtype)
        if isinstance(layer, BatchNorm):
            found[f"layer{k}.weight"] += 1
            found[f"layer{k}.running_mean"] = np.zeros(before[-1], dtype=dtype)
            found[f"layer{k}.running_var"] = np.ones(before[-1], dtype=dtype)
        elif isinstance(layer, Conv | Dense):
            normal = stream(seed, k).standard_normal(shapes["weight"])
            found[f"layer{k}.weight"] = (normal * _deviation(layer, shapes)).astype(dtype)
    return found


def _deviation(layer: Conv | Dense, shapes: dict[str, Shape]) -> float:
    weight = shapes["weight"]
    if isinstance(layer, LocallyConnected):
        inputs, outputs = weight[1], weight[2]
    else:
        inputs, outputs = prod(weight[1:]), weight[0] * prod(weight[2:])
    return sqrt(2 / inputs) if layer.activation == "relu" else sqrt(2 / (inputs + outputs))


@dataclass(frozen=True)
class Step:
    """An operation, the layer that it belongs to, and whether it ends that layer."""

    operation: Operation[Any]
    layer: int
    ends: bool

    def own(self, weights: Arrays) -> Arrays:
        """Return the arrays of the layer, by their names in it."""
        prefix = f"layer{self.layer}."
        return {
            name: weights[prefix + name]
            for name in ("weight", "bias", "running_mean", "running_var")
            if prefix + name in weights
        }


class LayerNetwork:
    """Layers in NumPy: outputs of rows, and gradients of a loss.

    Examples
    --------
    >>> layers = [Conv(4, 3), Pool(2), Dense(2, "identity")]
    >>> network = LayerNetwork(layers, (8, 8, 1))
    >>> weights = initial_weights(layers, (8, 8, 1), 0, np.float64)
    >>> network.outputs(weights, np.ones((5, 64))).shape
    (5, 2)
    """

    def __init__(self, layers: Sequence[Layer], shape: Shape) -> None:
        self._shape = shape
        self._layers = tuple(layers)
        self._steps = _steps(layers, shape, joined=True)
        trained = [k for k, step in enumerate(self._steps) if step.operation.weights]
        self._first_trained = trained[0] if trained else len(self._steps)
        self._across_rows = any(isinstance(layer, BatchNorm) for layer in layers)
        self._draws = any(isinstance(layer, Dropout) for layer in layers)
        self._work = 2.0 * sum(line.connections for line in summarize_layers(layers, shape))

    def outputs(self, weights: Arrays, rows: Matrix) -> Maps:
        """Return the output of the last layer for every row."""

        def of(part: slice) -> Maps:
            x = self._maps(rows[part])
            for step in self._steps:
                x, _ = step.operation.forward(x, step.own(weights), None)
            return x

        parts = bands(len(rows), size=BLOCK)
        return np.concatenate(run_in_parallel(self._work * len(rows), of, parts))

    def feature_maps(self, weights: Arrays, rows: Matrix) -> list[Maps]:
        """Return the output of each layer, after its activation."""
        found, x = [], self._maps(rows)
        with one_blas_thread():
            for step in _steps(self._layers, self._shape, joined=False):
                x, _ = step.operation.forward(x, step.own(weights), None)
                if step.ends:
                    found.append(np.ascontiguousarray(x))
        return found

    def gradient(
        self,
        weights: Arrays,
        rows: Matrix,
        targets: Matrix,
        row_weights: Weights | None,
        loss: Loss,
        gradients: Arrays,
        seed: int,
        t: int,
    ) -> float:
        """Return the mean loss of the rows of step t; write its gradients.

        `seed` and t choose the units that dropout removes.
        """

        def of(part: slice) -> tuple[float, Arrays]:
            rng = stream(seed, (t << 20) + (1 << 44) + part.start) if self._draws else _NO_DRAWS
            own = None if row_weights is None else row_weights[part]
            return self._of_block(weights, rows[part], targets[part], own, loss, len(rows), rng)

        if self._across_rows:
            with one_blas_thread():
                found = [of(slice(0, len(rows)))]
        else:
            work = 3 * self._work * len(rows)
            found = run_in_parallel(work, of, bands(len(rows), size=BLOCK))
        for name, array in gradients.items():
            array[...] = sum((own[name] for _, own in found[1:]), found[0][1][name])
        return sum(value for value, _ in found)

    def _of_block(
        self,
        weights: Arrays,
        rows: Matrix,
        targets: Matrix,
        row_weights: Weights | None,
        loss: Loss,
        n: int,
        rng: np.random.Generator,
    ) -> tuple[float, Arrays]:
        """Return the contribution of these rows to the mean loss of n rows, and its gradients."""
        x, kept = self._maps(rows), []
        for step in self._steps:
            x, needed = step.operation.forward(x, step.own(weights), rng)
            kept.append(needed)
        value, slopes = loss_and_slopes(loss, targets, x, row_weights, n)
        found: Arrays = {}
        for k in range(len(self._steps) - 1, self._first_trained - 1, -1):
            step = self._steps[k]
            by_input = k > self._first_trained
            back, own = step.operation.backward(kept[k], slopes, step.own(weights), by_input)
            slopes = slopes if back is None else back
            found |= {f"layer{step.layer}.{name}": array for name, array in own.items()}
        return value, found

    def _maps(self, rows: Matrix) -> Maps:
        return rows.reshape(len(rows), *self._shape)


_NO_DRAWS = stream(0)  # for a network without dropout, which draws nothing


def loss_and_slopes(
    loss: Loss, targets: Matrix, outputs: Maps, row_weights: Weights | None, n: int
) -> tuple[float, Maps]:
    """Return the sum of the losses over n, and its gradient with respect to the outputs.

    The loss of a row is its mean over several targets.

    Examples
    --------
    >>> from gramian.objectives import SquaredError
    >>> loss_and_slopes(SquaredError(), np.array([[0.0]]), np.array([[2.0]]), None, 1)
    (2.0, array([[2.]]))
    """
    with np.errstate(over="ignore", invalid="ignore"):
        values, slopes = loss.value(targets, outputs), loss.derivative(targets, outputs)
        factors = np.full(len(outputs), 1 / n) if row_weights is None else row_weights / n
        if values.ndim == 2:
            values, slopes = values.mean(axis=1), slopes / values.shape[1]
        found = slopes * factors[:, None]
        return float(values @ factors), found.astype(outputs.dtype, copy=False)


def _steps(layers: Sequence[Layer], shape: Shape, *, joined: bool) -> list[Step]:
    """Return the operations of the layers.

    With `joined`, a convolution and its pool may be one operation, and an activation comes after
    the maxima that follow it: an increasing function and a maximum commute, and there are fewer
    numbers then.
    """
    found: list[Step] = []
    waiting = ""  # an activation that follows the next pool
    shapes = shapes_of(layers, shape)
    skips = False
    for k, layer in enumerate(layers):
        follows = layers[k + 1] if joined and k + 1 < len(layers) else None
        if skips:  # a pool that was done with its convolution
            skips = False
            continue
        operations, activation = _operations(layer, shapes[k]), getattr(layer, "activation", "")
        if is_native(layer, follows, shapes[k]):
            assert isinstance(layer, Conv)
            operations, skips = [ConvolveAndPool(layer, shapes[k])], True
            activation = "" if activation == "relu" else activation
        elif isinstance(follows, Pool) and follows.kind == "max" and activation:
            waiting, activation = activation, ""
        elif waiting and isinstance(layer, Pool):
            waiting, activation = "", waiting
        if activation not in ("", "identity"):
            operations = [*operations, Activate(activation)]
        last = len(operations) - 1
        found += [Step(operation, k, i == last) for i, operation in enumerate(operations)]
    return found


def _operations(layer: Layer, shape: Shape) -> list[Operation[Any]]:
    """Return the operations of a layer before its activation."""
    if isinstance(layer, LocallyConnected):
        return [ConvolveLocally(layer, shape)]
    if isinstance(layer, Conv):
        return [Convolve(layer, shape)]
    if isinstance(layer, FilterBank):
        return [ApplyFilters(layer)]
    if isinstance(layer, Pool):
        return [TakeMaximum(layer, shape) if layer.kind == "max" else TakeMean(layer, shape)]
    if isinstance(layer, BatchNorm):
        return [Normalise(layer)]
    if isinstance(layer, Dropout):
        return [Drop(float(layer.rate))]
    assert isinstance(layer, Dense)
    return [Multiply()]


def is_native(layer: Layer, follows: Layer | None, shape: Shape) -> bool:
    """Return whether native code computes a layer and the one after it together.

    It does for a convolution of images with few weights and stride 1, and maxima of 2 x 2.
    """
    return (
        type(layer) is Conv
        and isinstance(follows, Pool)
        and follows.kind == "max"
        and len(shape) == 3
        and follows.window(2) == ((2, 2), (2, 2))
        and layer.window(2)[1] == (1, 1)
        and prod(layer.parameter_shapes(shape)["weight"]) <= MAX_NATIVE_WEIGHTS
    )
