"""Stochastic gradient descent, row by row.

One epoch visits every row once, in random order, and takes for each a step against the gradient
of its loss and of the penalty (Robbins and Monro 1951; Bottou 2012):

    w <- w - eta_t (L'(y_i, z_i) x_i + alpha (1 - l1_ratio) w),   b <- b - eta_t L'(y_i, z_i)

The l1 part of the penalty is applied in full by clipping at zero (Tsuruoka, Tsujii and Ananiadou
2009).
"""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats
from gramian.objectives.loss import Loss
from gramian.objectives.margin import (
    Exponential,
    Hinge,
    LogitMargin,
    ModifiedHuber,
    PerceptronLoss,
    SquaredHinge,
)
from gramian.objectives.regression import (
    EpsilonInsensitive,
    Huber,
    SquaredEpsilonInsensitive,
    SquaredError,
)

Rate: TypeAlias = Literal["optimal", "constant", "invscaling", "adaptive", "pa1", "pa2"]
RegressionLoss: TypeAlias = Literal[
    "squared_error",
    "huber",
    "epsilon_insensitive",
    "squared_epsilon_insensitive",
    "absolute_error",
]
MarginLoss: TypeAlias = Literal[
    "hinge", "log_loss", "modified_huber", "squared_hinge", "perceptron", "exponential"
]

_NATIVE_NAMES = {"log_loss": "logistic", "squared_error": "squared"}  # where they differ
_GROUP_ROWS = 16  # adjacent rows that stay together in a shuffle,
_MIN_GROUPED_ROWS = (
    10_000  # from this number of rows: fewer fit into the cache, and are often sorted by class
)


@dataclass
class Steps:
    """The weights of one output and the state of their descent between epochs."""

    n_features: int
    loss: str
    epsilon: float
    alpha: float
    l1_ratio: float
    rate: Rate
    eta0: float
    power: float
    fit_intercept: bool
    average_from: float  # step from which weights are averaged; infinite means never
    w: Floats = field(init=False)
    updates: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if self.loss == "absolute_error":  # a tube of width 0
            self.loss, self.epsilon = "epsilon_insensitive", 0.0
        self.w = np.zeros(self.n_features)
        self._scalars = np.array([0.0, 1.0, 0.0, 0.0])  # b, t, cumulative l1 penalty, sum of b
        self._l1_applied = np.zeros(self.n_features) if self.l1_ratio > 0 else None
        self._sum = np.zeros(self.n_features) if np.isfinite(self.average_from) else None

    @property
    def b(self) -> float:
        """The bias."""
        return float(self._scalars[0])

    @property
    def t(self) -> float:
        """1 plus the number of steps."""
        return float(self._scalars[1])

    def set(self, w: npt.ArrayLike, b: float) -> None:
        """Set the weights."""
        self.w[:] = w
        self._scalars[0] = b

    def epoch(
        self,
        X: Data,
        y: Floats,
        weights: Floats | None,
        order: npt.NDArray[np.int32],
    ) -> float:
        """Visit the rows in the given order; return the sum of the losses before each step.

        Sets `updates` to the number of steps that changed the weights by their row.
        """
        options = _native.EpochOptions(
            loss=_NATIVE_NAMES.get(self.loss, self.loss),
            epsilon=self.epsilon,
            alpha=self.alpha,
            l1_ratio=self.l1_ratio,
            rate=_native.LearningRate(
                "constant" if self.rate == "adaptive" else self.rate,
                eta0=self.eta0,
                power=self.power,
                optimal_start=self._optimal_start(),
            ),
            intercept=self.fit_intercept,
            sum_from=self.average_from,
        )
        state = _native.EpochState(self.w, self._scalars, self._l1_applied, self._sum)
        loss, self.updates = _native.sgd_epoch(options, native_table(X), y, weights, order, state)
        return float(loss)

    def cost(
        self, X: Data, y: Floats, weights: Floats | None, rows: npt.NDArray[np.int32]
    ) -> float:
        """Return the mean loss plus the penalty at the result, by an epoch of steps of size 0."""
        w, b = self.result()
        still = replace(
            self, alpha=0.0, l1_ratio=0.0, rate="constant", eta0=0.0, average_from=np.inf
        )
        still.set(w, b)
        total = float(len(rows) if weights is None else weights[rows].sum())
        with np.errstate(over="ignore", invalid="ignore"):
            penalty = self.l1_ratio * np.abs(w).sum() + (1 - self.l1_ratio) / 2 * (w @ w)
            return float(
                still.epoch(X, y, weights, rows) / max(total, 1e-300) + self.alpha * penalty
            )

    def move_to(self, w: Floats, b: float) -> None:
        """Set the weights, and the average as if all steps had been at this point."""
        self.set(w, b)
        if self._sum is not None:
            counted = max(self.t - max(self.average_from, 1.0), 0.0)
            self._sum[:], self._scalars[3] = w * counted, b * counted

    def _optimal_start(self) -> float:
        """Return t0 of 1 / (alpha (t0 + t - 1)), so that the first step has a typical size."""
        if self.rate != "optimal":
            return 0.0
        typical = np.sqrt(1 / np.sqrt(self.alpha))
        wrong = loss_by_name(self.loss, self.epsilon).derivative(np.ones(1), np.array([-typical]))
        first = typical / max(1.0, float(np.abs(wrong[0])))
        return float(1 / (first * self.alpha))

    def result(self) -> tuple[Floats, float]:
        """Return weights and bias, averaged if averaging has started."""
        counted = self.t - max(self.average_from, 1.0)
        if self._sum is None or counted <= 0:
            return self.w.copy(), self.b
        return self._sum / counted, float(self._scalars[3] / counted)

    def state(self) -> dict[str, Floats | None]:
        """Return the state needed to continue, as arrays."""
        return {
            "w": self.w,
            "scalars": self._scalars,
            "l1_applied": self._l1_applied,
            "sum": self._sum,
        }

    def resume(self, state: dict[str, Floats | None]) -> None:
        """Continue from a state; missing parts start at zero."""
        mine = self.state()
        for name, array in mine.items():
            before = state[name]
            if array is not None and before is not None:
                array[:] = before


def loss_by_name(name: str, epsilon: float) -> Loss:
    """Return the loss with this name."""
    match name:
        case "hinge":
            return Hinge()
        case "squared_hinge":
            return SquaredHinge()
        case "perceptron":
            return PerceptronLoss()
        case "log_loss":
            return LogitMargin(scale=1.0)
        case "modified_huber":
            return ModifiedHuber()
        case "exponential":
            return Exponential()
        case "squared_error":
            return SquaredError()
        case "huber":
            return Huber(epsilon)
        case "epsilon_insensitive":
            return EpsilonInsensitive(epsilon)
        case "squared_epsilon_insensitive":
            return SquaredEpsilonInsensitive(epsilon)
        case _:
            raise AssertionError(name)


def epoch_order(n: int, *, shuffle: bool, seed: int, epoch: int) -> npt.NDArray[np.int32]:
    """Return the order in which an epoch visits the rows, random if `shuffle`.

    With many rows, groups of adjacent rows are shuffled, and the rows within each group, so that
    memory is read in runs.
    """
    order = np.arange(n, dtype=np.int32)
    if shuffle:
        _native.random_order(order, _GROUP_ROWS if n >= _MIN_GROUPED_ROWS else 1, seed, epoch)
    return order
