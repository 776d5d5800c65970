"""Names that both libraries have at the same address, with `sklearn` replaced by `gramian`."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from sklearn.base import BaseEstimator

from gramian.base.cached import cached_property
from gramian.base.catalogue import ESTIMATORS, resolve

# Functions, which the catalogue does not list. export_text and plot_tree are left out, because
# their output differs from scikit-learn's.
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

# Classes whose scores have another meaning: NearestCentroid does not divide its scores by the
# spread within the classes, as scikit-learn does.
_DIFFERENT_SCORES = {"NearestCentroid"}


@dataclass(frozen=True)
class Pair:
    """A class or function of scikit-learn, and the address of gramian's."""

    sklearn_object: Any
    path: str

    @cached_property
    def gramian_object(self) -> Any:
        """Gramian's class or function; its package is imported on first use."""
        with garbage_collection_disabled():
            return resolve(self.path)


@contextmanager
def garbage_collection_disabled() -> Iterator[None]:
    """Disable garbage collection: imports create little garbage but many objects to visit."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@cache
def shared_estimators() -> dict[str, Pair]:
    """Return, by name, the estimators of the catalogue that scikit-learn has too."""
    found = {}
    for entry in ESTIMATORS:
        theirs = _sklearn_object(entry.path)
        if entry.name in _DIFFERENT_SCORES:
            continue
        if isinstance(theirs, type) and issubclass(theirs, BaseEstimator):
            found[entry.name] = Pair(theirs, entry.path)
    return found


@cache
def shared_functions() -> dict[str, Pair]:
    """Return, by name, the functions that both libraries have."""
    pairs = [Pair(_sklearn_object(path), path) for path in FUNCTIONS]
    return {pair.sklearn_object.__name__: pair for pair in pairs if pair.sklearn_object is not None}


def _sklearn_object(path: str) -> Any:
    """Return scikit-learn's object at the same address as gramian's, or None."""
    _, family, name = path.split(".")
    return getattr(_family(family), name, None)


@cache
def _family(name: str) -> ModuleType | None:
    """Import a package of scikit-learn; return None if it does not exist."""
    return import_module(f"sklearn.{name}") if find_spec(f"sklearn.{name}") else None
