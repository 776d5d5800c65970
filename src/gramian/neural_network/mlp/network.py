"""A multi-layer perceptron: its shape, and one vector with all its parameters.

The vector holds the weights W_1, W_2, ... row by row, each of shape (in, out), then the intercepts
b_1, b_2, ..., then with batch normalisation gamma and beta of every hidden layer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Matrix
from gramian.objectives.network_losses import Output
from gramian.objectives.tensors import Tensor

Activation: TypeAlias = Literal["identity", "logistic", "tanh", "relu"]

NORM_EPSILON = 1e-5  # added to the variances of batch normalisation


Vector = TypeVar("Vector", Matrix, Tensor)  # PyTorch trains on a GPU


class LayerParts(NamedTuple, Generic[Vector]):
    """The parameters by layer; views of the vector."""

    coefs: list[Vector]
    intercepts: list[Vector]
    gammas: list[Vector]
    betas: list[Vector]


Parameters: TypeAlias = LayerParts[Matrix]


@dataclass(frozen=True)
class Network:
    """The shape of a network.

    Attributes
    ----------
    widths
        Inputs, units of each hidden layer, outputs.
    activations
        One for each hidden layer.
    output
        What the last layer computes, and its loss.
    batch_norm
        Whether the hidden layers standardise their sums.

    Examples
    --------
    >>> network = Network((2, 3, 1), ("tanh",), "squared")
    >>> network.size
    13
    """

    widths: tuple[int, ...]
    activations: tuple[Activation, ...]
    output: Output
    batch_norm: bool = False

    @property
    def hidden_units(self) -> int:
        """The number of hidden units."""
        return sum(self.widths[1:-1])

    @property
    def size(self) -> int:
        """The number of parameters."""
        dense = sum((a + 1) * b for a, b in pairwise(self.widths))
        return dense + (2 * self.hidden_units if self.batch_norm else 0)

    @property
    def out_activation(self) -> str:
        """The function of the last layer, by scikit-learn's names."""
        names = {"squared": "identity", "poisson": "exp", "squared_logistic": "logistic"}
        return names.get(self.output, self.output)

    def split(self, vector: Vector) -> LayerParts[Vector]:
        """Return views of the vector by layer."""
        parts, end = [], 0
        for shape in self._shapes():
            begin, end = end, end + prod(shape)
            parts.append(vector[begin:end].reshape(shape))
        n, h = len(self.widths) - 1, len(self.widths) - 2 if self.batch_norm else 0
        return LayerParts(parts[:n], parts[n : 2 * n], parts[2 * n : 2 * n + h], parts[2 * n + h :])

    def _shapes(self) -> list[tuple[int, ...]]:
        """Return the shapes of the parameters, in the order of the vector."""
        layers = list(pairwise(self.widths))
        hidden = self.widths[1:-1] if self.batch_norm else ()
        return [*layers, *((b,) for _, b in layers), *((k,) for k in (*hidden, *hidden))]

    def join(self, parameters: Parameters, dtype: npt.DTypeLike) -> Matrix:
        """Flatten the parameters into one vector."""
        parts = [part for group in parameters for part in group]
        return np.concatenate([np.ravel(part) for part in parts]).astype(dtype)

    def outputs(
        self, X: Data, parameters: Parameters, mean: Matrix | None, variance: Matrix | None
    ) -> Matrix:
        """Return the outputs of every row; mean and variance are those of batch normalisation."""
        layers = folded(parameters, mean, variance)
        return outputs_of(X, *layers, list(self.activations), self.output)


def outputs_of(
    X: Data,
    coefs: list[Matrix],
    intercepts: list[Matrix],
    activations: Sequence[str],
    output: Output,
) -> Matrix:
    """Return the outputs of layers without batch normalisation."""
    out = np.empty((X.shape[0], len(intercepts[-1])), dtype=X.dtype)
    _native.network_predict(activations, output, native_table(X), coefs, intercepts, out)
    return out


def folded(
    parameters: Parameters, mean: Matrix | None, variance: Matrix | None
) -> tuple[list[Matrix], list[Matrix]]:
    """Return weights and intercepts that contain the running batch normalisation.

    gamma (x W + b - mean) / sqrt(var + delta) + beta is another x W' + b'.
    """
    coefs, intercepts = list(parameters.coefs), list(parameters.intercepts)
    if mean is None or variance is None:
        return coefs, intercepts
    ends = np.cumsum([0, *map(len, parameters.gammas)])
    for i, (a, b) in enumerate(pairwise(ends)):
        scale = parameters.gammas[i] / np.sqrt(variance[a:b] + variance.dtype.type(NORM_EPSILON))
        coefs[i] = np.ascontiguousarray(coefs[i] * scale)
        intercepts[i] = (intercepts[i] - mean[a:b]) * scale + parameters.betas[i]
    return coefs, intercepts
