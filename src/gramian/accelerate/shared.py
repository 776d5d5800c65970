"""What both libraries have: the same name at the same address, one word replaced."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

from gramian.base.catalogue import ESTIMATORS, resolve

# The functions, which no catalogue lists. Without those of one name that draw or write in another
# form: export_text and plot_tree.
FUNCTIONS = (
    "gramian.cluster.kmeans_plusplus",
    "gramian.decomposition.fastica",
    "gramian.decomposition.non_negative_factorization",
    "gramian.decomposition.randomized_svd",
    "gramian.linear_model.enet_path",
    "gramian.linear_model.lasso_path",
    "gramian.neighbors.kneighbors_graph",
    "gramian.neighbors.radius_neighbors_graph",
    "gramian.random_projection.johnson_lindenstrauss_min_dim",
)

# A class whose scores mean another thing: those of NearestCentroid are not divided by the spread
# within the classes, as theirs are.
_OTHER_MEANING = {"NearestCentroid"}


@dataclass(frozen=True)
class Pair:
    """A class or function of scikit-learn's, and the address of gramian's."""

    theirs: Any
    path: str

    @cached_property
    def ours(self) -> Any:
        """What gramian has there: its family is imported when it is first needed."""
        with uncollected():
            return resolve(self.path)


@contextmanager
def uncollected() -> Iterator[None]:
    """Let no garbage be looked for: imports leave little, and there are many objects to visit."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@cache
def shared_estimators() -> dict[str, Pair]:
    """Return the classes, by name, of the catalogue's estimators that scikit-learn has too."""
    found = {}
    for entry in ESTIMATORS:
        theirs = _theirs(entry.path)
        if entry.name in _OTHER_MEANING:
            continue
        if isinstance(theirs, type) and issubclass(theirs, BaseEstimator):
            found[entry.name] = Pair(theirs, entry.path)
    return found


@cache
def shared_functions() -> dict[str, Pair]:
    """Return the functions that both have, by name."""
    pairs = [Pair(_theirs(path), path) for path in FUNCTIONS]
    return {pair.theirs.__name__: pair for pair in pairs if pair.theirs is not None}


def _theirs(path: str) -> Any:
    """Return what scikit-learn has at an address of gramian's, or None."""
    _, family, name = path.split(".")
    return getattr(_family(family), name, None)


@cache
def _family(name: str) -> ModuleType | None:
    """Import scikit-learn's package of a name, or return None."""
    return import_module(f"sklearn.{name}") if find_spec(f"sklearn.{name}") else None
