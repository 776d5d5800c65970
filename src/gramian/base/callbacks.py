"""Adapter to scikit-learn's callbacks (experimental there, SLEP023); only this module uses them.

A loop in gramian is written once::

    @with_callbacks
    def fit(self, X, y=None):
        ...
        task = Task.of(self, steps=max_iter, X=X)
        for _ in range(max_iter):
            ...
            if task.iteration(lambda: {"coef_": coef}):  # True: a callback asked to stop
                break
        task.done(lambda: {"coef_": coef})

and costs next to nothing where no callback is set. ``sklearn.callback.ProgressBar`` shows such
a loop; `EarlyStopping` and `TimeBudget` end it. With ``verbose`` each iteration prints a line.
"""

import sys
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeAlias

import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackContext, CallbackSupportMixin, with_callbacks
from sklearn.metrics import check_scoring

from gramian.base.types import Table

__all__ = [
    "CallbackSupportMixin",
    "EarlyStopping",
    "Task",
    "TimeBudget",
    "print_progress",
    "with_callbacks",
]

State: TypeAlias = Callable[[], dict[str, Any]]  # returns the fitted attributes so far


def print_progress(estimator: Any, what: str) -> None:
    """Print the progress of an estimator with ``verbose``.

    Examples
    --------
    >>> from gramian import SVC
    >>> print_progress(SVC(verbose=True), "machine 1")
    SVC: machine 1
    """
    if estimator.verbose:
        sys.stdout.write(f"{type(estimator).__name__}: {what}\n")


class Task:
    """A piece of work that callbacks watch: a fit, one of its restarts, its iterations."""

    def __init__(
        self,
        estimator: BaseEstimator,
        context: CallbackContext | None,
        data: dict[str, Any],
        *,
        verbose: bool = False,
    ) -> None:
        self._estimator = estimator
        self._context = context
        self._data = data
        self._verbose = verbose
        self._iterations = 0

    @classmethod
    def of(
        cls,
        estimator: Any,
        *,
        steps: int | None,
        X: Table | None = None,
        y: npt.ArrayLike | None = None,
        verbose: bool | int = False,
    ) -> "Task":
        """Begin the fit of an estimator.

        `steps` is the largest number of parts, if known; with `verbose` iterations are printed.
        """
        if not (hasattr(estimator, "_skl_callbacks") or hasattr(estimator, "_parent_callback_ctx")):
            return cls(estimator, None, {}, verbose=bool(verbose))
        context = estimator._init_callback_context(max_subtasks=steps)
        task = cls(estimator, context, {"X": X, "y": y}, verbose=bool(verbose))
        context.call_on_fit_task_begin(estimator=estimator, X=X, y=y)
        return task

    def part(self, name: str, *, steps: int | None = 0) -> "Task":
        """Begin a part of this task, for example one restart."""
        if self._context is None:
            return self
        context = self._context.subcontext(task_name=name, max_subtasks=steps)
        context.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return Task(self._estimator, context, self._data, verbose=self._verbose)

    def iteration(self, state: State, name: str = "iteration") -> bool:
        """Report one finished iteration; return True if a callback requests to stop."""
        if self._verbose:
            self._iterations += 1
            sys.stdout.write(f"{type(self._estimator).__name__}: {name} {self._iterations}\n")
        if self._context is None:
            return False
        return self.part(name).done(state)

    def done(self, state: State) -> bool:
        """End this task; return True if a callback requests its loop to stop."""
        if self._context is None:
            return False
        return bool(
            self._context.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes=state, **self._data
            )
        )


class EarlyStopping:
    """Stop a loop when a score on held-out data no longer improves.

    After each iteration the estimator is scored on ``X_val``; the loop ends after ``patience``
    iterations in a row without an improvement by more than ``tol``.

    Parameters
    ----------
    X_val
        Rows that the fit does not see.
    y_val
        Their targets, where the score needs them.
    scoring
        A scorer or its name; None takes the estimator's own ``score``.
    patience
        Iterations without improvement before stopping.
    tol
        Smallest improvement that counts.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import EarlyStopping, KMeans
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> watched = KMeans(8, n_init=1, random_state=0, tol=0)
    >>> watched.set_callbacks(EarlyStopping(X[:50], patience=1, tol=5.0)).fit(X[50:]).n_iter_ < 20
    True
    """

    def __init__(
        self,
        X_val: npt.ArrayLike,
        y_val: npt.ArrayLike | None = None,
        *,
        scoring: Any = None,
        patience: int = 5,
        tol: float = 0.0,
    ) -> None:
        self.X_val = X_val
        self.y_val = y_val
        self.scoring = scoring
        self.patience = patience
        self.tol = tol

    def setup(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Discard the scores of earlier fits."""
        self._best: dict[int, tuple[float, int]] = {}

    def teardown(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Do nothing."""

    def on_fit_task_begin(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Do nothing."""

    def on_fit_task_end(
        self, estimator: BaseEstimator, context: CallbackContext, *, fitted_estimator: Any = None
    ) -> bool:
        """Score the estimator of this iteration, and compare."""
        if context.max_subtasks != 0 or context.parent is None or fitted_estimator is None:
            return False
        score = float(
            check_scoring(estimator, self.scoring)(fitted_estimator, self.X_val, self.y_val)
        )
        best, waited = self._best.get(id(context.parent), (-float("inf"), 0))
        waited = 0 if score > best + self.tol else waited + 1
        self._best[id(context.parent)] = (max(best, score), waited)
        return waited >= self.patience


class TimeBudget:
    """Stop a loop after a number of seconds; what was learned by then is kept.

    Parameters
    ----------
    seconds
        Wall-clock time from the start of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import KMeans, TimeBudget
    >>> X = np.random.default_rng(0).normal(size=(300, 2))
    >>> KMeans(8, n_init=1, random_state=0).set_callbacks(TimeBudget(0.0)).fit(X).n_iter_
    1
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def setup(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Start the clock."""
        self._end = monotonic() + self.seconds

    def teardown(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Do nothing."""

    def on_fit_task_begin(self, estimator: BaseEstimator, context: CallbackContext) -> None:
        """Do nothing."""

    def on_fit_task_end(self, estimator: BaseEstimator, context: CallbackContext) -> bool:
        """Return whether the time is up."""
        return monotonic() >= self._end
