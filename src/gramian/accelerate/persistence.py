"""Pickles of scikit-learn's own objects, while their class has no name of its own.

A pickle names a class by its module. Where that is a public one, as `sklearn.naive_bayes`, the name
there is the replacement's while we are accelerated; objects of the original, made before, are then
pickled by the function of this module.
"""

import copyreg
from collections.abc import Iterable
from typing import Any

from gramian.accelerate.shared import shared_estimators


def keep(originals: Iterable[type]) -> None:
    """Let objects of the original classes be pickled while their names are others'."""
    for theirs in originals:
        if "._" not in theirs.__module__:
            copyreg.pickle(theirs, _reduced)


def release(originals: Iterable[type]) -> None:
    """Let them be pickled as ever: their names are their own again."""
    for theirs in originals:
        if copyreg.dispatch_table.get(theirs) is _reduced:
            del copyreg.dispatch_table[theirs]


def _reduced(model: Any) -> tuple[Any, ...]:
    return unfitted, (type(model).__name__,), model.__getstate__()


def unfitted(name: str) -> Any:
    """Return an object of the original class, whose attributes a pickle will set."""
    theirs: Any = shared_estimators()[name].theirs
    return theirs.__new__(theirs)
