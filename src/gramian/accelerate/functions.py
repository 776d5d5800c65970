"""Functions in the place of scikit-learn's, which let gramian's go first.

Like the classes, they are made when they are first asked for, as
``gramian.accelerate.functions.<name>``.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from gramian.accelerate.arguments import fitting_arguments
from gramian.accelerate.records import recorded
from gramian.accelerate.replacement import Replaced
from gramian.accelerate.serving import as_ours, declined, first_line, is_served
from gramian.accelerate.shared import Pair, shared_functions


def __getattr__(name: str) -> Callable[..., Any]:
    pair = shared_functions().get(name)
    if pair is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = replaced_function(pair)
    made.__module__ = __name__
    globals()[name] = made
    return made


def replaced_function(pair: Pair) -> Callable[..., Any]:
    """Return a function that calls ours, and theirs with what ours declines."""
    theirs = pair.theirs

    @wraps(theirs)
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            models = {name: _model(value) for name, value in kwargs.items()}
            taken, named = fitting_arguments(theirs, pair.ours, map(_model, args), models)
            with recorded(theirs.__name__, "", "gramian"):
                return pair.ours(*taken, **named)
        except Exception as error:
            reason = first_line(error)
        with recorded(theirs.__name__, "", "scikit-learn", reason), declined(reason):
            return theirs(*args, **kwargs)

    return function


def _model(argument: Any) -> Any:
    """Return gramian's view of a model that it fitted."""
    if isinstance(argument, Replaced) and is_served(argument):
        return as_ours(argument)
    return argument
