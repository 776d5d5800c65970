"""Epochs of stochastic steps, until training no longer improves."""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gramian.base.callbacks import Task
from gramian.base.errors import DataError, caller_level
from gramian.base.types import Matrix
from gramian.neural_network.mlp.descent import Descent, Epoch, Examples, Steps
from gramian.neural_network.mlp.network import Network
from gramian.neural_network.mlp.row_sampler import RowSampler
from gramian.neural_network.mlp.schedules import Rate
from gramian.objectives.network_losses import output_losses

_DIVERGED = 1000.0  # times the loss of the first batch, or that of outputs without any weights


@dataclass
class History:
    """The curves of training, one value per epoch.

    `loss`, `error` (classification), `learning_rate` and `gradient_norm` are of the training rows
    on the way; `validation_loss` and `validation_score` of held-out rows at the end of the epoch.
    """

    curves: dict[str, list[float]] = field(default_factory=dict)

    def add(self, **values: float | None) -> None:
        """Append the values that are not None to the curves."""
        for name, value in values.items():
            if value is not None:
                self.curves.setdefault(name, []).append(value)


@dataclass(frozen=True)
class HeldOut:
    """Validation rows, and the function that scores outputs for them."""

    rows: Examples
    score: Callable[[Matrix], float]


@dataclass(frozen=True)
class StoppingRule:
    """When to stop: no improvement by more than `tol` in more than `patience` epochs in a row."""

    max_iter: int
    tol: float
    patience: float
    warns: bool = True  # of reaching max_iter


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


def train(
    owner: str,
    descent: Descent,
    steps: Steps,
    rate: Rate,
    sampler: RowSampler,
    rows: Examples,
    held: HeldOut | None,
    rule: StoppingRule,
    history: History,
    task: Task,
    state: Callable[[Descent], dict[str, object]],
    verbose: bool = False,
) -> Outcome:
    """Run epochs until the stopping rule applies; with validation rows, keep the best weights."""
    best = descent.copy()
    best_loss, best_score, stalled, most = np.inf, -np.inf, 0, np.inf
    seen, loss, epoch, improving = 0, np.inf, 0, True
    for epoch in range(1, rule.max_iter + 1):
        now = rate.at(epoch - 1, seen)
        order = sampler.order(epoch - 1)
        done = descent.epoch(steps, now, rows, order, sampler.weights(), sampler.losses)
        seen += len(order)
        if epoch == 1:
            most = _DIVERGED * max(done.start, _loss_without_weights(descent.network, rows))
        if not (done.finite and done.loss <= most):
            _report_divergence(owner, done, epoch, now, best_loss)
            return Outcome(best, epoch, best_loss, best_loss, None if held is None else best_score)
        loss = done.loss
        score = _record(history, done, now, rows, descent, held)
        if verbose:
            tail = "" if score is None else f", validation score {score:.6g}"
            sys.stdout.write(f"{owner}: Iteration {epoch}, loss = {loss:.6g}{tail}\n")
        if score is not None:
            improved, better = score >= best_score + rule.tol, score > best_score
            best_score = max(best_score, score)
        else:
            improved, better = loss <= best_loss - rule.tol, loss < best_loss
        best_loss = min(best_loss, loss)
        if better:
            best = descent.copy()
        stalled = 0 if improved else stalled + 1
        if task.iteration(lambda: state(descent), name="epoch"):
            improving = False
            break
        if stalled > rule.patience:
            if not rate.lower():
                improving = False
                break
            stalled = 0
    if improving and rule.warns:
        warnings.warn(
            f"{owner}: not converged: the {'loss' if held is None else 'validation score'} still "
            f"improves after max_iter={rule.max_iter} epochs; raise max_iter or tol.",
            ConvergenceWarning,
            stacklevel=caller_level(),
        )
    if held is None:
        return Outcome(descent, epoch, loss, best_loss, None)
    return Outcome(best, epoch, loss, best_loss, best_score)


def _record(
    history: History,
    done: Epoch,
    rate: float,
    rows: Examples,
    descent: Descent,
    held: HeldOut | None,
) -> float | None:
    """Append an epoch to the history; return the score of the held-out rows."""
    error = None if rows.codes is None else 1 - done.right / len(rows)
    score = held_loss = None
    if held is not None:
        outputs = descent.outputs(held.rows.X)
        score = held.score(outputs)
        held_loss = mean_loss(descent.network.output, outputs, held.rows)
    history.add(
        loss=done.loss,
        error=error,
        learning_rate=rate,
        gradient_norm=done.gradient_norm,
        validation_loss=held_loss,
        validation_score=score,
    )
    return score


def _report_divergence(owner: str, done: Epoch, epoch: int, rate: float, best_loss: float) -> None:
    advice = (
        f"lower learning_rate_init (the rate was {rate:.2g}), or scale X and y, for example to "
        "unit variance"
    )
    if not np.isfinite(best_loss):
        what = "grows without bound" if done.finite else "is not finite"
        raise DataError(f"{owner}: the loss {what} in the first epoch; {advice}.")
    warnings.warn(
        f"{owner}: not converged: the loss grew without bound in epoch {epoch}; {advice}. The "
        "weights of the best epoch are kept.",
        ConvergenceWarning,
        stacklevel=caller_level(),
    )


def _loss_without_weights(network: Network, rows: Examples) -> float:
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
