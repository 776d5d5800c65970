"""Pickle scikit-learn's objects while their class is replaced.

A pickle refers to a class by its module. If that is a public module, such as `sklearn.naive_bayes`,
the name there is the replacement during acceleration; existing objects of the original class are
then pickled by the function of this module.
"""

import copyreg
from collections.abc import Iterable
from typing import Any

from gramian.accelerate.shared import shared_estimators


def register(originals: Iterable[type]) -> None:
    """Register pickling functions for objects of the original classes."""
    for theirs in originals:
        if "._" not in theirs.__module__:
            copyreg.pickle(theirs, _reduce)


def unregister(originals: Iterable[type]) -> None:
    """Remove the pickling functions: the names refer to the original classes again."""
    for theirs in originals:
        if copyreg.dispatch_table.get(theirs) is _reduce:
            del copyreg.dispatch_table[theirs]


def _reduce(model: Any) -> tuple[Any, ...]:
    return unfitted, (type(model).__name__,), model.__getstate__()


def unfitted(name: str) -> object:
    """Return an empty object of the original class; the pickle sets its attributes."""
    theirs: Any = shared_estimators()[name].sklearn_object
    empty: object = theirs.__new__(theirs)
    return empty
