"""Putting the replacements into the modules, and the originals back."""

import sys
from collections.abc import Mapping
from functools import cache
from types import TracebackType
from typing import Any, Self

from gramian.accelerate import estimators, functions, persistence, serving, workers
from gramian.accelerate.shared import shared_estimators, shared_functions, uncollected

# scikit-learn's ensembles read the nodes of scikit-learn's trees, and some of its classes the
# private attributes of the members they make. There the names stay what they were.
_LEFT_ALONE = (
    "sklearn.ensemble._forest",
    "sklearn.ensemble._gb",
    "sklearn.ensemble._iforest",
)

_active = False


class Acceleration:
    """What `gramian.accelerate()` returns: as a context manager it ends where the block ends."""

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
    """Replace in all loaded modules what scikit-learn and gramian both have.

    Modules that are imported later get the replacements too. Names that a module has imported
    before are replaced as well; what else refers to an original, as an object already made, a
    list of classes or a default argument, stays as it is.

    Returns
    -------
    acceleration
        Used as a context manager, it ends with the block. Otherwise `undo` ends it.

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
        with uncollected():
            _exchange({id(old): new for old, new in _pairs()})
        persistence.keep(pair.theirs for pair in shared_estimators().values())
        _active, serving.stopped = True, False
        workers.follow()
    return Acceleration(was_active=was_active)


def undo() -> None:
    """Put scikit-learn's own classes and functions back into all modules.

    Models that were fitted stay usable. A model of a replaced class that is fitted again, or for
    the first time, is from now on fitted by scikit-learn.
    """
    global _active
    if _active:
        _exchange({id(new): old for old, new in _pairs()})
        persistence.release(pair.theirs for pair in shared_estimators().values())
        _active, serving.stopped = False, True


def is_active() -> bool:
    """Tell whether scikit-learn is accelerated in this process."""
    return _active


@cache
def _pairs() -> list[tuple[Any, Any]]:
    """Return every original with its replacement."""
    classes = [
        (pair.theirs, getattr(estimators, name)) for name, pair in shared_estimators().items()
    ]
    calls = [(pair.theirs, getattr(functions, name)) for name, pair in shared_functions().items()]
    return classes + calls


def _exchange(new: Mapping[int, Any]) -> None:
    """Replace objects, given by their identity, in the names of all modules but our own.

    The private module that defines a class keeps it: that is where the pickles of scikit-learn's
    own models look for it. Where a public module does, see `persistence.py`.
    """
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "gramian" or module_name in _LEFT_ALONE:
            continue
        names = getattr(module, "__dict__", None)
        if not isinstance(names, dict):
            continue
        for name, value in list(names.items()):
            if id(value) in new and not _defined_in(value, module_name):
                names[name] = new[id(value)]


def _defined_in(value: Any, module_name: str) -> bool:
    """Whether a private module defines it."""
    return value.__module__ == module_name and "._" in module_name
