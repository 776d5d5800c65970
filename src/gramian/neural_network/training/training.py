"""The training loop: stochastic steps on the mean loss of batches, epoch by epoch.

    theta <- theta - eta_t v_t,   v_t from the gradient of  1/|B| sum_{i in B} l_i(theta)
                                                            + alpha/2 |W|^2

for v_t by Adam (Kingma and Ba 2015) or by momentum (Polyak 1964); biases are not penalised. An
epoch is a permutation of the rows cut into batches.
"""

import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, caller_level
from gramian.base.randomness import stream
from gramian.neural_network.training.named_arrays import Arrays

if TYPE_CHECKING:
    from gramian.neural_network.training.array_optimizer import ArrayOptimizer

Solver: TypeAlias = Literal["adam", "sgd"]
Schedule: TypeAlias = Literal["constant", "cosine"]

RowNumbers: TypeAlias = npt.NDArray[np.intp]
# From a rate to the mean loss of an epoch, and that of its first batch before any step;
# from some row numbers to the mean loss of these rows, with its gradient as a side effect;
# from no argument to the loss of held-out rows.
RunEpoch: TypeAlias = Callable[[float], tuple[float, float]]
BatchGradient: TypeAlias = Callable[[RowNumbers], float]
HeldOutLoss: TypeAlias = Callable[[], float]

_FIRST_ORDER = 1 << 40  # streams of a seed for row orders; initial weights use the lowest ones
DIVERGED = 100.0  # times the loss of the first batch


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


@dataclass
class History:
    """The mean losses by epoch, and the best epoch."""

    losses: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)
    best_epoch: int = 0
    best: float = math.inf
    waited: int = 0

    def add(self, loss: float, held_out: float | None, tol: float) -> bool:
        """Record the losses of an epoch; return whether the monitored one is the lowest so far."""
        self.losses.append(loss)
        if held_out is not None:
            self.held_out.append(held_out)
        monitored = loss if held_out is None else held_out
        self.waited = 0 if monitored < self.best - tol else self.waited + 1
        if monitored < self.best:
            self.best, self.best_epoch = monitored, len(self.losses)
            return True
        return False


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


def train_epochs(
    owner: str,
    weights: Arrays,
    epoch: RunEpoch,
    settings: Settings,
    *,
    held_out: HeldOutLoss | None = None,
    after_epoch: Callable[[], bool] | None = None,
) -> History:
    """Run epochs, each of which changes the weights, until the loss has converged.

    The loss that is watched is that of the held-out rows where there are any, and then the weights
    of the best epoch are kept; otherwise those of the last one. A mean loss that is not finite, or
    `DIVERGED` times that of the first batch, ends the training: with a warning and the weights of
    the best epoch, or an error where there was none. `after_epoch` returns True to stop.
    """
    history, kept, most = History(), _Kept(weights), math.inf
    for done in range(settings.max_iter):
        kept.note()
        mean, start = epoch(_rate(settings, done))
        if held_out is None:  # the first batch tells what the epochs before have led to
            kept.offer(start, done)
        if done == 0:
            most = DIVERGED * max(start, 1e-12)
        if not (mean <= most and _are_finite(weights)):
            _report_divergence(owner, mean, done + 1, settings, kept.epoch)
            kept.put_back()
            break
        monitored = held_out() if held_out is not None else None
        history.add(mean, monitored, settings.tol)
        if monitored is not None:
            kept.note()
            kept.offer(monitored, done + 1)
        stop = after_epoch() if after_epoch is not None else False
        limit = settings.n_iter_no_change
        if stop or (limit is not None and history.waited >= limit):
            break
    if held_out is not None:
        if kept.epoch == 0:
            raise DataError(
                f"{owner}: the loss of the rows of X_val is not finite in any epoch; scale "
                "them as X is scaled."
            )
        kept.put_back()
    return history


class _Kept:
    """The weights after the epoch of the least loss so far; 0 is before the first."""

    def __init__(self, weights: Arrays) -> None:
        self._weights = weights
        self._best = {name: w.copy() for name, w in weights.items()}
        self._noted = {name: w.copy() for name, w in weights.items()}
        self._least = math.inf
        self.epoch = 0

    def note(self) -> None:
        """Copy the weights, whose loss is not known yet."""
        for name, copy in self._noted.items():
            copy[...] = self._weights[name]

    def offer(self, loss: float, epoch: int) -> None:
        """Keep the weights noted last if their loss is the lowest."""
        if loss < self._least:
            self._least, self.epoch = loss, epoch
            self._best, self._noted = self._noted, self._best

    def put_back(self) -> None:
        """Make the best weights the present ones."""
        for name, weight in self._weights.items():
            weight[...] = self._best[name]


def _are_finite(arrays: Arrays) -> bool:
    return all(bool(np.isfinite(array).all()) for array in arrays.values())


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


def _rate(settings: Settings, epoch: int) -> float:
    """Return the rate; a cosine (Loshchilov and Hutter 2017) ends at zero."""
    if settings.learning_rate == "constant":
        return settings.learning_rate_init
    factor = 0.5 * (1 + math.cos(math.pi * epoch / settings.max_iter))
    return settings.learning_rate_init * factor


def _report_divergence(owner: str, loss: float, epoch: int, settings: Settings, best: int) -> None:
    advice = (
        f"lower learning_rate_init (now {settings.learning_rate_init:g}) or scale the data, see "
        "sklearn.preprocessing.StandardScaler"
    )
    if best == 0:
        raise DataError(
            f"{owner}: training diverged: the mean loss is {loss:.3g} in epoch {epoch}, and no "
            f"epoch improved on the initial loss; {advice}."
        )
    warnings.warn(
        f"{owner}: training diverged: the mean loss is {loss:.3g} in epoch {epoch}. The weights of "
        f"epoch {best} are kept. To train further, {advice}.",
        ConvergenceWarning,
        stacklevel=caller_level(),
    )
