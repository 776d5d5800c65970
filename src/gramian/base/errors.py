"""Errors that say who, what must hold, what was given and what to do."""

from importlib import import_module
from types import ModuleType


class ParameterError(ValueError):
    """A parameter is outside its range; see the estimator's fields."""


class DataError(ValueError):
    """An array cannot be used as it is."""


class ModelFileError(ValueError):
    """A model file is damaged, unknown or holds what may not be loaded or saved."""


class MissingExtra(ImportError):  # noqa: N818 - reads as what is wrong
    """An optional dependency is not installed."""


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
