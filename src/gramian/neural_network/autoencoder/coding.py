"""Encoder and decoder as functions of their weights, and the losses of a reconstruction.

    y = s(W x + b),   z = s'(W' y + b'),   W' = W^T where the weights are tied,

and a stack of such levels, each on the codes of the one below. Weights are arrays by name:
``encoder0.weight``, ``decoder0.bias``. The loss of a row is |x - z|^2, which is the negative log-
likelihood of a Gaussian x given y, or the cross-entropy

    - sum_j x_j ln z_j + (1 - x_j) ln(1 - z_j),

that of Bernoulli variables, for x in [0, 1] and z the logistic function of the decoder's sum; its
gradient with respect to that sum is z - x.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.base.runtime.blas import bands, run_in_parallel
from gramian.base.types import Matrix
from gramian.neural_network.training.activations import activated, times_derivative
from gramian.neural_network.training.named_arrays import Arrays
from gramian.objectives.entropy import Logistic
from gramian.objectives.regression import SquaredError

Activation: TypeAlias = Literal["sigmoid", "tanh", "relu", "identity"]
Reconstruction: TypeAlias = Literal["squared_error", "cross_entropy"]

BLOCK = 64  # rows that are computed together


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


def encoded(weights: Arrays, x: Matrix, levels: range, activation: str) -> Matrix:
    """Return the codes of some levels, lowest first."""
    for k in levels:
        x = activated(activation, dense(weights, f"encoder{k}", x))
    return x


def dense(weights: Arrays, name: str, x: Matrix) -> Matrix:
    """Return the sums of a dense layer, W x + b."""
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def decoder_sums(weights: Arrays, y: Matrix, level: int) -> Matrix:
    """Return the sums of a decoder, before its activation."""
    if f"decoder{level}.weight" in weights:
        return dense(weights, f"decoder{level}", y)
    tied = weights[f"encoder{level}.weight"]
    return y @ tied + weights[f"decoder{level}.bias"]


def decoded(weights: Arrays, y: Matrix, levels: range, activation: str, output: str) -> Matrix:
    """Return the reconstruction from codes, the highest level first."""
    for k in reversed(levels):
        y = activated(output if k == 0 else activation, decoder_sums(weights, y, k))
    return y


def apply_in_blocks(function: Callable[[Matrix], Matrix], rows: Matrix) -> Matrix:
    """Apply a function to blocks of rows in parallel, and concatenate the results.

    Examples
    --------
    >>> apply_in_blocks(lambda x: x.sum(axis=1), np.ones((3, 2)))
    array([2., 2., 2.])
    """
    parts = bands(len(rows), size=BLOCK)
    work = 64.0 * rows.size  # as if there were a few dozen units
    return np.concatenate(run_in_parallel(work, lambda part: function(rows[part]), parts))


def losses_of(sums: Matrix, x: Matrix, output: str, loss: Reconstruction) -> Matrix:
    """Return the loss of each row from the sums of the decoder."""
    if loss == "cross_entropy":
        return np.asarray(Logistic().value(x, sums).sum(axis=1))
    return np.asarray(2 * SquaredError().value(x, activated(output, sums)).sum(axis=1))


def reconstruction_gradient(
    weights: Arrays,
    level: int,
    noisy: Matrix,
    clean: Matrix,
    activation: str,
    output: str,
    loss: Reconstruction,
    gradients: Arrays,
) -> float:
    """Return the mean loss of rows; write its gradients with respect to the weights of a level."""
    n = len(clean)

    def of(part: slice) -> tuple[float, Arrays]:
        x, target = noisy[part], clean[part]
        y = encoded(weights, x, range(level, level + 1), activation)
        sums = decoder_sums(weights, y, level)
        value = float(losses_of(sums, target, output, loss).sum()) / n
        slopes = (_slopes(sums, target, output, loss) / n).astype(x.dtype, copy=False)
        encoder = weights[f"encoder{level}.weight"]
        decoder = weights.get(f"decoder{level}.weight", encoder.T)
        by_code = times_derivative(activation, slopes @ decoder, y)
        by_encoder = by_code.T @ x
        found = {
            f"encoder{level}.bias": by_code.sum(axis=0),
            f"decoder{level}.bias": slopes.sum(axis=0),
        }
        if f"decoder{level}.weight" in weights:
            found[f"decoder{level}.weight"] = slopes.T @ y
        else:
            by_encoder = by_encoder + y.T @ slopes
        found[f"encoder{level}.weight"] = by_encoder
        return value, found

    work = 8.0 * n * sum(w.size for w in weights.values())
    with np.errstate(over="ignore", invalid="ignore"):
        found = run_in_parallel(work, of, bands(n, size=BLOCK))
        for name, array in gradients.items():
            array[...] = sum((own[name] for _, own in found[1:]), found[0][1][name])
    return sum(value for value, _ in found)


def _slopes(sums: Matrix, x: Matrix, output: str, loss: Reconstruction) -> Matrix:
    """Return the derivatives of the losses with respect to the sums of the decoder."""
    if loss == "cross_entropy":
        return Logistic().derivative(x, sums)
    z = activated(output, sums)
    return times_derivative(output, 2 * SquaredError().derivative(x, z), z)
