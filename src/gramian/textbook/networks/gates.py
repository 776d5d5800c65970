"""Threshold units with fixed weights: logic gates, and XOR from three gates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


@dataclass(frozen=True)
class ThresholdLayer:
    """Units with output 1 if w . x + b > 0, and 0 otherwise.

    Attributes
    ----------
    weights
        Shape (units, inputs).
    biases
        Shape (units,).
    """

    weights: Floats
    biases: Floats

    def __call__(self, X: npt.ArrayLike) -> Floats:
        """Return the units of each row, 0 or 1."""
        return (np.asarray(X, dtype=np.float64) @ self.weights.T + self.biases > 0).astype(float)


AND, OR, NAND = ((1.0, 1.0, -1.5), (1.0, 1.0, -0.5), (-1.0, -1.0, 1.5))  # w_1, w_2, b


def layer_of_gates(*gates: tuple[float, float, float]) -> ThresholdLayer:
    """Return a layer with a unit for each gate (w_1, w_2, b).

    Parameters
    ----------
    *gates
        ``AND``, ``OR``, ``NAND`` of this module, or weights and bias of another.

    Examples
    --------
    >>> from gramian.textbook.networks.gates import AND, OR, layer_of_gates
    >>> layer_of_gates(AND, OR)([[0, 0], [0, 1], [1, 1]]).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    if not gates or any(len(gate) != 3 for gate in gates):
        raise DataError(
            f"layer_of_gates: pass at least one gate, each as (w_1, w_2, b); got {gates!r}."
        )
    table = np.array(gates, dtype=np.float64)
    return ThresholdLayer(table[:, :2], table[:, 2])


def xor_network() -> tuple[ThresholdLayer, ThresholdLayer]:
    """Return XOR as two layers of threshold units: x XOR y = (x OR y) AND (x NAND y).

    No single unit computes it, because no line separates its two classes.

    Returns
    -------
    hidden, output : ThresholdLayer

    Examples
    --------
    >>> from gramian.textbook.networks import xor_network
    >>> hidden, output = xor_network()
    >>> output(hidden([[0, 0], [0, 1], [1, 0], [1, 1]])).ravel().tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    return layer_of_gates(OR, NAND), layer_of_gates(AND)


def layered(layers: Sequence[ThresholdLayer], X: npt.ArrayLike) -> Floats:
    """Return the output of a stack of layers.

    Parameters
    ----------
    layers
        At least one layer.
    X
        Rows, shape (n, inputs).

    Examples
    --------
    >>> layered(xor_network(), [[1, 0]]).tolist()
    [[1.0]]
    """
    if not layers:
        raise DataError("layered: pass at least one layer.")
    found = np.asarray(X, dtype=np.float64)
    for layer in layers:
        found = layer(found)
    return found
