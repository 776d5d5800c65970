"""Training of named arrays: stochastic steps on the mean loss of batches, epoch by epoch.

    theta <- theta - eta_t v_t,   v_t from the gradient of  1/|B| sum_{i in B} l_i(theta)
                                                            + alpha/2 |W|^2

for v_t by Adam (Kingma and Ba 2015) or by momentum (Polyak 1964); biases are not penalised. An
epoch is a permutation of the rows cut into batches.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.randomness import stream
from gramian.neural_network.training.named_arrays import Arrays, copies_of
from gramian.neural_network.training.schedules import Rate
from gramian.neural_network.training.trainer import (
    EpochResult,
    History,
    StoppingRule,
    Validation,
    train,
)

if TYPE_CHECKING:
    from gramian.neural_network.training.array_optimizer import ArrayOptimizer

Solver: TypeAlias = Literal["adam", "sgd"]
Schedule: TypeAlias = Literal["constant", "cosine"]

RowNumbers: TypeAlias = npt.NDArray[np.intp]
# From a rate to the mean loss of an epoch, and that of its first batch before any step;
# from some row numbers to the mean loss of these rows, with its gradient as a side effect.
RunEpoch: TypeAlias = Callable[[float], tuple[float, float]]
BatchGradient: TypeAlias = Callable[[RowNumbers], float]

_FIRST_ORDER = 1 << 40  # streams of a seed for row orders; initial weights use the lowest ones


@dataclass(frozen=True)
class Settings:
    """How a network is trained; the parameters of `TrainingParameters`."""

    solver: Solver = "adam"
    learning_rate_init: float = 1e-3
    learning_rate: Schedule = "constant"
    momentum: float = 0.9
    alpha: float = 0.0
    batch_size: int = 200
    max_iter: int = 200
    tol: float = 1e-4
    n_iter_no_change: int | None = 10
    least_batch: int = 1  # batch normalisation needs two rows


def epochs_of(
    optimizer: "ArrayOptimizer",
    gradient: BatchGradient,
    n_samples: int,
    settings: Settings,
    seed: int,
) -> RunEpoch:
    """Return a function that runs epochs: `gradient` of each batch, then a step."""
    done = 0

    def epoch(rate: float) -> tuple[float, float]:
        nonlocal done
        losses, sizes = [], []
        for rows in batches(row_order(n_samples, seed, done), settings):
            losses.append(gradient(rows))
            sizes.append(len(rows))
            optimizer.step(rate)
        done += 1
        return float(np.dot(losses, sizes)) / n_samples, losses[0]

    return epoch


@dataclass(frozen=True)
class ArrayTraining:
    """A network for `train` whose epochs change arrays in place."""

    arrays: Arrays
    run_epoch: RunEpoch
    n_samples: int

    def epoch(self, rate: float) -> EpochResult:
        """Run one epoch."""
        loss, start = self.run_epoch(rate)
        finite = all(bool(np.isfinite(array).all()) for array in self.arrays.values())
        return EpochResult(loss, start, self.n_samples, finite and not math.isnan(loss), {})

    def save(self) -> Arrays:
        """Return copies of the arrays."""
        return copies_of(self.arrays)

    def restore(self, saved: Arrays) -> None:
        """Write copies back into the arrays."""
        for name, array in self.arrays.items():
            array[...] = saved[name]


class Losses(NamedTuple):
    """The mean losses by epoch, and the best epoch."""

    training: list[float]
    validation: list[float]
    best_epoch: int


def train_arrays(
    owner: str,
    network: ArrayTraining,
    settings: Settings,
    *,
    validation_loss: Callable[[], float] | None = None,
    after_epoch: Callable[[], bool] | None = None,
) -> Losses:
    """Train by `settings`; the loss of validation rows, if any, decides when to stop."""
    wait = settings.n_iter_no_change
    rule = StoppingRule(
        settings.max_iter,
        settings.tol,
        math.inf if wait is None else wait,
        warns=False,
        judge_by_next_batch=True,
    )
    history = History()
    found = train(
        owner,
        network,
        Rate(settings.learning_rate, settings.learning_rate_init, max_iter=settings.max_iter),
        rule,
        history,
        validate=None if validation_loss is None else lambda: Validation(validation_loss()),
        after_epoch=after_epoch,
    )
    curves = history.curves
    return Losses(curves.get("loss", []), curves.get("validation_loss", []), found.best_epoch)


def row_order(n_samples: int, seed: int, epoch: int) -> RowNumbers:
    """Return the random order of the rows in an epoch.

    Examples
    --------
    >>> sorted(row_order(4, 0, 0).tolist())
    [0, 1, 2, 3]
    """
    return stream(seed, _FIRST_ORDER + epoch).permutation(n_samples)


def batches(order: RowNumbers, settings: Settings) -> Iterator[RowNumbers]:
    """Cut the rows into batches; a last one that is too small joins the one before."""
    size, rest = settings.batch_size, len(order) % settings.batch_size
    end = len(order)
    if 0 < rest < settings.least_batch and end > size:
        end -= size + rest
    for first in range(0, end, size):
        yield order[first : min(first + size, end)]
    if end < len(order):
        yield order[end:]
