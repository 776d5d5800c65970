"""A trained network as a ``torch.nn.Sequential``, for further work in PyTorch."""

from collections import OrderedDict
from collections.abc import Sequence
from math import prod

import numpy as np

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
from gramian.neural_network.training.named_arrays import Arrays
from gramian.objectives.tensors import Make, Module, Torch, torch_module

_ACTIVATIONS = {"relu": "ReLU", "tanh": "Tanh", "sigmoid": "Sigmoid"}


def module_of(layers: Sequence[Layer], shape: Shape, weights: Arrays) -> Module:
    """Return the layers as modules, ``layer0`` and so on, with copies of the weights."""
    torch = torch_module()
    nn = torch.nn
    parts: OrderedDict[str, Module] = OrderedDict()
    for k, (layer, before) in enumerate(zip(layers, shapes_of(layers, shape), strict=False)):
        if isinstance(layer, Dense) and len(before) > 1:
            parts[f"layer{k}_flatten"] = nn.Flatten()
        pads = _pads(layer, before)
        if any(a != b for a, b in pads):
            zeros = [n for pair in reversed(pads) for n in pair]
            pad = nn.ConstantPad1d if len(before) == 2 else nn.ConstantPad2d
            parts[f"layer{k}_padding"] = pad(zeros, 0.0)
            pads = [(0, 0)] * len(pads)
        parts[f"layer{k}"] = _module(torch, layer, before, [before_ for before_, _ in pads])
        activation = _ACTIVATIONS.get(getattr(layer, "activation", "identity"))
        if activation is not None:
            make: Make = getattr(nn, activation)
            parts[f"layer{k}_activation"] = make()
    module = nn.Sequential(parts)
    dtype = next(iter(weights.values())).dtype
    module = module.to(torch.float32 if dtype == np.float32 else torch.float64)
    module.load_state_dict({k: torch.tensor(w) for k, w in weights.items()}, strict=False)
    return module.eval()


def _pads(layer: Layer, shape: Shape) -> list[tuple[int, int]]:
    if isinstance(layer, FilterBank):
        return [((size - 1) // 2, size // 2) for size in layer.bank.shape[1:]]
    return padding_of(layer, shape) if isinstance(layer, Conv) else []


def _module(torch: Torch, layer: Layer, shape: Shape, pads: list[int]) -> Module:
    nn, flat, signal = torch.nn, len(shape) == 1, len(shape) == 2
    if isinstance(layer, LocallyConnected):
        from gramian.neural_network.convolution.local_module import LocalModule

        module: Module = LocalModule(layer, shape)
        return module
    if isinstance(layer, Conv):
        sizes, strides = layer.window(len(shape) - 1)
        make = nn.Conv1d if signal else nn.Conv2d
        return make(shape[-1], layer.filters, sizes, stride=strides, padding=pads)
    if isinstance(layer, FilterBank):
        bank = torch.as_tensor(layer.bank).unsqueeze(1)
        make = nn.Conv1d if signal else nn.Conv2d
        sizes, channels = tuple(bank.shape[2:]), shape[-1]
        made = make(
            channels, channels * len(bank), sizes, padding=pads, groups=channels, bias=False
        )
        made.weight.data = bank.repeat(channels, *[1] * (bank.ndim - 1))
        made.weight.requires_grad_(False)
        return made
    if isinstance(layer, Pool):
        sizes, strides = layer.window(len(shape) - 1)
        kind = "MaxPool" if layer.kind == "max" else "AvgPool"
        pool: Make = getattr(nn, f"{kind}{len(shape) - 1}d")
        return pool(sizes, strides)
    if isinstance(layer, BatchNorm):
        make = nn.BatchNorm1d if flat or signal else nn.BatchNorm2d
        return make(shape[-1], eps=layer.epsilon, momentum=layer.momentum)
    if isinstance(layer, Dropout):
        return nn.Dropout(layer.rate)
    assert isinstance(layer, Dense)
    return nn.Linear(prod(shape), layer.units)
