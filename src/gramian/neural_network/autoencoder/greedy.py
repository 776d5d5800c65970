"""Greedy training of a stack: each level learns to reconstruct the codes of the one below.

Vincent, Larochelle, Lajoie, Bengio and Manzagol 2010, section 3.5. Noise is put on what a level
sees; the next one is trained on codes of inputs without noise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gramian.base.callbacks import Task
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Matrix
from gramian.neural_network.autoencoder.coding import (
    Reconstruction,
    apply_in_blocks,
    decoder_sums,
    encoded,
    level_weights,
    losses_of,
    reconstruction_gradient,
)
from gramian.neural_network.autoencoder.corruption import Corruption, corrupted, noise_of
from gramian.neural_network.autoencoder.dense_training import DenseTraining, native_output
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.training.array_optimizer import ArrayOptimizer
from gramian.neural_network.training.named_arrays import Arrays, copies_of
from gramian.neural_network.training.training import (
    ArrayTraining,
    Losses,
    RowNumbers,
    Settings,
    epochs_of,
    train_arrays,
)
from gramian.objectives.network_losses import Output


@dataclass(frozen=True)
class AutoencoderSettings:
    """The activations, the loss and the noise of an autoencoder."""

    activation: str
    output: str
    loss: Reconstruction
    tied: bool
    corruption: Corruption = "masking"
    noise_level: float = 0.0

    def of_level(self, level: int) -> tuple[str, Reconstruction]:
        """Return output activation and loss: a level above the first reconstructs codes."""
        if level == 0:
            return self.output, self.loss
        both = self.activation == "sigmoid" and self.loss == "cross_entropy"
        return self.activation, "cross_entropy" if both else "squared_error"


def train_levels(
    owner: str,
    table: Matrix,
    sizes: tuple[int, ...],
    coding: AutoencoderSettings,
    settings: Settings,
    seed: int,
    task_of: Callable[[int], Task],
    state_of: Callable[[Arrays], dict[str, Any]],
    held_out: Matrix | None = None,
) -> tuple[Arrays, list[Losses]]:
    """Train a level of each size on the codes of the one below; return weights and histories."""
    found: Arrays = {}
    histories = []
    rows, others = table, held_out
    for level, units in enumerate(sizes):
        task, below = task_of(level), dict(found)
        one = Level(level, units, coding, rows, others)
        report = lambda own, below=below: state_of({**below, **own})  # noqa: E731
        weights, history = one.train(owner, settings, seed, task, report)
        histories.append(history)
        found |= weights
        if level + 1 < len(sizes):
            rows = one.codes(weights, rows)
            others = None if others is None else one.codes(weights, others)
    return found, histories


@dataclass(frozen=True)
class Level:
    """One autoencoder of a stack, and the rows that it learns to reconstruct."""

    number: int
    units: int
    coding: AutoencoderSettings
    rows: Matrix
    held_out: Matrix | None

    def train(
        self,
        owner: str,
        settings: Settings,
        seed: int,
        task: Task,
        state_of: Callable[[Arrays], dict[str, Any]],
    ) -> tuple[Arrays, Losses]:
        """Return the weights of encoder and decoder, and the history of the training."""
        coding, (output, loss) = self.coding, self.coding.of_level(self.number)
        width, dtype = self.rows.shape[1], self.rows.dtype
        first = level_weights(self.number, width, self.units, coding.tied, seed, dtype)
        own_seed = (seed + self.number) % 2**63
        native = native_output(output, loss, coding.tied, coding.corruption, coding.noise_level)
        training: DenseTraining | _LevelTraining
        if native is None:
            training = _LevelTraining(self, first, settings, own_seed)
        else:
            training = self._native_training(native, first, settings, own_seed)
        others = self.held_out
        with one_blas_thread():
            history = train_arrays(
                owner,
                ArrayTraining(training.memory, training.epoch, len(self.rows)),
                settings,
                validation_loss=None if others is None else lambda: training.loss_of(others),
                after_epoch=lambda: task.iteration(lambda: state_of(training.weights())),
            )
        found = training.weights()
        task.done(lambda: state_of(found))
        return found, history

    def _native_training(
        self, native: tuple[Output, float], first: Arrays, settings: Settings, seed: int
    ) -> DenseTraining:
        output, factor = native
        return DenseTraining(
            (f"encoder{self.number}", f"decoder{self.number}"),
            first,
            self.coding.activation,
            output,
            Examples(self.rows, None, self.rows),
            settings,
            seed,
            noise_level=self.coding.noise_level if self.coding.corruption == "masking" else 0.0,
            factor=factor,
        )

    def codes(self, weights: Arrays, rows: Matrix) -> Matrix:
        """Return the codes of rows."""
        levels = range(self.number, self.number + 1)
        return apply_in_blocks(lambda x: encoded(weights, x, levels, self.coding.activation), rows)


class _LevelTraining:
    """The training in NumPy of a level with tied weights or other noise."""

    def __init__(self, level: Level, first: Arrays, settings: Settings, seed: int) -> None:
        self._level = level
        self._optimizer = ArrayOptimizer(first, settings)
        self._noise = noise_of(seed)
        self._limits = float(level.rows.min()), float(level.rows.max())
        self.epoch = epochs_of(self._optimizer, self._gradient, len(level.rows), settings, seed)

    @property
    def memory(self) -> Arrays:
        return self._optimizer.weights

    def weights(self) -> Arrays:
        return copies_of(self._optimizer.weights)

    def loss_of(self, rows: Matrix) -> float:
        weights, level, coding = self._optimizer.weights, self._level.number, self._level.coding

        def losses(x: Matrix) -> Matrix:
            codes = encoded(weights, x, range(level, level + 1), coding.activation)
            return losses_of(decoder_sums(weights, codes, level), x, *coding.of_level(level))

        return float(apply_in_blocks(losses, rows).mean())

    def _gradient(self, numbers: RowNumbers) -> float:
        coding, clean = self._level.coding, self._level.rows[numbers]
        noisy = corrupted(clean, coding.corruption, coding.noise_level, self._limits, self._noise)
        return reconstruction_gradient(
            self._optimizer.weights,
            self._level.number,
            noisy,
            clean,
            coding.activation,
            *coding.of_level(self._level.number),
            self._optimizer.gradients,
        )
