"""The state of training a network: parameters and moments of the optimiser."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.rows.native_table import native_table
from gramian.base.types import Data, Floats, Matrix
from gramian.neural_network.mlp.network import NORM_EPSILON, Network

Optimizer: TypeAlias = Literal["none", "sgd", "adagrad", "rmsprop", "adam", "amsgrad"]
RowOrder: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int32]]

_MOMENTS = {
    "sgd": ("first",),
    "adagrad": ("second",),
    "rmsprop": ("second",),
    "adam": ("first", "second"),
    "amsgrad": ("first", "second", "largest"),
}
NORM_KEEP = 0.9  # of the running averages of batch normalisation, per step


@dataclass(frozen=True)
class Examples:
    """Rows with their targets: codes of classes, or values (n, outputs), and weights."""

    X: Data
    codes: npt.NDArray[np.int32] | None
    values: Matrix | None
    high: float = 1.0  # the target of a row's own class
    low: float = 0.0  # and of the others
    weights: Floats | None = None

    def __len__(self) -> int:
        return int(self.X.shape[0])

    def take(self, rows: npt.NDArray[np.intp]) -> "Examples":
        """Return some of the rows."""

        def of(array: Any) -> Any:
            return None if array is None else np.ascontiguousarray(array[rows])

        X = self.X[rows]
        return replace(
            self, X=X, codes=of(self.codes), values=of(self.values), weights=of(self.weights)
        )

    def astype(self, dtype: npt.DTypeLike) -> "Examples":
        """Return the rows with numbers of this type."""
        values = None if self.values is None else self.values.astype(dtype, copy=False)
        return replace(self, X=self.X.astype(dtype, copy=False), values=values)


@dataclass(frozen=True)
class Steps:
    """The settings of an optimiser step, except the learning rate."""

    optimizer: Optimizer
    alpha: float = 0.0
    divides_penalty: bool = True  # by the weight of a batch; otherwise the loss excludes it
    penalize_intercepts: bool = False
    momentum: float = 0.9
    nesterov: bool = True
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8
    layer_rates: tuple[float, ...] = ()
    dropout: tuple[float, ...] = ()  # of the inputs and of each hidden layer
    scales_inputs: bool = True  # those that dropout keeps
    noise: float = 0.0
    noise_decay: float = 0.55
    batch_size: int = 200
    seed: int = 0

    def native(self, network: Network, rate: float, batch: int | None = None) -> Any:
        """Return the settings in the form that native code reads."""
        layers = len(network.widths) - 1
        return _native.NetworkSettings(
            widths=list(network.widths),
            activations=list(network.activations),
            output=network.output,
            batch_norm=network.batch_norm,
            optimizer=self.optimizer,
            rate=rate,
            momentum=self.momentum,
            nesterov=self.nesterov,
            beta_1=self.beta_1,
            beta_2=self.beta_2,
            epsilon=self.epsilon,
            layer_rates=list(self.layer_rates or (1.0,) * layers),
            alpha=self.alpha,
            divides_penalty=self.divides_penalty,
            penalize_intercepts=self.penalize_intercepts,
            dropout=list(self.dropout or (0.0,) * layers),
            scales_inputs=self.scales_inputs,
            noise=self.noise,
            noise_decay=self.noise_decay,
            norm_keep=NORM_KEEP,
            norm_epsilon=NORM_EPSILON,
            seed=self.seed % 2**64,
            batch=self.batch_size if batch is None else batch,
        )


class Epoch(NamedTuple):
    """The results of an epoch."""

    loss: float  # mean over the rows, before each step, with the penalty
    start: float  # that of the first batch, before any step
    right: int  # rows classified correctly before each step
    gradient_norm: float  # root of the mean square over the steps
    finite: bool


@dataclass
class Descent:
    """The state of training: a vector of parameters, moments, running averages, steps."""

    network: Network
    parameters: Matrix
    moments: dict[str, Matrix] = field(default_factory=dict)
    mean: Matrix | None = None
    variance: Matrix | None = None
    mask: Matrix | None = None
    t: int = 0

    @classmethod
    def begin(
        cls, network: Network, parameters: Matrix, optimizer: Optimizer, mask: Matrix | None = None
    ) -> "Descent":
        """Return the state before the first step; masked weights are 0 and remain so."""
        zeros = {name: np.zeros_like(parameters) for name in _MOMENTS.get(optimizer, ())}
        made = cls(network, parameters if mask is None else parameters * mask, zeros, mask=mask)
        if network.batch_norm:
            made.mean = np.zeros(network.hidden_units, parameters.dtype)
            made.variance = np.ones(network.hidden_units, parameters.dtype)
        return made

    def copy(self) -> "Descent":
        """Return a copy that shares nothing that training changes."""
        return replace(
            self,
            parameters=self.parameters.copy(),
            moments={name: array.copy() for name, array in self.moments.items()},
            mean=None if self.mean is None else self.mean.copy(),
            variance=None if self.variance is None else self.variance.copy(),
        )

    def epoch(
        self,
        steps: Steps,
        rate: float,
        rows: Examples,
        order: RowOrder,
        weights: Floats | None,
        losses: Floats | None = None,
    ) -> Epoch:
        """Run one epoch; `losses` receives the loss of every row visited."""
        loss, start, right, square, finite, self.t = _native.network_epoch(
            steps.native(self.network, rate),
            native_table(rows.X),
            rows.codes,
            rows.values,
            rows.high,
            rows.low,
            weights,
            order,
            self._arrays(),
            self.t,
            losses,
        )
        return Epoch(loss, start, right, float(np.sqrt(square)), finite)

    def gradient(self, steps: Steps, rows: Examples) -> tuple[float, Matrix]:
        """Return the mean loss with its penalty, and the gradient, over all rows as one batch."""
        out = np.empty_like(self.parameters)
        bare = replace(steps, optimizer="none")
        loss = _native.network_gradient(
            bare.native(self.network, 0.0, batch=len(rows)),
            native_table(rows.X),
            rows.codes,
            rows.values,
            rows.high,
            rows.low,
            rows.weights,
            replace(self, moments={}, mean=None, variance=None)._arrays(),
            self.t,
            out,
        )
        return loss, out

    def outputs(self, X: Data) -> Matrix:
        """Return the outputs for every row of X, in prediction mode."""
        return self.network.outputs(
            X, self.network.split(self.parameters), self.mean, self.variance
        )

    def _arrays(self) -> Any:
        single = self.parameters.dtype == np.float32
        make = _native.NetworkArraysF32 if single else _native.NetworkArraysF64
        return make(
            self.parameters,
            first=self.moments.get("first"),
            second=self.moments.get("second"),
            largest=self.moments.get("largest"),
            mean=self.mean,
            variance=self.variance,
            mask=self.mask,
        )
