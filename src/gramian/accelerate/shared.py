"""What both libraries have: the same name at the same address, one word replaced."""

import inspect
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

import gramian
from gramian.base.catalogue import ESTIMATORS

_NO_FAMILIES = {"accelerate", "base", "cli"}

# Functions of one name that draw or write in another form, and a class whose scores mean another
# thing: those of NearestCentroid are not divided by the spread within the classes, as theirs are.
_OTHER_FORM = {"export_text", "plot_tree"}
_OTHER_MEANING = {"NearestCentroid"}


@cache
def shared_estimators() -> dict[str, tuple[type, type]]:
    """Return scikit-learn's class and ours for every name of the catalogue that both have."""
    found: dict[str, tuple[type, type]] = {}
    for entry in ESTIMATORS:
        family = _theirs(entry.path.split(".")[1])
        theirs = getattr(family, entry.name, None)
        if entry.name in _OTHER_MEANING:
            continue
        if isinstance(theirs, type) and issubclass(theirs, BaseEstimator):
            found[entry.name] = theirs, entry.resolve()
    return found


@cache
def shared_functions() -> dict[str, tuple[Callable[..., Any], Callable[..., Any]]]:
    """Return scikit-learn's function and ours for every public name that both have."""
    found: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}
    for family in iter_modules(gramian.__path__):
        if not family.ispkg or family.name in _NO_FAMILIES:
            continue
        theirs = _theirs(family.name)
        if theirs is None:
            continue
        ours = import_module(f"gramian.{family.name}")
        both = {*getattr(ours, "__all__", ())} & {*getattr(theirs, "__all__", ())}
        for name in sorted(both - _OTHER_FORM):
            pair = getattr(theirs, name), getattr(ours, name)
            if all(map(inspect.isfunction, pair)):
                found[name] = pair
    return found


def _theirs(family: str) -> ModuleType | None:
    """Import scikit-learn's package of a name, or return None."""
    return import_module(f"sklearn.{family}") if find_spec(f"sklearn.{family}") else None
