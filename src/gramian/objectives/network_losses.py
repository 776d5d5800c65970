"""The losses of the outputs of networks, by the names that native code has for them.

    squared            1/2 |z - y|^2 of sums z            squared_logistic   the same of s(z)
    logistic           cross-entropy of each s(z_k)       softmax            of softmax(z)
    poisson            half the deviance of exp(z)

The loss of a row is a sum over its outputs.
"""

from typing import Literal, TypeAlias

import numpy as np

from gramian.base.types import Floats, Matrix
from gramian.objectives.entropy import BinaryCrossEntropy, CrossEntropy
from gramian.objectives.log_link import half_poisson_deviance
from gramian.objectives.regression import SquaredError
from gramian.objectives.tensors import Tensor, Torch

Output: TypeAlias = Literal["squared", "squared_logistic", "poisson", "logistic", "softmax"]

_LARGEST = -float(np.log(np.finfo(float).tiny))  # loss of a probability that is rounded to 0


def output_losses(output: str, Y: Matrix, P: Matrix) -> Floats:
    """Return the loss of each row, from targets Y and predictions P (not the sums behind them).

    Examples
    --------
    >>> output_losses("softmax", np.eye(2), np.full((2, 2), 0.5)).round(4)
    array([0.6931, 0.6931])
    """
    P = np.asarray(P, dtype=float)
    with np.errstate(divide="ignore"):
        if output == "softmax":
            return np.minimum(CrossEntropy().value(Y, P), _LARGEST)
        if output == "logistic":
            each = np.minimum(BinaryCrossEntropy().value(Y, P), _LARGEST)
        elif output == "poisson":
            each = half_poisson_deviance(Y, np.maximum(P, np.finfo(float).tiny))
        else:
            each = SquaredError().value(Y, P)
    return np.asarray(each.sum(axis=1))


def tensor_losses(torch: Torch, output: str, z: Tensor, Y: Tensor) -> Tensor:
    """Return the loss of each row from tensors of sums z, as PyTorch can differentiate it."""
    if output == "softmax":
        return torch.logsumexp(z, dim=1) - (Y * z).sum(dim=1)
    if output == "logistic":
        return (torch.nn.functional.softplus(z) - Y * z).sum(dim=1)
    if output == "poisson":
        return (torch.exp(z) - Y + torch.xlogy(Y, Y) - Y * z).sum(dim=1)
    p = torch.sigmoid(z) if output == "squared_logistic" else z
    return ((p - Y) ** 2).sum(dim=1) / 2
