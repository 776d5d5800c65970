"""Patch loaded modules with the replacements, and restore the originals."""

import sys
from collections.abc import Mapping
from functools import cache
from types import TracebackType
from typing import Any, Self

from gramian.accelerate import dispatch, estimators, functions, persistence, workers
from gramian.accelerate.shared import (
    garbage_collection_disabled,
    shared_estimators,
    shared_functions,
)

# scikit-learn's ensembles read the nodes of scikit-learn's trees, and some of its classes read
# private attributes of the members they create. These modules keep the originals.
_EXCLUDED_MODULES = (
    "sklearn.ensemble._forest",
    "sklearn.ensemble._gb",
    "sklearn.ensemble._iforest",
)

_active = False


class Acceleration:
    """The result of `gramian.accelerate()`; as a context manager it calls `undo` at the end."""

    def __init__(self, *, was_active: bool) -> None:
        self._was_active = was_active

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not self._was_active:
            undo()

    def __repr__(self) -> str:
        replaced = f"{len(_pairs())} names of scikit-learn are replaced" if _active else "off"
        return f"gramian.accelerate: {replaced}"


def accelerate() -> Acceleration:
    """Replace in all loaded modules the classes and functions that both libraries have.

    Modules imported later get the replacements too. Names that a module has already imported are
    replaced as well; other references to an original, such as existing objects, lists of classes
    and default arguments, are unchanged.

    Returns
    -------
    acceleration
        A context manager that ends the acceleration; otherwise call `undo`.

    Examples
    --------
    >>> import gramian
    >>> with gramian.accelerate():
    ...     from sklearn.cluster import KMeans
    ...     model = KMeans(2, random_state=0).fit([[0.0], [1.0], [9.0], [10.0]])
    >>> sorted(model.cluster_centers_.ravel().tolist())
    [0.5, 9.5]
    """
    global _active
    was_active = _active
    if not was_active:
        with garbage_collection_disabled():
            _replace_in_modules({id(old): new for old, new in _pairs()})
        persistence.register(pair.sklearn_object for pair in shared_estimators().values())
        _active, dispatch.undone = True, False
        workers.accelerate_workers()
    return Acceleration(was_active=was_active)


def undo() -> None:
    """Restore scikit-learn's own classes and functions in all modules.

    Fitted models stay usable. From now on, fitting a model of a replaced class uses scikit-learn.
    """
    global _active
    if _active:
        _replace_in_modules({id(new): old for old, new in _pairs()})
        persistence.unregister(pair.sklearn_object for pair in shared_estimators().values())
        _active, dispatch.undone = False, True


def is_active() -> bool:
    """Return whether scikit-learn is accelerated in this process."""
    return _active


@cache
def _pairs() -> list[tuple[object, object]]:
    """Return every original with its replacement."""
    classes = [
        (pair.sklearn_object, getattr(estimators, name))
        for name, pair in shared_estimators().items()
    ]
    calls = [
        (pair.sklearn_object, getattr(functions, name)) for name, pair in shared_functions().items()
    ]
    return classes + calls


def _replace_in_modules(new: Mapping[int, object]) -> None:
    """Replace objects, given by their ids, in the namespaces of all modules except ours.

    The private module that defines a class keeps it, because pickles of scikit-learn's models refer
    to it. For classes defined in public modules, see `persistence.py`.
    """
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "gramian" or module_name in _EXCLUDED_MODULES:
            continue
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict):
            continue
        for name, value in list(names.items()):
            if id(value) in new and not _defined_in(value, module_name):
                names[name] = new[id(value)]


def _defined_in(value: Any, module_name: str) -> bool:
    """Return whether the value is defined in this module and the module is private."""
    return value.__module__ == module_name and "._" in module_name
