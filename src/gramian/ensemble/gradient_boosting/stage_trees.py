"""The trees of boosting: grown on the same columns again and again, which are sorted once."""

from dataclasses import replace
from typing import Any

import numpy as np

from gramian import _native
from gramian.base.types import Data, Floats, Weights
from gramian.tree import DecisionTreeRegressor
from gramian.tree.growth.forest_growth import GrowingForest
from gramian.tree.growth.grow import Targets, numeric_targets, options_of, tree_columns, tree_of
from gramian.tree.pruning.pruning_path import pruned
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree import Ints, Tree

_NAMES = (
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "min_impurity_decrease",
    "max_features",
    "max_leaf_nodes",
    "ccp_alpha",
)


def plain_tree(model: Any) -> DecisionTreeRegressor:
    """Return the tree that a boosting model's parameters describe, not fitted."""
    return DecisionTreeRegressor(**{name: getattr(model, name) for name in _NAMES})


class StageTrees:
    """Grows trees on the rows of one table, and keeps those of each score."""

    def __init__(self, model: Any, X: Data, n_scores: int, kept: list[Forest] | None) -> None:
        self._settings = plain_tree(model)
        self._owner = type(model).__name__
        self._X = X
        self._seed = int(model._seed)
        self._levels: Ints = np.zeros(X.shape[1], dtype=np.int32)
        self._columns = tree_columns(X, self._levels, owner=self._owner)
        shape = Targets(None, np.empty((0, 1)), 1)
        self._growing = [
            GrowingForest(
                model.n_estimators,
                self._levels,
                shape,
                _native.GrowOptions(),
                kept[k] if kept else None,
            )
            for k in range(n_scores)
        ]

    def grow(self, targets: Floats, weights: Weights | None, number: int) -> tuple[Tree, Any]:
        """Grow a tree for numeric targets; return it, and the leaf of each row."""
        n, d = self._X.shape
        scaled = numeric_targets("GradientBoosting", targets[:, None], weights, "squared_error")
        total = float(n) if weights is None else float(weights.sum())
        options = options_of(self._settings, d, n, total, scaled, seed=self._seed)
        grown = _native.grow_tree(self._columns, scaled.native(weights), options, number)
        tree = tree_of(grown, self._levels, scaled, options)
        if self._settings.ccp_alpha > 0:
            tree = pruned(tree, self._settings.ccp_alpha, self._owner)
        return tree, tree.apply(self._X)

    def keep(self, score: int, tree: Tree, values: Floats | None) -> Tree:
        """Add a tree to those of a score, with other values of its nodes if they are given."""
        if values is not None:
            tree = replace(tree, value=values[:, None, None])
        self._growing[score].add_arrays(tree.arrays())
        return tree

    def forests(self, *, copy: bool) -> list[Forest]:
        """Return the trees so far; without a copy, no more trees may be added."""
        return [growing.forest(copy=copy) for growing in self._growing]
