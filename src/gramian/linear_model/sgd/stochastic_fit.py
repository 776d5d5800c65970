"""Base class of stochastic gradient descent: parameters, epochs and the stopping rule."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split

from gramian.base.callbacks import CallbackSupportMixin, print_progress, with_callbacks
from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Fraction,
    Interval,
    NonNegative,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.kinds import Estimator
from gramian.base.types import Data, Floats, Table
from gramian.linear_model.sgd.stochastic_steps import Rate, Steps, epoch_order

_DIVERGED_LOSS = 1e20  # a larger mean loss means that the steps were far too long
_MIN_FRACTION = 1e-30  # smallest fraction of the segment that is tried


@params
class StochasticFit(CallbackSupportMixin, Estimator):
    """Base class of `SGDClassifier`, `SGDRegressor` and `Perceptron`.

    Parameters
    ----------
    penalty
        "l2", "l1", "elasticnet", or None.
    alpha
        Strength of the penalty.
    l1_ratio
        rho, the fraction of l1 in "elasticnet".
    fit_intercept
        Whether to fit a bias b, which is not penalised.
    max_iter
        Maximum number of epochs.
    tol
        Stop when the mean loss has not improved by `tol` on its best value for
        `n_iter_no_change` epochs in a row; None means never.
    shuffle
        Whether to visit the rows in a new random order in each epoch.
    verbose
        Whether to print a line for each epoch and, for classifiers, each class.
    random_state
        Seed or generator for the random draws.
    early_stopping
        Whether to hold out rows and compare their score, instead of the loss, with `tol`.
    validation_fraction
        Fraction of the rows to hold out.
    n_iter_no_change
        Epochs without improvement before stopping.
    warm_start
        Whether to start from the coefficients of the previous fit.

    Attributes
    ----------
    n_iter_ : int
        Number of epochs; the largest of all classes.
    """

    parametric = True
    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    penalty: Literal["l2", "l1", "elasticnet"] | None = "l2"
    alpha: NonNegative = 0.0001
    l1_ratio: Fraction | None = 0.15
    fit_intercept: bool = True
    max_iter: Count = 1000
    tol: NonNegative | None = 1e-3
    shuffle: bool = True
    verbose: bool | NonNegativeInt = 0
    random_state: Seed = None
    early_stopping: bool = False
    validation_fraction: Annotated[float, Interval(Real, 0, 1, True, True)] = 0.1
    n_iter_no_change: Count = 5
    warm_start: bool = False

    def _penalty(self) -> tuple[float, float]:
        """Return the strength of the penalty and the fraction of l1 in it."""
        if self.penalty == "elasticnet" and self.l1_ratio is None:
            raise ParameterError(
                f"{type(self).__name__}: l1_ratio must be set when penalty is 'elasticnet'; got "
                "None."
            )
        fractions = {"l2": 0.0, "l1": 1.0, "elasticnet": float(self.l1_ratio or 0.0), None: 0.0}
        return 0.0 if self.penalty is None else float(self.alpha), fractions[self.penalty]

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
        """Run epochs until the stopping rule holds; return their number.

        `score` scores the weights on held-out rows, for early stopping; `after` is called after
        each epoch and returns whether to stop.
        """
        n = X.shape[0]
        rows, held = np.arange(n), None
        if self.early_stopping:
            rows, held = self._held_out(n, labels, seed)
        start = _Start.of(steps, X, y, weights, rows.astype(np.int32))
        best, stalled, epoch, loss = np.inf, 0, 0, 0.0
        total = float(len(rows) if weights is None else weights[rows].sum())
        for epoch in range(1, self.max_iter + 1):
            picked = epoch_order(len(rows), shuffle=self.shuffle, seed=seed, epoch=epoch)
            loss = steps.epoch(X, y, weights, rows[picked].astype(np.int32)) / max(total, 1e-300)
            print_progress(self, f"epoch {epoch}, mean loss = {loss:.6g}")
            if after is not None and after(steps):
                break
            criterion = loss if held is None else -score(steps, held)
            worse = self.tol is not None and criterion > best - self.tol
            best = min(best, criterion)
            stalled = stalled + 1 if worse else 0
            if stalled >= self.n_iter_no_change:
                if steps.rate != "adaptive" or steps.eta0 <= 1e-6:
                    break
                steps.eta0 /= 5
                stalled = 0
        else:
            if self.tol is not None:
                self._warn(
                    f"the loss still falls after max_iter={self.max_iter} epochs; raise max_iter "
                    "or tol"
                )
        if not loss < _DIVERGED_LOSS:
            self._warn(
                f"the weights grew without bound (the mean loss is {loss:.2g}); scale the columns "
                "of X, for example to unit variance, or lower eta0"
            )
        if start is not None:
            start.restore_if_worse(steps)
        return epoch

    def _finite_result(self, steps: Steps) -> tuple[Floats, float]:
        """Return the weights and the bias; raise if they are infinite or NaN."""
        w, b = steps.result()
        if not (np.isfinite(w).all() and np.isfinite(b)):
            raise ParameterError(
                f"{type(self).__name__}: the weights became infinite or NaN; scale the columns of "
                f"X, for example to unit variance, or lower eta0; got eta0={self.eta0!r}."
            )
        return w, b

    def _held_out(
        self, n: int, labels: npt.NDArray[Any] | None, seed: int
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return the training rows and the validation rows, stratified by class."""
        try:
            rows, held = train_test_split(
                np.arange(n),
                test_size=self.validation_fraction,
                random_state=seed % 2**32,
                stratify=labels,
            )
        except ValueError as error:
            raise DataError(
                f"{type(self).__name__}: rows cannot be held out for early stopping (n_samples={n}"
                f", validation_fraction={self.validation_fraction}): {error} Change "
                "validation_fraction, or set early_stopping=False."
            ) from None
        return np.sort(rows), held

    def _warn(self, what: str) -> None:
        name = type(self).__name__
        warnings.warn(
            f"{name}: did not converge: {what}.", ConvergenceWarning, stacklevel=caller_level()
        )


