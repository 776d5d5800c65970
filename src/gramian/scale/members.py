"""Forests and bagging on parts of the rows: members are fitted on the workers and then combined.

Member t is fitted to the rows of part t modulo m, for m parts, so that no row is sent. With one
part the result is that of `fit`. It does not depend on the workers, but on the parts: shuffle
sorted rows first.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier

from gramian.base.errors import ParameterError
from gramian.base.fitting import unchanged_on_error
from gramian.base.randomness import seed_of
from gramian.base.rows.label_chunks import LabelChunks
from gramian.base.rows.parts import Parts, appended
from gramian.ensemble import BaggingClassifier, BaggingRegressor
from gramian.ensemble.forests.forest_estimator import ForestEstimator
from gramian.tree.structure.forest import Forest

_BAGGING = (BaggingClassifier, BaggingRegressor)


def has_members(estimator: Any) -> bool:
    """Return whether the estimator is fitted member by member."""
    return isinstance(estimator, (ForestEstimator, *_BAGGING))


@unchanged_on_error
def fit_members(estimator: Any, chunks: Iterable[Any] | Parts) -> Any:
    """Fit members to the parts and combine them in the estimator."""
    name = type(estimator).__name__
    if estimator.oob_score or estimator.warm_start:
        raise ParameterError(
            f"{name}: scale.fit supports neither out-of-bag scores nor a warm start; use "
            "oob_score=False and warm_start=False."
        )
    classes = None
    if is_classifier(estimator):
        classes = LabelChunks.of(estimator, chunks).classes
    ranks, m = _ranks(chunks)
    if estimator.n_estimators < m:
        raise ParameterError(
            f"{name}: n_estimators={estimator.n_estimators} must be at least {m}, the number of "
            "parts, so that all rows are used; increase it, or cut the rows into fewer parts."
        )
    seed = seed_of(estimator.random_state)
    fit = partial(_fit_part, clone(estimator), classes, ranks, m, seed)
    if isinstance(chunks, Parts):
        fitted = chunks.total(fit, appended)
    else:
        fitted = [model for j, chunk in enumerate(chunks) for model in fit([chunk], j, 0)]
    for name, value in vars(fitted[0]).items():
        if name.endswith("_") or name.startswith("_"):
            setattr(estimator, name, value)
    order = [divmod(t, m) for t in range(estimator.n_estimators)]
    if isinstance(estimator, _BAGGING):
        estimator.estimators_ = [fitted[j].estimators_[t] for t, j in order]
        estimator.estimators_features_ = [fitted[j].estimators_features_[t] for t, j in order]
    else:
        estimator.forest_ = _joined([model.forest_ for model in fitted], order)
    return estimator


def _ranks(chunks: Iterable[Any] | Parts) -> tuple[list[int], int]:
    """Return the rank of each part among those with rows (-1 if empty), and their count."""
    if isinstance(chunks, Parts):
        sizes = chunks.total(_size, appended)
    else:
        sizes = [np.shape(chunk[0])[0] for chunk in chunks]
    some = np.array(sizes) > 0
    return np.where(some, np.cumsum(some) - 1, -1).tolist(), int(some.sum())


def _size(chunks: list[Any], *_: int) -> list[int]:
    return [sum(int(np.shape(chunk[0])[0]) for chunk in chunks)]


def _fit_part(
    estimator: Any,
    classes: Any,
    ranks: list[int],
    m: int,
    seed: int,
    chunks: list[Any],
    part: int,
    start: int,
) -> list[Any]:
    """Fit the members of one part; return none if it has no rows."""
    ((X, y, weights),) = chunks
    del start
    rank = ranks[part]
    if rank < 0:
        return []
    count = len(range(rank, estimator.n_estimators, m))
    member = clone(estimator).set_params(n_estimators=count, random_state=(seed + rank) % 2**32)
    y = np.asarray(y)
    if classes is not None:
        X, y, weights = _with_all_classes(X, y, weights, classes)
    return [member.fit(X, y, sample_weight=weights)]


def _with_all_classes(X: Any, y: Any, weights: Any, classes: Any) -> Any:
    """Return the rows and one row of weight 0 for each class that is absent."""
    gone = np.setdiff1d(classes, y)
    if not len(gone):
        return X, y, weights
    X = np.asarray(X)
    ones = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    return (
        np.concatenate([X, np.repeat(X[:1], len(gone), axis=0)]),
        np.concatenate([y, gone]),
        np.concatenate([ones, np.zeros(len(gone))]),
    )


def _joined(forests: list[Forest], order: list[tuple[int, int]]) -> Forest:
    """Return the trees in this order, a list of (number within its forest, forest)."""
    trees = [forests[j][t] for t, j in order]
    roots = np.cumsum([0, *(len(tree.kind) for tree in trees)])
    words = np.cumsum([0, *(len(tree.bits) for tree in trees)])
    first = forests[0].nodes
    nodes = {
        name: first[name] if name == "levels" else np.concatenate(list(_arrays(trees, name)))
        for name in first
    }
    return Forest(roots, words, nodes)


def _arrays(trees: list[Any], name: str) -> Iterator[Any]:
    return (getattr(tree, name) for tree in trees)
