"""The base of multi-layer perceptrons: training on checked rows, and outputs."""

import warnings
from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils.metaestimators import available_if

from gramian.base.callbacks import Task, print_progress, with_callbacks
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import check_params, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import check_held_out
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Matrix, Table
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.fitted_network import FittedNetwork
from gramian.neural_network.mlp.full_batch import FULL_BATCH, minimize_loss
from gramian.neural_network.mlp.initialization import initial_parameters
from gramian.neural_network.mlp.layer_inspection import InspectedNetwork
from gramian.neural_network.mlp.mlp_parameters import MLPParameters
from gramian.neural_network.mlp.mlp_settings import check_together, mask_of, network_of, steps_of
from gramian.neural_network.mlp.network import Network
from gramian.neural_network.mlp.rate_search import searched_rate
from gramian.neural_network.mlp.row_sampler import RowSampler
from gramian.neural_network.mlp.training import (
    HeldOut,
    Outcome,
    PerceptronTraining,
    loss_without_weights,
)
from gramian.neural_network.training.schedules import Rate
from gramian.neural_network.training.trainer import History, StoppingRule, train

_LARGEST = 1e100  # absolute value of X and y whose squares can be added up


class _Earlier(NamedTuple):
    """The training before `partial_fit`: epochs, rows seen, the initial rate."""

    epochs: int = 0
    seen: int = 0
    rate: float | None = None


_NOTHING = _Earlier()


@dataclass(frozen=True)
class _Fit:
    """The data and settings of one fit."""

    network: Network
    rows: Examples
    held: HeldOut | None
    steps: Steps
    seed: int
    task: Task
    earlier: _Earlier = _NOTHING


def stochastic(model: Estimator) -> bool:
    """Return whether the solver is stochastic; raise if `partial_fit` needs it to be."""
    if model.solver not in FULL_BATCH:
        return True
    raise AttributeError(
        f"{type(model).__name__}: partial_fit needs a stochastic solver, for example 'adam'; "
        f"solver is {model.solver!r}"
    )


