"""The epochs of stochastic gradient descent, when they end, and what comes in parts."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from gramian.base.callbacks import CallbackSupportMixin
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_fit, check_new
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of
from gramian.base.targets import Classes, check_labels
from gramian.base.types import Data, Floats
from gramian.base.weights import check_weights, weigh_classes
from gramian.linear_model.sgd.stochastic_steps import Rate, Steps, rows_in_order

_WILD = 1e20  # a mean loss of steps that were far too long
_SHORTEST = 1e-30  # share of the way that may still help


class StochasticFit(CallbackSupportMixin, Estimator):
    """The fields that `SGDClassifier` and `SGDRegressor` share, and their loop."""

    takes_sparse: ClassVar[bool] = True

    loss: Any
    penalty: Any
    alpha: float
    l1_ratio: float | None
    fit_intercept: bool
    max_iter: int
    tol: float | None
    shuffle: bool
    epsilon: float
    random_state: Any
    learning_rate: Rate = "constant"
    eta0: float
    power_t: float
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    average: bool | int
    t_: float

    def _steps(self, n_features: int) -> Steps:
        """Return the descent of one output, at zero."""
        if self.learning_rate == "optimal" and self.alpha == 0:
            raise ParameterError(
                f"{type(self).__name__}: alpha must be positive with learning_rate='optimal', "
                "whose steps are 1 / (alpha t); got alpha=0. Use learning_rate='invscaling'."
            )
        if self.learning_rate != "optimal" and not self.eta0 > 0:
            raise ParameterError(
                f"{type(self).__name__}: eta0 must be positive with "
                f"learning_rate={self.learning_rate!r}; got {self.eta0!r}."
            )
        share = {"l2": 0.0, "l1": 1.0, "elasticnet": float(self.l1_ratio or 0.0), None: 0.0}
        start = max(1.0, float(self.average)) if self.average else np.inf
        return Steps(
            n_features,
            loss=self.loss,
            epsilon=0.0 if self.loss == "perceptron" else float(self.epsilon),
            alpha=0.0 if self.penalty is None else float(self.alpha),
            l1_ratio=share[self.penalty],
            rate=self.learning_rate,
            eta0=float(self.eta0),
            power=float(self.power_t),
            fit_intercept=self.fit_intercept,
            average_from=start,
        )

    def _run(
        self,
        steps: Steps,
        X: Data,
        y: Floats,
        weights: Floats | None,
        *,
        seed: int,
        labels: npt.NDArray[Any] | None,
        score: Callable[[Steps, npt.NDArray[np.intp]], float],
        after: Callable[[Steps], bool] | None = None,
    ) -> int:
        """Make epochs until they no longer help; return how many.

        `score` judges the weights on rows left out, for early stopping; `after` is asked after
        each epoch whether it was the last.
        """
        n = X.shape[0]
        rows, held = np.arange(n), None
        if self.early_stopping:
            rows, held = train_test_split(
                rows,
                test_size=self.validation_fraction,
                random_state=seed % 2**32,
                stratify=labels,
            )
            rows.sort()
        start = _Start.of(steps, X, y, weights, rows.astype(np.int32))
        best, waited, epoch, loss = np.inf, 0, 0, 0.0
        total = float(len(rows) if weights is None else weights[rows].sum())
        for epoch in range(1, self.max_iter + 1):
            picked = rows_in_order(len(rows), shuffle=self.shuffle, seed=seed, epoch=epoch)
            loss = steps.epoch(X, y, weights, rows[picked].astype(np.int32)) / max(total, 1e-300)
            if after is not None and after(steps):
                break
            judged = loss if held is None else -score(steps, held)
            worse = self.tol is not None and judged > best - self.tol
            best = min(best, judged)
            waited = waited + 1 if worse else 0
            if waited >= self.n_iter_no_change:
                if self.learning_rate != "adaptive" or steps.eta0 <= 1e-6:
                    break
                steps.eta0 /= 5
                waited = 0
        else:
            if self.tol is not None:
                self._warn(
                    f"the loss still falls after max_iter={self.max_iter} epochs; raise max_iter "
                    "or tol"
                )
        if not loss < _WILD:
            self._warn(
                f"the weights grew without bound (the mean loss is {loss:.2g}); scale the columns "
                "of X, for example to unit variance, or lower eta0"
            )
        if start is not None:
            start.no_worse(steps)
        return epoch

    def _warn(self, what: str) -> None:
        name = type(self).__name__
        warnings.warn(f"{name}: not converged: {what}.", ConvergenceWarning, stacklevel=5)

    def _epoch(self, steps: Steps, X: Data, y: Floats, weights: Floats | None, seed: int) -> None:
        """Make one epoch over rows that came."""
        number = int(steps.t)
        order = rows_in_order(X.shape[0], shuffle=self.shuffle, seed=seed, epoch=number)
        steps.epoch(X, y, weights, order)

    def _seed(self) -> int:
        return seed_of(self.random_state)


@dataclass(frozen=True)
class _Start:
    """Where a descent began, so that it does not end worse."""

    w: Floats
    b: float
    cost: float
    rows: tuple[Data, Floats, Floats | None, npt.NDArray[np.int32]]

    @classmethod
    def of(cls, steps: Steps, *rows: Any) -> "_Start | None":
        """Return the start; None for steps that do not descend a cost: they mend mistakes."""
        if steps.loss == "perceptron" or steps.rate in ("pa1", "pa2"):
            return None
        return cls(*steps.result(), steps.cost(*rows), rows)

    def no_worse(self, steps: Steps) -> None:
        """Where steps were too long and the cost rose, go back towards the start.

        The cost is convex: on the way back it falls until it is best and then rises, so tenths of
        the way are tried for as long as they help.
        """
        w, b = steps.result()
        if steps.cost(*self.rows) <= self.cost:
            return
        best, share = (self.w, self.b, self.cost), 1.0
        while share > _SHORTEST:
            share /= 10
            with np.errstate(over="ignore", invalid="ignore"):
                steps.move_to(self.w + share * (w - self.w), self.b + share * (b - self.b))
            here = (*steps.result(), steps.cost(*self.rows))
            if here[2] < best[2]:
                best = here
            elif best[2] < self.cost:
                break
        steps.move_to(best[0], best[1])


class StochasticClassification(StochasticFit):
    """What `SGDClassifier` and `Perceptron` share: rows with labels that come in parts."""

    class_weight: Any
    classes_: Classes

    def _check_part(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None,
        sample_weight: npt.ArrayLike | None,
    ) -> tuple[Data, npt.NDArray[np.intp], Classes, Floats | None]:
        """Return the rows of a call of `partial_fit`, their classes, all labels, and weights."""
        name, first = type(self).__name__, not hasattr(self, "classes_")
        if first and classes is None:
            raise DataError(
                f"{name}: classes must be passed on the first call to partial_fit; give all labels "
                "that will ever come."
            )
        known: Classes = np.unique(np.asarray(classes)) if first else self.classes_
        if not first and classes is not None and not np.array_equal(np.unique(classes), known):
            raise DataError(
                f"{name}: classes={np.asarray(classes).tolist()} is not that of the first call, "
                f"{known.tolist()}."
            )
        if self.class_weight == "balanced":
            raise DataError(
                f"{name}: class_weight='balanced' is not supported for partial_fit, which does not "
                "know the shares of the classes; give a dict of weights."
            )
        table = check_fit(self, X) if first else check_new(self, X)
        codes, found = check_labels(self, y, table.shape[0])
        places = np.searchsorted(known, found)
        if (places >= len(known)).any() or not np.array_equal(known[places], found):
            raise DataError(f"{name}: y holds labels that are not in classes.")
        codes = places[codes]
        weights = check_weights(self, sample_weight, table.shape[0])
        weights = weigh_classes(name, self.class_weight, codes, known, weights)
        return table, codes, known, weights
