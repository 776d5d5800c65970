"""The trees of boosting: grown on the same columns again and again, which are sorted once."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Data, Floats, Weights
from gramian.ensemble.gradient_boosting.stage_loss import Slopes, StageLoss
from gramian.tree import DecisionTreeRegressor
from gramian.tree.growth.forest_growth import GrowingForest
from gramian.tree.growth.grow import Targets, numeric_targets, options_of, tree_columns, tree_of
from gramian.tree.pruning.pruning_path import pruned
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree import Ints, Tree

TREE_NAMES = (
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
    return DecisionTreeRegressor(**{name: getattr(model, name) for name in TREE_NAMES})


class StageTrees:
    """Grows trees on the rows of one table, and keeps those of each score."""

    def __init__(self, model: Any, X: Data, n_scores: int, kept: list[Forest] | None) -> None:
        self._settings = plain_tree(model)
        self._rate, self._line_search = model.learning_rate, model.line_search
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

    def iterate(
        self,
        loss: StageLoss,
        y: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        score: Floats,
        number: int,
    ) -> Callable[[Data], Floats]:
        """Grow a tree for each score and take its steps, in place.

        Returns the function that gives the change of the scores of other rows.
        """
        part: Any = slice(None) if drawn is None else drawn
        slopes, own = loss.slopes(y, score), weights
        if drawn is not None:
            own = drawn.astype(np.float64) if weights is None else weights * drawn
        counted = None if weights is None else weights[part]
        trees = []
        for k in range(loss.n_scores):
            down, curvature = slopes.down[k], slopes.curvature[k]
            tree, leaf = self.grow(down, own, number * loss.n_scores + k)
            values = None
            if self._line_search:
                there, residual = Slopes(down[part], curvature[part]), (y - score[k])[part]
                values = loss.steps(leaf[part], tree.node_count, there, residual, counted)
            tree = self.keep(k, tree, values)
            score[k] += self._rate * tree.value[leaf, 0, 0]
            trees.append(tree)
        return lambda rows: self._rate * np.stack([t.value[t.apply(rows), 0, 0] for t in trees])

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

    def fitted(self, *, copy: bool) -> dict[str, Any]:
        """Return the fitted attributes so far; without a copy, no more trees may be added."""
        return {"forests_": [growing.forest(copy=copy) for growing in self._growing]}
