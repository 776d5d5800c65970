"""The trees of boosting, all grown on the same columns, which are sorted once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Data, Floats, Weights
from gramian.ensemble.gradient_boosting.stages import Stages
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


def unfitted_tree(model: Any) -> DecisionTreeRegressor:
    """Return an unfitted tree with the tree parameters of a boosting model."""
    return DecisionTreeRegressor(**{name: getattr(model, name) for name in TREE_NAMES})


class StageTrees(Stages):
    """Grows exact trees, and keeps those of each score in a forest."""

    by_leaf = True

    def __init__(self, model: Any, X: Data, n_scores: int, kept: list[Forest] | None) -> None:
        super().__init__(model, X)
        self._parameters = unfitted_tree(model)
        self._owner = type(model).__name__
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

    def fit_learner(
        self,
        targets: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        number: int,
        score: int,
    ) -> Tree:
        """Grow a tree on the sorted columns; rows that are not drawn have weight 0."""
        if drawn is not None:
            weights = drawn.astype(np.float64) if weights is None else weights * drawn
        n, d = self._X.shape
        scaled = numeric_targets("GradientBoosting", targets[:, None], weights, "squared_error")
        total = float(n) if weights is None else float(weights.sum())
        options = options_of(self._parameters, d, n, total, scaled, seed=self._seed)
        index = number * len(self._growing) + score
        grown = _native.grow_tree(self._columns, scaled.native(weights), options, index)
        tree = tree_of(grown, self._levels, scaled, options)
        if self._parameters.ccp_alpha > 0:
            tree = pruned(tree, self._parameters.ccp_alpha, self._owner)
        return tree

    def tree_and_leaves(self, learner: Tree) -> tuple[Tree, npt.NDArray[Any]]:
        """Return the tree, and the leaf of every row of X."""
        return learner, learner.apply(self._X)

    def with_values(self, learner: Tree, values: Floats) -> Tree:
        """Return the tree with other node values."""
        return replace(learner, value=values[:, None, None])

    def predict(self, learner: Tree, X: Data) -> Floats:
        """Return the predictions of a tree."""
        return np.asarray(learner.value[learner.apply(X), 0, 0])

    def add(self, learners: Sequence[Tree], step: float) -> None:
        """Add the tree of each score to its forest; the step is the learning rate."""
        del step
        for growing, tree in zip(self._growing, learners, strict=True):
            growing.add_arrays(tree.arrays())

    def fitted(self, *, copy: bool) -> dict[str, Any]:
        """Return the attributes fitted so far; if they are not copied, no tree may be added."""
        return {"forests_": [growing.forest(copy=copy) for growing in self._growing]}
