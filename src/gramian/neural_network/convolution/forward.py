"""The network as a function of its weights: initial weights and the forward pass.

Weights are tensors by name, ``layer0.weight``, so the passes are plain functions and what a model
file holds is what is computed with. PyTorch differentiates them.
"""

from collections.abc import Iterator, Sequence
from math import prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.neural_network.convolution.architecture import shapes_of
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
    padding_of,
)
from gramian.neural_network.torch_training.tensors import Arrays, Tensor, Tensors, torch_module

MOST_WEIGHTS = 2**14  # of a convolution by our own code: they stay in the cache


def initial_weights(
    layers: Sequence[Layer], shape: Shape, seed: int, dtype: npt.DTypeLike
) -> Arrays:
    """Return Gaussian weights of the variance that keeps signals at one size, and zero biases.

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


def forward(
    layers: Sequence[Layer],
    shape: Shape,
    weights: Tensors,
    rows: Tensor,
    *,
    training: bool = False,
    generator: Any = None,
) -> Tensor:
    """Return the output of the last layer for rows of shape (n, product of the sides).

    An increasing activation and a maximum commute; a pool that follows comes first, because then
    the activation has fewer numbers to do.
    """
    *_, last = steps(layers, shape, weights, rows, training, generator, late=True)
    return last


def steps(
    layers: Sequence[Layer],
    shape: Shape,
    weights: Tensors,
    rows: Tensor,
    training: bool = False,
    generator: Any = None,
    late: bool = False,
) -> Iterator[Tensor]:
    """Yield the output of each layer, channels second.

    With `late` activations wait for pools, and a convolution and its pool may be one step.
    """
    torch = torch_module()
    F = torch.nn.functional
    x = _channels_second(rows, shape)
    waiting, joined = "", False
    for k, (layer, before) in enumerate(zip(layers, shapes_of(layers, shape), strict=False)):
        if joined:  # a pool that was done with its convolution
            joined = False
            continue
        weight, bias = weights.get(f"layer{k}.weight"), weights.get(f"layer{k}.bias")
        follows = layers[k + 1] if k + 1 < len(layers) else None
        if late and is_native(layer, follows, before) and x.device.type == "cpu":
            joined = True
            yield (x := _convolved_and_pooled(torch, layer, before, weight, bias, x))
            continue
        if isinstance(layer, LocallyConnected):
            x = locally_connected(layer, before, weight, bias, x)
        elif isinstance(layer, Conv):
            x = _convolved(F, layer, before, weight, bias, x)
        elif isinstance(layer, FilterBank):
            x = _filtered(torch, layer, before, x)
        elif isinstance(layer, Pool):
            x = _pooled(F, layer, before, x)
        elif isinstance(layer, BatchNorm):
            mean, variance = weights[f"layer{k}.running_mean"], weights[f"layer{k}.running_var"]
            x = F.batch_norm(
                x, mean, variance, weight, bias, training, layer.momentum, layer.epsilon
            )
        elif isinstance(layer, Dropout) and training and layer.rate > 0:
            kept = torch.empty_like(x).bernoulli_(1 - layer.rate, generator=generator)
            x = x * kept.div_(1 - layer.rate)
        elif isinstance(layer, Dense):
            x = F.linear(x.flatten(1), weight, bias)
        waiting = getattr(layer, "activation", waiting)
        if not (late and isinstance(follows, Pool) and follows.kind == "max"):
            x, waiting = activated(torch, waiting, x), ""
        yield x


def _channels_second(rows: Tensor, shape: Shape) -> Tensor:
    """Return rows as maps, one after the other; PyTorch gives later maps the same strides."""
    if shape[-1] == 1:
        return rows.reshape(len(rows), 1, *shape[:-1])
    return rows.reshape(len(rows), *shape).movedim(-1, 1).contiguous()


def activated(torch: Any, name: str, x: Tensor) -> Tensor:
    """Apply an activation to the output of a product, in place."""
    if name == "relu":
        return torch.relu_(x)
    if name == "tanh":
        return torch.tanh_(x)
    return torch.sigmoid_(x) if name == "sigmoid" else x


def _convolved(F: Any, layer: Conv, shape: Shape, weight: Tensor, bias: Tensor, x: Tensor) -> Any:
    _, strides = layer.window(len(shape) - 1)
    pads = padding_of(layer, shape)
    if any(before != after for before, after in pads):
        x, pads = _padded(F, x, pads), [(0, 0)] * len(pads)
    convolve = F.conv1d if len(shape) == 2 else F.conv2d
    return convolve(x, weight, bias, stride=strides, padding=[before for before, _ in pads])


def is_native(layer: Layer, follows: Layer | None, shape: Shape) -> bool:
    """Tell whether a layer and the one after it are done together by our own code.

    That is a convolution of images with few weights and stride 1, and maxima of blocks of 2 x 2.
    """
    return (
        type(layer) is Conv
        and isinstance(follows, Pool)
        and follows.kind == "max"
        and len(shape) == 3
        and follows.window(2) == ((2, 2), (2, 2))
        and layer.window(2)[1] == (1, 1)
        and prod(layer.parameter_shapes(shape)["weight"]) <= MOST_WEIGHTS
    )


def _convolved_and_pooled(
    torch: Any, layer: Any, shape: Shape, weight: Tensor, bias: Tensor, x: Tensor
) -> Tensor:
    from gramian.neural_network.convolution.conv_pooling import convolved_and_pooled

    relu = layer.activation == "relu"
    found = convolved_and_pooled(x, weight, bias, padding_of(layer, shape), relu)
    return found if relu else activated(torch, layer.activation, found)


def _padded(F: Any, x: Tensor, pads: list[tuple[int, int]]) -> Tensor:
    return F.pad(x, [zeros for pair in reversed(pads) for zeros in pair])


def locally_connected(
    layer: LocallyConnected, shape: Shape, weight: Tensor, bias: Tensor, x: Tensor
) -> Tensor:
    """Multiply the patch of each place by the filters of that place."""
    F = torch_module().nn.functional
    sizes, strides = layer.window(len(shape) - 1)
    x = _padded(F, x, padding_of(layer, shape))
    if len(shape) == 2:  # a signal is an image of height 1
        x, sizes, strides = x.unsqueeze(2), (1, *sizes), (1, *strides)
    patches = F.unfold(x, sizes, stride=strides).permute(2, 0, 1)  # (places, n, inputs)
    found = (patches @ weight + bias.unsqueeze(1)).permute(1, 2, 0)
    return found.reshape(len(x), layer.filters, *layer.output_shape(shape)[:-1])


def _filtered(torch: Any, layer: FilterBank, shape: Shape, x: Tensor) -> Tensor:
    """Convolve every channel with every filter."""
    F, channels = torch.nn.functional, shape[-1]
    bank = torch.as_tensor(layer.bank, dtype=x.dtype).unsqueeze(1)
    sizes = bank.shape[2:]
    x = _padded(F, x, [((size - 1) // 2, size // 2) for size in sizes])
    convolve = F.conv1d if len(shape) == 2 else F.conv2d
    return convolve(x, bank.repeat(channels, *[1] * (bank.ndim - 1)), groups=channels)


def _pooled(F: Any, layer: Pool, shape: Shape, x: Tensor) -> Tensor:
    sizes, strides = layer.window(len(shape) - 1)
    if layer.kind == "max" and sizes == strides == (2, 2) and x.device.type == "cpu":
        from gramian.neural_network.convolution.max_pooling import pooled_by_two

        return pooled_by_two(x)
    if len(shape) == 2:
        pool = F.max_pool1d if layer.kind == "max" else F.avg_pool1d
    else:
        pool = F.max_pool2d if layer.kind == "max" else F.avg_pool2d
    return pool(x, sizes, strides)
