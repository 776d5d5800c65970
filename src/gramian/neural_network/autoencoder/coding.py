"""Encoder and decoder as functions of their weights, and the losses of a reconstruction.

    y = s(W x + b),   z = s'(W' y + b'),   W' = W^T where the weights are tied,

and a stack of such levels, each on the codes of the one below. Weights are tensors by name:
``encoder0.weight``, ``decoder0.bias``. The loss of a row is |x - z|^2, which is the negative log-
likelihood of a Gaussian x given y, or the cross-entropy

    - sum_j x_j ln z_j + (1 - x_j) ln(1 - z_j),

that of Bernoulli variables, for x in [0, 1] and z the logistic function of the decoder's sum; its
gradient in that sum is z - x.
"""

from math import prod, sqrt
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.neural_network.torch_training.tensors import Arrays, Tensor, Tensors, torch_module

Activation: TypeAlias = Literal["sigmoid", "tanh", "relu", "identity"]
Reconstruction: TypeAlias = Literal["squared_error", "cross_entropy"]


def level_weights(
    level: int, inputs: int, units: int, tied: bool, seed: int, dtype: npt.DTypeLike
) -> Arrays:
    """Return Gaussian weights of variance 2 / (inputs + units), and zero biases."""
    deviation = sqrt(2 / (inputs + units))

    def drawn(number: int, shape: tuple[int, int]) -> Any:
        return (stream(seed, number).standard_normal(shape) * deviation).astype(dtype)

    found = {
        f"encoder{level}.weight": drawn(2 * level, (units, inputs)),
        f"encoder{level}.bias": np.zeros(units, dtype=dtype),
        f"decoder{level}.bias": np.zeros(inputs, dtype=dtype),
    }
    if not tied:
        found[f"decoder{level}.weight"] = drawn(2 * level + 1, (inputs, units))
    return found


def activation_of(name: str, x: Tensor) -> Tensor:
    """Apply an activation to a sum, in place."""
    torch = torch_module()
    in_place = {"sigmoid": torch.sigmoid_, "tanh": torch.tanh_, "relu": torch.relu_}
    return in_place[name](x) if name in in_place else x


def encoded(weights: Tensors, x: Tensor, levels: range, activation: str) -> Tensor:
    """Return the codes of some levels, the lowest first."""
    F = torch_module().nn.functional
    for k in levels:
        sums = F.linear(x, weights[f"encoder{k}.weight"], weights[f"encoder{k}.bias"])
        x = activation_of(activation, sums)
    return x


def decoder_sums(weights: Tensors, y: Tensor, level: int) -> Tensor:
    """Return what the decoder of a level makes of codes, before its activation."""
    torch = torch_module()
    bias, own = weights[f"decoder{level}.bias"], weights.get(f"decoder{level}.weight")
    if own is None:  # tied
        return torch.addmm(bias, y, weights[f"encoder{level}.weight"])
    return torch.nn.functional.linear(y, own, bias)


def decoded(weights: Tensors, y: Tensor, levels: range, activation: str, output: str) -> Tensor:
    """Return the reconstruction from codes, the highest level first."""
    for k in reversed(levels):
        y = activation_of(output if k == 0 else activation, decoder_sums(weights, y, k))
    return y


def backward_reconstruction(sums: Tensor, x: Tensor, output: str, loss: Reconstruction) -> Tensor:
    """Return the mean loss of rows, and give its gradient to the weights.

    The gradient in the decoder's sums is written here, in one or two passes over memory, where
    PyTorch would differentiate loss and activation one after the other in five.
    """
    torch = torch_module()
    with torch.no_grad():
        given, n = sums.detach(), len(x)
        if loss == "cross_entropy":
            F = torch.nn.functional
            value = F.binary_cross_entropy_with_logits(given, x, reduction="sum") / n
            slope = torch.sigmoid(given).sub_(x).div_(n)
        else:
            z = activation_of(output, given.clone())
            away = z - x
            value = away.square().sum() / n
            slope = (
                away.mul_(2 / n).mul_(_derivative(output, z))
                if output != "identity"
                else (away.mul_(2 / n))
            )
    sums.backward(slope)
    return value


def _derivative(name: str, z: Tensor) -> Tensor:
    """Return the derivative of an activation from its value: s(1-s), 1 - tanh^2, 1(z > 0)."""
    if name == "sigmoid":
        return z * (1 - z)
    return 1 - z * z if name == "tanh" else (z > 0).to(z.dtype)


def losses_of(sums: Tensor, x: Tensor, output: str, loss: Reconstruction) -> Tensor:
    """Return the loss of each row."""
    F = torch_module().nn.functional
    if loss == "cross_entropy":
        return F.binary_cross_entropy_with_logits(sums, x, reduction="none").sum(dim=1)
    return (activation_of(output, sums) - x).square().sum(dim=1)


def products_of(weights: Arrays, rows: int) -> int:
    """Return the number of products of a batch, forward."""
    return rows * sum(prod(w.shape) for w in weights.values())
