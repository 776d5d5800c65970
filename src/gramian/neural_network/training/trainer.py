"""The training loop of all networks: epochs, validation, early stopping, history, callbacks.

The loop runs the epochs of a `Trainable`: native code, layers in NumPy, or PyTorch on a GPU.
"""

import math
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, caller_level
from gramian.neural_network.training.schedules import Rate

_DIVERGED = 1000.0  # times the loss of the first batch


class EpochResult(NamedTuple):
    """The results of an epoch."""

    loss: float  # mean over the rows, before each step
    start: float  # loss of the first batch, before any step
    rows: int  # number of rows visited
    finite: bool  # whether the loss and the weights are
    curves: dict[str, float | None]  # further values for the history


class Validation(NamedTuple):
    """The loss of the validation rows, and their score if it is what training monitors."""

    loss: float
    score: float | None = None


class Trainable(Protocol):
    """A network with its optimiser and its training rows: what `train` needs of a back end."""

    def epoch(self, rate: float) -> EpochResult:
        """Run one epoch."""

    def save(self) -> Any:
        """Return a copy of the weights."""

    def restore(self, saved: Any) -> None:
        """Restore weights that `save` returned."""


@dataclass(frozen=True)
class StoppingRule:
    """When to stop: no improvement by at least `tol` in more than `patience` epochs in a row.

    `least_loss` is a loss that does not count as small: training diverges when the loss exceeds
    a multiple of it and of the first batch's loss. With `judge_by_next_batch`, the first batch of
    the next epoch decides whether weights are good enough to return to; otherwise the mean loss of
    the epoch that led to them does.
    """

    max_iter: int
    tol: float
    patience: float
    warns: bool = True  # of reaching max_iter
    least_loss: float = 1e-12
    judge_by_next_batch: bool = False


@dataclass
class History:
    """The curves of training, one value per epoch.

    `loss`, `error` (classification), `learning_rate` and `gradient_norm` are of the training rows
    during the epoch; `validation_loss` and `validation_score` are of the validation rows after it.
    """

    curves: dict[str, list[float]] = field(default_factory=dict)

    def add(self, **values: float | None) -> None:
        """Append the values that are not None to the curves."""
        for name, value in values.items():
            if value is not None:
                self.curves.setdefault(name, []).append(value)


@dataclass
class Progress:
    """The best value of the monitored loss, or of minus the score; lower is better."""

    tol: float
    best: float = math.inf
    best_epoch: int = 0
    stalled: int = 0  # epochs since the last improvement

    def add(self, monitored: float, epoch: int) -> bool:
        """Record an epoch; return whether its value is the lowest so far."""
        self.stalled = 0 if monitored <= self.best - self.tol else self.stalled + 1
        if not monitored < self.best:
            return False
        self.best, self.best_epoch = monitored, epoch
        return True


class Outcome(NamedTuple):
    """The number of epochs, and the values of the last and of the best one."""

    epochs: int
    loss: float  # of the last epoch, or of the best one after divergence
    best_loss: float
    best_monitored: float  # lowest loss, or minus the highest validation score
    best_epoch: int


def train(
    owner: str,
    network: Trainable,
    rate: Rate,
    rule: StoppingRule,
    history: History,
    *,
    validate: Callable[[], Validation] | None = None,
    after_epoch: Callable[[], bool] | None = None,
    verbose: bool = False,
) -> Outcome:
    """Train until the stopping rule applies; with `validate`, keep the weights of the best epoch.

    A loss that is not finite or too large ends the training: with a warning and the weights of the
    best epoch, or with an error if no epoch succeeded. `after_epoch` returns True to stop.
    """
    progress, best = Progress(rule.tol), _BestWeights(network)
    best_loss = loss = limit = math.inf
    rows = epoch = 0
    improving = True
    for epoch in range(1, rule.max_iter + 1):
        now = rate.at(epoch - 1, rows)
        before = network.save() if rule.judge_by_next_batch and validate is None else None
        done = network.epoch(now)
        rows += done.rows
        if before is not None:
            best.update(before, done.start, epoch - 1)
        if epoch == 1:
            limit = _DIVERGED * max(done.start, rule.least_loss)
        if not (done.finite and done.loss <= limit):
            _report_divergence(owner, done, epoch, now, best.epoch)
            best.restore()
            return Outcome(epoch, best_loss, best_loss, progress.best, progress.best_epoch)
        loss, best_loss = done.loss, min(best_loss, done.loss)
        found = None if validate is None else validate()
        _record(history, done, now, found)
        if verbose:
            _print_epoch(owner, epoch, loss, found)
        monitored = loss if found is None else found.loss if found.score is None else -found.score
        if progress.add(monitored, epoch) and before is None:
            best.update(network.save(), monitored, epoch)
        if after_epoch is not None and after_epoch():
            improving = False
            break
        if progress.stalled > rule.patience:
            if not rate.lower():
                improving = False
                break
            progress.stalled = 0
    if improving and rule.warns:
        warnings.warn(
            f"{owner}: not converged: the {'loss' if validate is None else 'validation score'} "
            f"still improves after max_iter={rule.max_iter} epochs; raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    if validate is not None:
        if best.epoch == 0:
            raise DataError(
                f"{owner}: the loss of the validation rows is not finite in any epoch; scale X_val "
                "in the same way as X."
            )
        best.restore()
    return Outcome(epoch, loss, best_loss, progress.best, progress.best_epoch)


class _BestWeights:
    """The weights with the lowest loss so far, and the epoch that led to them."""

    def __init__(self, network: Trainable) -> None:
        self._network = network
        self._saved: Any = None
        self._least = math.inf
        self.epoch = 0  # 0: before the first epoch, or none

    def update(self, saved: Any, loss: float, epoch: int) -> None:
        """Keep these weights if their loss is the lowest."""
        if loss < self._least:
            self._saved, self._least, self.epoch = saved, loss, epoch

    def restore(self) -> None:
        """Restore the network's best weights."""
        self._network.restore(self._saved)


def _record(
    history: History, done: EpochResult, rate: float, validation: Validation | None
) -> None:
    history.add(
        loss=done.loss,
        **done.curves,
        learning_rate=rate,
        validation_loss=None if validation is None else validation.loss,
        validation_score=None if validation is None else validation.score,
    )


def _print_epoch(owner: str, epoch: int, loss: float, validation: Validation | None) -> None:
    tail = ""
    if validation is not None and validation.score is not None:
        tail = f", validation score {validation.score:.6g}"
    sys.stdout.write(f"{owner}: Iteration {epoch}, loss = {loss:.6g}{tail}\n")


def _report_divergence(
    owner: str, done: EpochResult, epoch: int, rate: float, best_epoch: int
) -> None:
    """Warn if there are weights of a successful epoch, raise otherwise."""
    what = "grows without bound" if done.finite else "is not finite"
    advice = (
        f"lower learning_rate_init (the rate was {rate:.2g}), or scale X and y, for example by "
        "sklearn.preprocessing.StandardScaler"
    )
    if best_epoch == 0:
        when = "the first epoch" if epoch == 1 else f"epoch {epoch}, and no epoch lowered it"
        raise DataError(f"{owner}: training diverges: the loss {what} in {when}; {advice}.")
    warnings.warn(
        f"{owner}: not converged: the loss {what} in epoch {epoch}; {advice}. The weights of the "
        f"best epoch are kept, epoch {best_epoch}.",
        ConvergenceWarning,
        stacklevel=caller_level(),
    )
