"""Errors that name the owner, and say what is required, what was given and what to do."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

_OURS = ("gramian", "sklearn", "numpy")  # numpy: the wrapper of base/overflow.py


class ParameterError(ValueError):
    """A parameter is outside its range; see the estimator's fields."""


class DataError(ValueError):
    """An array has the wrong shape, type or values."""


class ModelFileError(ValueError):
    """A model file is damaged or unknown, or contains something that cannot be loaded or saved."""


class MissingExtra(ImportError):  # noqa: N818 - reads as what is wrong
    """An optional dependency is not installed."""


@contextmanager
def raised_by(owner: str, helper: str) -> Iterator[None]:
    """Make errors of a helper name the function or estimator that the user called.

    Examples
    --------
    >>> with raised_by("knn_graph", "NearestNeighbors"):
    ...     raise DataError("NearestNeighbors: X must have rows.")
    Traceback (most recent call last):
    gramian.base.errors.DataError: knn_graph: X must have rows.
    """
    try:
        yield
    except (DataError, ParameterError) as error:
        raise type(error)(str(error).replace(helper, owner)) from None


def caller_level() -> int:
    """Return the `stacklevel` that makes a warning point to the user's line.

    Frames of gramian, and of scikit-learn and NumPy between them, are passed over.

    Examples
    --------
    >>> caller_level() >= 1
    True
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _OURS:
        frame, level = frame.f_back, level + 1
    return level


def need(module: str, *, extra: str) -> ModuleType:
    """Import an optional dependency, or say how to install it.

    Parameters
    ----------
    module
        Dotted name of what is imported.
    extra
        The extra of gramian that brings it.

    Returns
    -------
    module
        The imported module.

    Examples
    --------
    >>> need("json", extra="app").__name__
    'json'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != package:
            raise
        raise MissingExtra(
            f'{package} is needed here; install it with: pip install "gramian[{extra}]"'
        ) from None
