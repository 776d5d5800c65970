"""A fit that does not finish leaves the estimator as it was.

If anything interrupts a fit (Ctrl-C, an error in the data, no memory left, an exception in a
callback), the estimator gets back the attributes it had before the call: an earlier model predicts
exactly as before; without one, `NotFittedError` is raised. Stopping early on purpose, by
``early_stopping`` or a callback, is not an interruption and keeps the new model.

The attributes are restored, but not copied. So a fit creates new arrays, lists and members, and
never changes those of an earlier fit in place; tests/contract/test_interrupts.py checks this.
"""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn.utils.metaestimators import available_if

# Every public method that sets fitted attributes.
FITTING = ("fit", "fit_chunks", "fit_predict", "fit_transform", "partial_fit", "solve")

_F = TypeVar("_F", bound=Callable[..., Any])


def unchanged_on_error(method: _F) -> _F:
    """Restore the attributes of the first argument if the function raises.

    Examples
    --------
    >>> class Model:
    ...     mean_ = 1.0
    ...
    ...     @unchanged_on_error
    ...     def fit(self, X):
    ...         self.mean_ = sum(X)
    ...         self.mean_ /= len(X)
    ...         return self
    >>> model = Model()
    >>> model.fit([])
    Traceback (most recent call last):
    ZeroDivisionError: division by zero
    >>> model.mean_
    1.0
    """

    @wraps(method)
    def unchanged(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = self.__dict__.copy()
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            # Ctrl-C included. One assignment, so that a second Ctrl-C cannot interrupt it.
            self.__dict__ = before
            raise

    return unchanged  # type: ignore[return-value]


_CODE = unchanged_on_error(len).__code__


def without_guard(method: Any) -> Any:
    """Return the method that `unchanged_on_error` wrapped; any other method is unchanged.

    Examples
    --------
    >>> without_guard(unchanged_on_error(len)) is without_guard(len) is len
    True
    """
    return method.__wrapped__ if _is_guarded(method) else method


def guard_fits(cls: type, *, inherited: bool) -> None:
    """Apply `unchanged_on_error` to a class's own or also inherited fitting methods."""
    for name in FITTING:
        method: Any = inspect.getattr_static(cls, name, None) if inherited else vars(cls).get(name)
        if inspect.isfunction(method) and not _is_guarded(method):
            setattr(cls, name, unchanged_on_error(method))
        elif hasattr(method, "fn") and hasattr(method, "check") and not _is_guarded(method.fn):
            setattr(cls, name, available_if(method.check)(unchanged_on_error(method.fn)))


def _is_guarded(method: Any) -> bool:
    """Return whether the outermost decorator is `unchanged_on_error`."""
    return getattr(method, "__code__", None) is _CODE
