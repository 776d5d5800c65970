"""Convolutional networks and autoencoders as operators of an ONNX graph.

The operators compute in float32, the only type that all runtimes support for convolutions.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.export.onnx.graph import Graph, Results, onnx_labels
from gramian.neural_network.convolution.architecture import shapes_of
from gramian.neural_network.convolution.filter_bank import FilterBank
from gramian.neural_network.convolution.layers import (
    BatchNorm,
    Conv,
    Dense,
    LocallyConnected,
    Pool,
    Shape,
    padding_of,
)

_ACTIVATIONS = {"relu": "Relu", "tanh": "Tanh", "sigmoid": "Sigmoid"}


def network_classes(graph: Graph, model: Any, rows: str) -> Results:
    """Add a convolutional classifier."""
    return _chosen(graph, _layered(graph, model, rows), model.classes_)


def network_regression(graph: Graph, model: Any, rows: str) -> Results:
    """Add a convolutional regressor."""
    return Results(variable=_layered(graph, model, rows))


def stack_classes(graph: Graph, model: Any, rows: str) -> Results:
    """Add a classifier on the codes of stacked autoencoders."""
    x = _encoded(graph, model, graph.cast(rows, "float32"))
    scores = _linear(graph, x, model.weights_["output.weight"], model.weights_["output.bias"])
    return _chosen(graph, scores, model.classes_)


def codes(graph: Graph, model: Any, rows: str) -> Results:
    """Add the encoder of an autoencoder; its codes are the output."""
    return Results(variable=_encoded(graph, model, graph.cast(rows, "float32")))


def _chosen(graph: Graph, scores: str, classes: npt.NDArray[Any]) -> Results:
    labels = onnx_labels(classes)
    best = graph.op("ArgMax", scores, axis=1, keepdims=0)
    proba = graph.op("Softmax", scores, axis=1)
    return Results(label=graph.labels(best, labels), probabilities=proba, classes=labels)


def _encoded(graph: Graph, model: Any, x: str) -> str:
    for k in model._levels:
        weight, bias = model.weights_[f"encoder{k}.weight"], model.weights_[f"encoder{k}.bias"]
        x = _activated(graph, model.activation, _linear(graph, x, weight, bias))
    return x


def _layered(graph: Graph, model: Any, rows: str) -> str:
    shape: Shape = model.input_shape_
    whole = graph.constant([-1, *shape], np.int64)
    x = graph.op("Reshape", graph.cast(rows, "float32"), whole)
    axes = range(1, len(shape))
    x = graph.op("Transpose", x, perm=[0, len(shape), *axes])  # channels second
    for k, (layer, before) in enumerate(
        zip(model.layers_, shapes_of(model.layers_, shape), strict=False)
    ):
        own = {
            name.partition(".")[2]: w.astype(np.float32)
            for name, w in model.weights_.items()
            if name.startswith(f"layer{k}.")
        }
        x = _activated(
            graph, getattr(layer, "activation", "identity"), _added(graph, layer, before, own, x)
        )
    return x


def _added(graph: Graph, layer: Any, shape: Shape, own: dict[str, Any], x: str) -> str:
    if isinstance(layer, LocallyConnected):
        return _local(graph, layer, shape, own, x)
    if isinstance(layer, Conv):
        sizes, strides = layer.window(len(shape) - 1)
        pads = padding_of(layer, shape)
        parameters = (_f32(graph, own["weight"]), _f32(graph, own["bias"]))
        return graph.op(
            "Conv", x, *parameters, kernel_shape=sizes, strides=strides, pads=_onnx_pads(pads)
        )
    if isinstance(layer, FilterBank):
        bank, channels = layer.bank[:, None], shape[-1]
        weight = np.concatenate([bank] * channels)
        pads = [((size - 1) // 2, size // 2) for size in bank.shape[2:]]
        return graph.op("Conv", x, _f32(graph, weight), group=channels, pads=_onnx_pads(pads))
    if isinstance(layer, Pool):
        sizes, strides = layer.window(len(shape) - 1)
        kind = "MaxPool" if layer.kind == "max" else "AveragePool"
        return graph.op(kind, x, kernel_shape=sizes, strides=strides)
    if isinstance(layer, BatchNorm):
        names = ("weight", "bias", "running_mean", "running_var")
        moments = (_f32(graph, own[name]) for name in names)
        return graph.op("BatchNormalization", x, *moments, epsilon=float(layer.epsilon))
    if isinstance(layer, Dense):
        flat = graph.op("Flatten", x, axis=1)
        return _linear(graph, flat, own["weight"], own["bias"])
    return x  # dropout


def _local(graph: Graph, layer: Conv, shape: Shape, own: dict[str, Any], x: str) -> str:
    """Gather the patch at each position, and multiply it by the filters of that position."""
    positions, inputs, filters = own["weight"].shape
    pads = padding_of(layer, shape)
    sides = [n + before + after for n, (before, after) in zip(shape, pads, strict=False)]
    x = graph.op("Pad", x, graph.constant(_onnx_pads([(0, 0), (0, 0), *pads]), np.int64))
    flat = graph.op("Flatten", x, axis=1)
    patches = _patches(layer, sides, shape[-1])
    gathered = graph.op("Gather", flat, graph.constant(patches.ravel(), np.int64), axis=1)
    gathered = graph.op("Reshape", gathered, graph.constant([-1, positions, inputs], np.int64))
    by_position = graph.op("Transpose", gathered, perm=[1, 0, 2])
    sums = graph.op("MatMul", by_position, _f32(graph, own["weight"]))
    sums = graph.op("Add", sums, _f32(graph, own["bias"][:, None]))
    found = graph.op("Transpose", sums, perm=[1, 2, 0])
    after = layer.output_shape(shape)[:-1]
    return graph.op("Reshape", found, graph.constant([-1, filters, *after], np.int64))


def _patches(layer: Conv, sides: list[int], channels: int) -> npt.NDArray[np.int64]:
    """Return the indices of each position's patch in a flat padded input: (positions, inputs)."""
    numbers = np.arange(channels * int(np.prod(sides))).reshape(channels, *sides)
    sizes, strides = layer.window(len(sides))
    axes = tuple(range(1, 1 + len(sides)))
    windows = np.lib.stride_tricks.sliding_window_view(numbers, sizes, axis=axes)
    for axis, stride in zip(axes, strides, strict=True):
        windows = np.take(windows, np.arange(0, windows.shape[axis], stride), axis=axis)
    positions = int(np.prod(windows.shape[1 : 1 + len(sides)]))
    by_position = np.moveaxis(windows.reshape(channels, positions, -1), 1, 0)
    return np.ascontiguousarray(by_position.reshape(positions, -1))


def _linear(graph: Graph, x: str, weight: Any, bias: Any) -> str:
    return graph.op("Gemm", x, _f32(graph, weight), _f32(graph, bias), transB=1)


def _activated(graph: Graph, name: str, x: str) -> str:
    return graph.op(_ACTIVATIONS[name], x) if name in _ACTIVATIONS else x


def _onnx_pads(pads: list[tuple[int, int]]) -> list[int]:
    return [before for before, _ in pads] + [after for _, after in pads]


def _f32(graph: Graph, values: npt.ArrayLike) -> str:
    return graph.constant(values, np.float32)
