"""Replacements of scikit-learn's functions that try gramian's function first.

Like the classes, they are created on first access, as ``gramian.accelerate.functions.<name>``.
"""

from functools import wraps

from gramian.accelerate.arguments import Function, convert_arguments
from gramian.accelerate.dispatch import (
    explain_fallback,
    first_line,
    fitted_by_gramian,
    gramian_view,
)
from gramian.accelerate.records import record_call
from gramian.accelerate.replacement import Replaced
from gramian.accelerate.shared import Pair, shared_functions


def __getattr__(name: str) -> Function:
    pair = shared_functions().get(name)
    if pair is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = replaced_function(pair)
    function.__module__ = __name__
    globals()[name] = function
    return function


def replaced_function(pair: Pair) -> Function:
    """Return a function that calls gramian's, and scikit-learn's if that raises."""
    theirs: Function = pair.sklearn_object

    @wraps(theirs)
    def function(*args: object, **kwargs: object) -> object:
        try:
            ours: Function = pair.gramian_object
            models = {name: _model(value) for name, value in kwargs.items()}
            positional, keywords = convert_arguments(theirs, ours, map(_model, args), models)
            with record_call(theirs.__name__, "", "gramian"):
                return ours(*positional, **keywords)
        except Exception as error:
            reason = first_line(error)
        with record_call(theirs.__name__, "", "scikit-learn", reason), explain_fallback(reason):
            return theirs(*args, **kwargs)

    return function


def _model(argument: object) -> object:
    """Return gramian's view of a model that it fitted."""
    if isinstance(argument, Replaced) and fitted_by_gramian(argument):
        return gramian_view(argument)
    return argument