@params
class MultilayerPerceptron(InspectedNetwork, FittedNetwork, MLPParameters):
    """A network trained by gradients; classifiers and regressors differ in targets and outputs."""

    takes_sparse: ClassVar[bool] = True
    parametric: ClassVar[bool | None] = True

    def _check_resumed(self, y: npt.ArrayLike) -> None:
        """Raise if the targets of a warm start do not suit the earlier fit."""

    @abstractmethod
    def _score(self, outputs: Matrix, rows: Examples) -> float:
        """Return accuracy or R^2 of outputs."""

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Train the network.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels or numeric targets, (n,) or (n, outputs).
        sample_weight
            Weights >= 0 of the rows' losses.
        X_val, y_val
            Validation rows for early stopping: training ends when their score no longer improves,
            and the best weights are kept.
        sample_weight_val
            Their weights.

        Returns
        -------
        self
        """
        first = not (self.warm_start and hasattr(self, "coefs_"))
        table = check_fit(self, X) if first else self._check_again(X)
        check_size(self, "X", table, _LARGEST)
        if not first:
            self._check_resumed(y)
        rows = self._examples(table, y, sample_weight, first=first)
        seed = seed_of(self.random_state)
        held = self._held_out(X_val, y_val, sample_weight_val, rows)
        if held is None and self.early_stopping and self.solver not in FULL_BATCH:
            rows, held = self._split(rows, seed)
        check_together(self, rows)
        network = network_of(self, *self._output(rows))
        starts = self.n_init if first else 1
        task = Task.of(self, steps=starts, X=X, y=y)
        work = _Fit(network, rows, held, steps_of(self, network, len(rows), seed), seed, task)
        best: Outcome | None = None
        curves: dict[str, list[float]] = {}
        for start in range(starts):
            history = History()
            part = task.part("start", steps=self.max_iter)
            found = self._run(replace(work, task=part), start, history, first)
            part.done(partial(self._state, found.descent))
            if best is None or found.criterion < best.criterion:
                best, curves = found, history.curves
        assert best is not None
        self._set_fit(best, curves, rows, held, earlier=not first)
        task.done(partial(self._state, best.descent))
        return self

    @available_if(stochastic)
    def partial_fit(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Run one epoch over a batch of rows, starting from the state of the last call.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels or numeric targets.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self
        """
        return self._partial_fit(X, y, sample_weight)

    def _partial_fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        classes: npt.NDArray[Any] | None = None,
    ) -> Self:
        if self.early_stopping:
            raise DataError(
                f"{type(self).__name__}: partial_fit does not support early_stopping=True; "
                "set it to False."
            )
        first = not hasattr(self, "coefs_")
        table = check_fit(self, X) if first else self._check_again(X)
        check_size(self, "X", table, _LARGEST)
        if first and classes is not None:
            self.classes_, self._label_sets = classes, False
        rows = self._examples(table, y, sample_weight, first=first and classes is None)
        check_together(self, rows)
        network = network_of(self, *self._output(rows))
        seed = seed_of(self.random_state)
        steps = steps_of(self, network, len(rows), seed)
        descent = self._start(network, table.dtype, seed, 0) if first else self._resumed(network)
        history, rule = History(), StoppingRule(1, self.tol, np.inf, warns=False)
        earlier = _NOTHING
        if not first:
            rate = getattr(self, "learning_rate_init_", None)
            earlier = _Earlier(len(self.loss_curve_), self.t_, rate)
        work = _Fit(network, rows, None, steps, seed, Task(self, None, {}), earlier)
        found = self._descend(work, descent, rule, history, epoch=descent.t)
        self._set_fit(found, history.curves, rows, None, earlier=not first)
        return self

    # --- one start -----------------------------------------------------------------------------

    def _run(self, work: _Fit, start: int, history: History, first: bool) -> Outcome:
        dtype = work.rows.X.dtype
        descent = (
            self._start(work.network, dtype, work.seed, start)
            if first
            else self._resumed(work.network, optimizer=work.steps.optimizer)
        )
        if self.solver in FULL_BATCH:
            return self._minimize(work, descent, history)
        rule = StoppingRule(self.max_iter, self.tol, self.n_iter_no_change)
        return self._descend(work, descent, rule, history, epoch=start << 32)

    def _start(self, network: Network, dtype: npt.DTypeLike, seed: int, start: int) -> Descent:
        parameters = initial_parameters(network, self.init, stream(seed, start), dtype)
        optimizer = "none" if self.solver in FULL_BATCH else self.solver
        return Descent.begin(network, parameters, optimizer, mask_of(self, network, dtype))  # type: ignore[arg-type]

    def _descend(
        self, work: _Fit, descent: Descent, rule: StoppingRule, history: History, epoch: int
    ) -> Outcome:
        """Run epochs of stochastic steps; `epoch` numbers the random orders."""
        owner = type(self).__name__
        if self.device == "cuda":
            from gramian.neural_network.mlp.torch_descent import TorchDescent

            descent = TorchDescent.on(owner, descent, self.device)
        initial = self.learning_rate_init
        if initial == "auto":
            searched = partial(searched_rate, descent, work.steps, work.rows, work.seed)
            initial = work.earlier.rate or searched()
        self.learning_rate_init_ = float(initial)
        sampler = RowSampler(
            work.rows,
            seed=work.seed,
            shuffle=self.shuffle,
            emphasis=self.emphasis,
            by=self.emphasis_by,
            first=epoch,
        )
        rate = Rate(
            self.learning_rate,
            self.learning_rate_init_,
            power_t=self.power_t,
            max_iter=rule.max_iter,
            epochs=work.earlier.epochs,
            seen=work.earlier.seen,
            owner=owner,
        )
        training, held = PerceptronTraining(descent, work.steps, work.rows, sampler), work.held
        found = train(
            owner,
            training,
            rate,
            replace(rule, least_loss=loss_without_weights(work.network, work.rows)),
            history,
            validate=None if held is None else partial(training.validate, held),
            after_epoch=lambda: work.task.iteration(
                lambda: self._state(training.descent), name="epoch"
            ),
            verbose=bool(self.verbose),
        )
        score = None if held is None else -found.best_monitored
        return Outcome(training.descent, found.epochs, found.loss, found.best_loss, score)

    def _minimize(self, work: _Fit, descent: Descent, history: History) -> Outcome:
        """Minimise over all rows at once."""
        owner = type(self).__name__

        def record(value: float, norm: float) -> None:
            history.add(loss=value, gradient_norm=norm)
            print_progress(self, f"Iteration {len(history.curves['loss'])}, loss = {value:.6g}")

        def report(t: int, now: Any) -> bool:
            if t == 0:
                return False
            record(now.value, float(np.linalg.norm(now.gradient)))
            vector = now.x.astype(descent.parameters.dtype)
            state = partial(self._state, replace(descent, parameters=vector))
            return work.task.iteration(state, name="iteration")

        result = minimize_loss(
            owner,
            descent,
            work.steps,
            work.rows,
            self.solver,  # type: ignore[arg-type]
            max_iter=self.max_iter,
            max_fun=self.max_fun,
            tol=self.tol,
            callback=report,
        )
        if not np.isfinite(result.value):
            raise DataError(f"{owner}: the loss is not finite; scale X and y, or change init.")
        if len(history.curves.get("loss", ())) < max(1, result.iterations):  # the last is not seen
            record(result.value, result.gradient_norm)
        spent = result.message.startswith("stopped after")  # max_iter steps, max_fun evaluations
        if not result.converged and spent:
            warnings.warn(
                f"{owner}: not converged: {result.message}. Scaling the columns may help.",
                ConvergenceWarning,
                stacklevel=caller_level(),
            )
        found = replace(descent, parameters=result.x.astype(descent.parameters.dtype))
        return Outcome(found, max(1, result.iterations), result.value, result.value, None)

    # --- rows ----------------------------------------------------------------------------------

    def _check_again(self, X: Table) -> Any:
        """Check rows for a fitted network: the same columns, in its float type."""
        check_params(self)
        return check_new(self, X, dtype=self.coefs_[0].dtype)

    def _held_out(self, X: Any, y: Any, sample_weight: Any, trained: Examples) -> HeldOut | None:
        """Return the validation rows, encoded like the training rows."""
        owner = type(self).__name__
        if not has_validation_rows(owner, X, y, sample_weight):
            return None
        if self.solver in FULL_BATCH:
            raise DataError(
                f"{owner}: X_val needs a stochastic solver, for example 'adam'; solver is "
                f"{self.solver!r}."
            )
        try:
            table = check_new(self, X)
            check_size(self, "X", table, _LARGEST)
            rows = self._examples(table, y, sample_weight, first=False)
            validation, wanted = rows.values, trained.values
            if (
                validation is not None
                and wanted is not None
                and validation.shape[1] != wanted.shape[1]
            ):
                raise DataError("y_val must have as many columns as y.")
        except DataError as error:
            raise DataError(f"{owner}: X_val or y_val is invalid. {error}") from None
        return HeldOut(rows, partial(self._score, rows=rows))

    def _split(self, rows: Examples, seed: int) -> tuple[Examples, HeldOut]:
        """Hold out rows, stratified by class."""
        try:
            places, held = train_test_split(
                np.arange(len(rows)),
                test_size=self.validation_fraction,
                stratify=rows.codes,
                random_state=seed % 2**32,
            )
        except ValueError as error:
            raise DataError(
                f"{type(self).__name__}: the validation rows cannot be split off (n_samples="
                f"{len(rows)}): {error} Pass X_val, or set early_stopping=False."
            ) from None
        if len(held) < 2:
            raise DataError(
                f"{type(self).__name__}: The validation set is too small ({len(held)} of "
                f"{len(rows)} rows). Increase validation_fraction, or pass X_val."
            )
        aside = rows.take(np.sort(held))
        check_held_out(type(self).__name__, aside.weights)
        return rows.take(np.sort(places)), HeldOut(aside, partial(self._score, rows=aside))
