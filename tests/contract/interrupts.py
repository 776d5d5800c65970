"""Interrupts at chosen moments of a fit, and what an estimator is before and after them."""

import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags

from gramian.base.fitting import unchanged_on_error
from tests.contract.estimators import is_pairwise, quick, table

Call = Callable[[], object]
_GUARD = unchanged_on_error(len).__code__


def line_interrupt(call: Call, at: int | None) -> tuple[bool, int]:
    """Press Ctrl-C before line `at` of all that a call runs, scikit-learn and NumPy included.

    Returns whether the call was interrupted, and how many lines it ran.
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
    except KeyboardInterrupt:
        return True, lines
    finally:
        sys.settrace(earlier)
    return False, lines


def timed_interrupt(call: Call, seconds: float) -> bool:
    """Press Ctrl-C after some seconds, in native code too; return whether the call was interrupted.

    A signal that comes when the fit has just ended is dropped.
    """

    def press(signum: int, frame: Any) -> None:
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
    """Rows of two classes, in a frame."""
    X, y = table(model, n)
    if is_classifier(model):
        y = np.array(["old1", "old2"])[np.arange(n) % 2]
    return pd.DataFrame(X, columns=[f"old{j}" for j in range(X.shape[1])]), y


def second_table(model: BaseEstimator, n: int = 50) -> tuple[Any, Any]:
    """Rows of three other classes, with other columns and one more of them."""
    X, y = table(model, n)
    if is_classifier(model):
        y = np.array(["new1", "new2", "new3"])[np.arange(n) % 3]
    if not is_pairwise(model):
        X = np.column_stack([X, X[:, :1] + X[:, 1:2]])
    return pd.DataFrame(X, columns=[f"new{j}" for j in range(X.shape[1])]), y


def further_fits(
    model: BaseEstimator, n: int = 50
) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    """Yield a name, the settings before, and the call of every way to fit a fitted estimator."""
    X, y = second_table(model, n)
    yield "fit", {}, lambda m: m.fit(X, y)
    for name in ("fit_predict", "fit_transform"):
        if hasattr(model, name):
            yield name, {}, lambda m, name=name: getattr(m, name)(X, y)
    if hasattr(model, "fit_chunks"):
        half = len(X) // 2
        parts = [
            (np.asarray(X)[s], None if y is None else y[s], None)
            for s in (slice(half), slice(half, None))
        ]
        yield "fit_chunks", {}, lambda m: m.fit_chunks(parts)
    if hasattr(model, "summarise"):
        yield "solve", {}, lambda m: m.solve(m.summarise(X) if y is None else m.summarise(X, y))
    old_X, old_y = first_table(model)
    old_X = old_X + 0.25 if not get_tags(model).input_tags.categorical else old_X
    if hasattr(model, "partial_fit"):
        yield "partial_fit", {}, lambda m: m.partial_fit(old_X, old_y)
    parameters = model.get_params(deep=False)
    if "warm_start" in parameters:
        more = "n_estimators" if "n_estimators" in parameters else "max_iter"
        count = parameters[more]
        yield (
            "warm_start",
            {"warm_start": True},
            lambda m: m.set_params(**{more: count + 2}).fit(old_X, old_y),
        )
