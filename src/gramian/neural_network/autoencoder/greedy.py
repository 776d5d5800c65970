"""Greedy training of a stack: each level learns to reconstruct the codes of the one below.

Vincent, Larochelle, Lajoie, Bengio and Manzagol 2010, section 3.5. Noise is put on what a level
sees; the next one is trained on codes of inputs without noise.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gramian.base.callbacks import Task
from gramian.base.types import Matrix
from gramian.neural_network.autoencoder.coding import (
    Reconstruction,
    backward_reconstruction,
    decoder_sums,
    encoded,
    level_weights,
    losses_of,
    products_of,
)
from gramian.neural_network.autoencoder.corruption import Corruption, corrupted, noise_of
from gramian.neural_network.autoencoder.native_level import NativeLevel, is_native
from gramian.neural_network.torch_training.tensors import (
    Arrays,
    Tensor,
    Tensors,
    arrays_of,
    generator_of,
    tensor_of,
    tensors_of,
    torch_threads,
)
from gramian.neural_network.torch_training.training import (
    History,
    Settings,
    train,
    train_epochs,
)


@dataclass(frozen=True)
class Coding:
    """How rows are coded and which noise is put on them."""

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
    coding: Coding,
    settings: Settings,
    seed: int,
    task_of: Callable[[int], Task],
    state_of: Callable[[Arrays], dict[str, Any]],
    held_out: Matrix | None = None,
) -> tuple[Arrays, list[History]]:
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
    coding: Coding
    rows: Matrix
    held_out: Matrix | None

    def train(
        self,
        owner: str,
        settings: Settings,
        seed: int,
        task: Task,
        state_of: Callable[[Arrays], dict[str, Any]],
    ) -> tuple[Arrays, History]:
        """Return the weights of encoder and decoder, and what happened."""
        coding, (output, loss) = self.coding, self.coding.of_level(self.number)
        width, dtype = self.rows.shape[1], self.rows.dtype
        first = level_weights(self.number, width, self.units, coding.tied, seed, dtype)
        noise = coding.corruption, coding.noise_level
        if is_native(loss, coding.tied, *noise, settings):
            return self._train_natively(owner, first, settings, seed, task, state_of)
        with torch_threads(products_of(first, settings.batch_size)) as torch:
            weights, own_seed = tensors_of(first), (seed + self.number) % 2**63
            generator, drawn = generator_of(own_seed), noise_of(own_seed)
            x, limits = tensor_of(self.rows), (float(self.rows.min()), float(self.rows.max()))
            x_val = None if self.held_out is None else tensor_of(self.held_out)

            def backward(numbers: Tensor) -> Tensor:
                clean = x.index_select(0, numbers)
                noisy = corrupted(clean, *noise, limits, drawn)
                return backward_reconstruction(self._sums(weights, noisy), clean, output, loss)

            def loss_held_out() -> float:
                with torch.no_grad():
                    return float(losses_of(self._sums(weights, x_val), x_val, output, loss).mean())

            history = train(
                owner,
                weights,
                backward,
                len(self.rows),
                settings,
                generator,
                held_out=None if x_val is None else loss_held_out,
                after_epoch=lambda: task.iteration(lambda: state_of(arrays_of(weights))),
            )
            found = arrays_of(weights)
        task.done(lambda: state_of(found))
        return found, history

    def _train_natively(
        self,
        owner: str,
        first: Arrays,
        settings: Settings,
        seed: int,
        task: Task,
        state_of: Callable[[Arrays], dict[str, Any]],
    ) -> tuple[Arrays, History]:
        coding, others, own_seed = self.coding, self.held_out, (seed + self.number) % 2**63
        level = NativeLevel(
            self.number, first, self.rows, coding.activation, coding.noise_level, settings, own_seed
        )
        history = train_epochs(
            owner,
            level.tensors,
            level.epoch,
            settings,
            held_out=None if others is None else lambda: level.loss_of(others),
            after_epoch=lambda: task.iteration(lambda: state_of(level.weights())),
        )
        found = level.weights()
        task.done(lambda: state_of(found))
        return found, history

    def _sums(self, weights: Tensors, x: Tensor) -> Tensor:
        """Return the decoder's sums for the codes of x."""
        return decoder_sums(weights, self._encoded(weights, x), self.number)

    def _encoded(self, weights: Tensors, x: Tensor) -> Tensor:
        return encoded(weights, x, range(self.number, self.number + 1), self.coding.activation)

    def codes(self, weights: Arrays, rows: Matrix) -> Matrix:
        """Return the codes of rows."""
        with torch_threads(products_of(weights, len(rows))) as torch, torch.no_grad():
            found: Matrix = self._encoded(tensors_of(weights), tensor_of(rows)).numpy()
        return found
