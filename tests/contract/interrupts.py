"""Interrupts at chosen moments of a fit, and all ways to fit an estimator once more."""

import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import get_tags

from gramian.base.fitting import unchanged_on_error
from tests.contract.estimators import is_pairwise, table

Call = Callable[[], object]
_GUARD = unchanged_on_error(len).__code__


def interrupt_line(call: Call, at: int | None) -> tuple[bool, int]:
    """Press Ctrl-C before line `at` of all that a call runs, scikit-learn and NumPy included.

    Returns whether the call was interrupted, and how many lines it ran. NumPy may raise an error
    of its own instead: a comparison in C that runs Python reports TypeError.
    """
    lines = 0

    def trace(frame: Any, event: str, _: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return trace

    earlier = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    except BaseException:
        if lines != at:
            raise
        return True, lines
    finally:
        sys.settrace(earlier)
    return False, lines


def interrupt_after(call: Call, seconds: float) -> bool:
    """Press Ctrl-C after some seconds, in native code too; return whether the call was interrupted.

    A signal that comes when the fit has just ended is dropped.
    """

    def press(_: int, frame: Any) -> None:
        while frame is not None and frame.f_code is not _GUARD:
            frame = frame.f_back
        if frame is not None:
            raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGALRM, press)
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        call()
    except KeyboardInterrupt:
        return True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
    return False


def first_table(model: BaseEstimator, n: int = 60) -> tuple[Any, Any]:
    """Return a frame of rows, and two classes or numbers."""
    X, y = table(model, n)
    if is_classifier(model):
        y = np.array(["old1", "old2"])[np.arange(n) % 2]
    return pd.DataFrame(X, columns=[f"old{j}" for j in range(X.shape[1])]), y


def second_table(model: BaseEstimator, n: int = 50) -> tuple[Any, Any]:
    """Return rows with other columns and one more of them, and three other classes."""
    X, y = table(model, n)
    if is_classifier(model):
        y = np.array(["new1", "new2", "new3"])[np.arange(n) % 3]
    if not is_pairwise(model):
        X = np.column_stack([X, X[:, :1] + X[:, 1:2]])
    return pd.DataFrame(X, columns=[f"new{j}" for j in range(X.shape[1])]), y


@dataclass(frozen=True)
class FurtherFit:
    """A call that fits an estimator again, and the parameters at the first fit and before it."""

    name: str
    run: Callable[[Any], Any]
    first: dict[str, Any] = field(default_factory=dict)
    then: dict[str, Any] = field(default_factory=dict)


def further_fits(model: BaseEstimator, n: int = 60) -> Iterator[FurtherFit]:
    """Yield every way to fit a fitted estimator again."""
    X, y = second_table(model, n - 10)
    yield FurtherFit("fit", lambda m: m.fit(X, y))
    for name in ("fit_predict", "fit_transform"):
        if hasattr(model, name):
            yield FurtherFit(name, lambda m, name=name: getattr(m, name)(X, y))
    if hasattr(model, "fit_chunks"):
        halves = slice(len(X) // 2), slice(len(X) // 2, None)
        parts = [(np.asarray(X)[half], None if y is None else y[half], None) for half in halves]
        yield FurtherFit("fit_chunks", lambda m: m.fit_chunks(parts))
    if hasattr(model, "solve"):
        rows = (X,) if y is None else (X, y)
        yield FurtherFit("solve", lambda m: m.solve(m.summarise(*rows)))
    old_X, old_y = first_table(model, n)
    if not get_tags(model).input_tags.categorical:
        old_X = old_X + 0.25
    if hasattr(model, "partial_fit"):
        yield FurtherFit("partial_fit", lambda m: m.partial_fit(old_X, old_y))
    parameters = model.get_params(deep=False)
    if "warm_start" in parameters:
        more = "n_estimators" if "n_estimators" in parameters else "max_iter"
        yield FurtherFit(
            "warm_start",
            lambda m: m.fit(old_X, old_y),
            {"warm_start": True},
            {more: parameters[more] + 2},
        )