@params
class SGDBase(StochasticFit):
    """Base class of `SGDClassifier` and `SGDRegressor`: losses, step sizes and averaging.

    Parameters
    ----------
    alpha
        Strength of the penalty; with "optimal" it also sets the step sizes.
    epsilon
        Half width of the tube of the epsilon-insensitive losses; error at which "huber" becomes
        linear.
    learning_rate
        The step size: "optimal" 1 / (alpha (t0 + t)); "constant" eta0; "invscaling"
        eta0 / t^power_t; "adaptive" eta0, divided by 5 whenever the loss stops improving; "pa1"
        and "pa2" as large as needed to correct the row, at most eta0 (passive-aggressive:
        Crammer et al. 2006).
    eta0
        The initial step size.
    power_t
        The exponent of "invscaling".
    average
        Whether to average the coefficients over the steps; an integer is the first step to average.

    Attributes
    ----------
    t_ : float
        1 plus the number of steps.
    """

    _: KW_ONLY
    epsilon: NonNegative = 0.1
    learning_rate: Rate = "optimal"
    eta0: NonNegative = 0.01
    power_t: NonNegative = 0.5
    average: bool | NonNegativeInt = False

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        coef_init: npt.ArrayLike | None = None,
        intercept_init: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit to rows and their targets.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels, or for regression numeric targets, (n,).
        coef_init, intercept_init
            Initial values; zeros by default.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        self
        """
        return self._fit(X, y, coef_init, intercept_init, sample_weight)

    def _fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        coef_init: Any,
        intercept_init: Any,
        sample_weight: npt.ArrayLike | None,
    ) -> Self:
        raise NotImplementedError

    def _steps_for(self, n_features: int, loss: str) -> Steps:
        """Return the descent of one output, starting at zero."""
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
        alpha, l1_ratio = self._penalty()
        return Steps(
            n_features,
            loss=loss,
            epsilon=0.0 if loss == "perceptron" else float(self.epsilon),
            alpha=alpha,
            l1_ratio=l1_ratio,
            rate=self.learning_rate,
            eta0=float(self.eta0),
            power=float(self.power_t),
            fit_intercept=self.fit_intercept,
            average_from=max(1.0, float(self.average)) if self.average else np.inf,
        )

    def _epoch(self, steps: Steps, X: Data, y: Floats, weights: Floats | None, seed: int) -> None:
        """Run one epoch over the rows of a call of `partial_fit`."""
        number = int(steps.t)
        order = epoch_order(X.shape[0], shuffle=self.shuffle, seed=seed, epoch=number)
        steps.epoch(X, y, weights, order)


@dataclass(frozen=True)
class _Start:
    """The starting point of a descent, to which it returns if it ends worse."""

    w: Floats
    b: float
    cost: float
    rows: tuple[Data, Floats, Floats | None, npt.NDArray[np.int32]]

    @classmethod
    def of(cls, steps: Steps, *rows: Any) -> "_Start | None":
        """Return the start; None for mistake-driven steps, which do not minimise a cost."""
        if steps.loss == "perceptron" or steps.rate in ("pa1", "pa2"):
            return None
        return cls(*steps.result(), steps.cost(*rows), rows)

    def restore_if_worse(self, steps: Steps) -> None:
        """Move back towards the start if steps were too long and the cost rose.

        The cost is convex along the segment to the start: it falls to its minimum and then rises,
        so fractions 1/10, 1/100, ... are tried for as long as the cost falls.
        """
        w, b = steps.result()
        if steps.cost(*self.rows) <= self.cost:
            return
        best, fraction = (self.w, self.b, self.cost), 1.0
        while fraction > _MIN_FRACTION:
            fraction /= 10
            with np.errstate(over="ignore", invalid="ignore"):
                steps.move_to(self.w + fraction * (w - self.w), self.b + fraction * (b - self.b))
            here = (*steps.result(), steps.cost(*self.rows))
            if here[2] < best[2]:
                best = here
            elif best[2] < self.cost:
                break
        steps.move_to(best[0], best[1])
