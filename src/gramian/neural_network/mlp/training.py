"""Multi-layer perceptrons as a back end of `gramian.neural_network.training.trainer`."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gramian.base.types import Matrix
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Network
from gramian.neural_network.mlp.row_sampler import RowSampler
from gramian.neural_network.training.trainer import EpochResult, Validation
from gramian.objectives.network_losses import output_losses


@dataclass(frozen=True)
class HeldOut:
    """Validation rows, and a function that scores the network's outputs for them."""

    rows: Examples
    score: Callable[[Matrix], float]


@dataclass
class Outcome:
    """The state after training, with epochs and losses."""

    descent: Descent
    epochs: int
    loss: float  # of the last epoch
    best_loss: float
    best_score: float | None

    @property
    def criterion(self) -> float:
        """The criterion that restarts compare; lower is better."""
        return self.best_loss if self.best_score is None else -self.best_score


@dataclass
class PerceptronTraining:
    """The training of a perceptron: its state, by native code or PyTorch, and its rows."""

    descent: Descent
    steps: Steps
    rows: Examples
    sampler: RowSampler
    epochs: int = 0

    def epoch(self, rate: float) -> EpochResult:
        """Run one epoch."""
        order = self.sampler.order(self.epochs)
        self.epochs += 1
        done = self.descent.epoch(
            self.steps, rate, self.rows, order, self.sampler.weights(), self.sampler.losses
        )
        error = None if self.rows.codes is None else 1 - done.right / len(self.rows)
        curves = {"error": error, "gradient_norm": done.gradient_norm}
        return EpochResult(done.loss, done.start, len(order), done.finite, curves)

    def save(self) -> Descent:
        """Return a copy of the state."""
        return self.descent.copy()

    def restore(self, saved: Descent) -> None:
        """Restore a copy that `save` returned."""
        self.descent = saved

    def validate(self, held: HeldOut) -> Validation:
        """Return loss and score of validation rows."""
        outputs = self.descent.outputs(held.rows.X)
        loss = mean_loss(self.descent.network.output, outputs, held.rows)
        return Validation(loss, held.score(outputs))


def loss_without_weights(network: Network, rows: Examples) -> float:
    """Return the mean loss of a network whose last layer has no weights."""
    units = network.widths[-1]
    each = {"softmax": 1 / units, "squared": 0.0, "poisson": 1.0}.get(network.output, 0.5)
    return mean_loss(network.output, np.full((len(rows), units), each), rows)


def mean_loss(output: str, P: Matrix, rows: Examples) -> float:
    """Return the mean loss of outputs P.

    Examples
    --------
    >>> rows = Examples(np.zeros((2, 1)), np.array([0, 1], np.int32), None)
    >>> round(mean_loss("softmax", np.array([[0.5, 0.5], [0.5, 0.5]]), rows), 4)
    0.6931
    """
    Y = rows.values
    if Y is None:
        assert rows.codes is not None
        units = np.arange(1, 2) if P.shape[1] == 1 else np.arange(P.shape[1])
        Y = np.where(rows.codes[:, None] == units, rows.high, rows.low)
    return float(np.average(output_losses(output, Y, P), weights=rows.weights))
