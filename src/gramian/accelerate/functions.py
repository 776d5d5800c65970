"""Replacements of scikit-learn's functions that try gramian's function first.

Like the classes, they are created on first access, as ``gramian.accelerate.functions.<name>``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from gramian.accelerate.arguments import convert_arguments
from gramian.accelerate.dispatch import (
    explain_fallback,
    first_line,
    fitted_by_gramian,
    gramian_view,
)
from gramian.accelerate.records import record_call
from gramian.accelerate.replacement import Replaced
from gramian.accelerate.shared import Pair, shared_functions


def __getattr__(name: str) -> Callable[..., Any]:
    pair = shared_functions().get(name)
    if pair is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = replaced_function(pair)
    function.__module__ = __name__
    globals()[name] = function
    return function


def replaced_function(pair: Pair) -> Callable[..., Any]:
    """Return a function that calls gramian's, and scikit-learn's if that raises."""
    theirs = pair.sklearn_object

    @wraps(theirs)
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            models = {name: _model(value) for name, value in kwargs.items()}
            positional, keywords = convert_arguments(
                theirs, pair.gramian_object, map(_model, args), models
            )
            with record_call(theirs.__name__, "", "gramian"):
                return pair.gramian_object(*positional, **keywords)
        except Exception as error:
            reason = first_line(error)
        with record_call(theirs.__name__, "", "scikit-learn", reason), explain_fallback(reason):
            return theirs(*args, **kwargs)

    return function


def _model(argument: Any) -> Any:
    """Return gramian's view of a model that it fitted."""
    if isinstance(argument, Replaced) and fitted_by_gramian(argument):
        return gramian_view(argument)
    return argument
