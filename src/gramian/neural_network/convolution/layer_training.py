"""Training of any layers by `LayerNetwork`: epochs of steps over random batches."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from gramian.base.types import Matrix, Weights
from gramian.neural_network.convolution.forward import LayerNetwork
from gramian.neural_network.convolution.layers import Layer, Shape
from gramian.neural_network.training.array_optimizer import ArrayOptimizer
from gramian.neural_network.training.named_arrays import Arrays, copies_of
from gramian.neural_network.training.training import RowNumbers, Settings, epochs_of
from gramian.objectives.loss import Loss


class LayerTraining:
    """The rows, and the weights that they train."""

    def __init__(
        self,
        layers: Sequence[Layer],
        shape: Shape,
        initial: Arrays,
        settings: Settings,
        loss: Loss,
        rows: Matrix,
        targets: npt.NDArray[Any],
        row_weights: Weights | None,
        seed: int,
    ) -> None:
        self._network = LayerNetwork(layers, shape)
        self._optimizer = ArrayOptimizer(initial, settings)
        self._loss, self._seed = loss, seed
        self._rows, self._targets, self._row_weights = rows, targets, row_weights
        self._t = 0
        self.epoch = epochs_of(self._optimizer, self._gradient, len(rows), settings, seed)

    @property
    def memory(self) -> Arrays:
        """The arrays that training changes."""
        return self._optimizer.weights

    def weights(self) -> Arrays:
        """Return copies of the weights, by name."""
        return copies_of(self._optimizer.weights)

    def outputs(self, rows: Matrix) -> Matrix:
        """Return the outputs of rows."""
        return self._network.outputs(self._optimizer.weights, rows)

    def _gradient(self, numbers: RowNumbers) -> float:
        own = None if self._row_weights is None else self._row_weights[numbers]
        self._t += 1
        return self._network.gradient(
            self._optimizer.weights,
            self._rows[numbers],
            self._targets[numbers],
            own,
            self._loss,
            self._optimizer.gradients,
            self._seed,
            self._t,
        )
