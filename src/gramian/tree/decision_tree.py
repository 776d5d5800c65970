"""Base class of classification and regression trees."""

from collections.abc import Callable
from copy import copy
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import Bunch

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, NonNegative, params
from gramian.base.randomness import seed_of
from gramian.base.types import Data, Matrix, Table, Weights
from gramian.tree.growth.grow import Targets, grown_tree, levels_of, options_of
from gramian.tree.pruning.pruning_path import pruned, pruning_path
from gramian.tree.structure.boxes import widest_edges
from gramian.tree.structure.tree import Tree
from gramian.tree.tree_estimator import TreeEstimator
from gramian.tree.tree_parameters import TreeParameters

SplitMarker = Callable[[Tree], npt.NDArray[np.bool_]]  # a mask of the nodes whose split to undo


@params
class DecisionTree(TreeEstimator, TreeParameters):
    """A tree with axis-parallel and categorical splits.

    Parameters
    ----------
    splitter
        "best" for the best threshold of each feature; "random" for one threshold per feature,
        drawn between its minimum and maximum (extremely randomised trees).
    combine
        "mean" averages the children's impurities by weight; "sum" adds them.
    min_box_edge
        Maximum edge of the bounding box of a node's rows at which the node becomes a leaf.

    Attributes
    ----------
    max_features_ : int
        Number of features considered at a node.
    tree_ : Tree
        The fitted tree.
    """

    _: KW_ONLY
    splitter: Literal["best", "random"] = "best"
    combine: Literal["mean", "sum"] = "mean"
    min_box_edge: NonNegative = 0.0

    takes_sparse = True

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        check_input: bool = True,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Grow a tree.

        Parameters
        ----------
        X : array, CSR or frame of shape (n, d)
            Numeric and categorical features; missing values are allowed unless X is sparse.
        y : array of shape (n,) or (n, n_outputs)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 are ignored.
        check_input : bool
            Ignored; present for scikit-learn compatibility.
        X_val, y_val : optional
            Validation rows: a split is made only if it lowers the error on them. The error is the
            number of wrong classes, the absolute error for criterion="absolute_error", else the
            squared error.

        Returns
        -------
        self : object
            The fitted tree.
        """
        table = self._check_table(X)
        targets, weights = self._check_targets(table, y, sample_weight)
        without_gain = self._validation_rule(X_val, y_val)
        self.tree_ = self._grow(table, targets, weights, without_gain)
        return self

    def cost_complexity_pruning_path(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Bunch:
        """Return the values of ccp_alpha at which the pruned tree changes.

        Parameters
        ----------
        X, y, sample_weight
            See `fit`.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, ascending from 0, and ``impurities``, the weighted impurity of the
            leaves of the subtree that is optimal from that value on.
        """
        estimator = copy(self)  # the estimator itself is not fitted
        table = estimator._check_table(X)
        targets, weights = estimator._check_targets(table, y, sample_weight)
        tree = estimator._grow(table, targets, weights, prune=False)
        path = pruning_path(tree, owner=type(self).__name__)
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)

    def _check_targets(
        self, table: Matrix, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Targets, Weights | None]:
        raise NotImplementedError

    def _validation_rule(self, X_val: Any, y_val: Any) -> SplitMarker | None:
        """Return a function that finds the splits that do not lower the validation error."""
        raise NotImplementedError

    def _grow(
        self,
        X: Data,
        targets: Targets,
        weights: Weights | None,
        without_gain: SplitMarker | None = None,
        *,
        prune: bool = True,
    ) -> Tree:
        """Grow a tree; cut it at nodes with tiny boxes and at those that `without_gain` marks."""
        total = float(X.shape[0]) if weights is None else float(weights.sum())
        seed = seed_of(self.random_state)
        options = options_of(self, X.shape[1], X.shape[0], total, targets, seed=seed)
        self.max_features_ = options.max_features
        levels = levels_of(self._categories)
        tree = grown_tree(X, levels, targets, weights, options, owner=type(self).__name__)
        if self.min_box_edge > 0:
            if sp.issparse(X):
                raise DataError(
                    f"{type(self).__name__}: min_box_edge needs a dense X; set min_box_edge=0, or "
                    "pass X.toarray()."
                )
            tree = tree.cut(widest_edges(tree, X) < self.min_box_edge)
        if without_gain is not None:
            tree = tree.cut(without_gain(tree))
        if prune and self.ccp_alpha > 0:
            tree = pruned(tree, self.ccp_alpha, type(self).__name__)
        return tree
