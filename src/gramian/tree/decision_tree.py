"""What classification trees and regression trees have in common."""

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

FindsSplits = Callable[[Tree], npt.NDArray[np.bool_]]  # the nodes whose split is undone


@params
class DecisionTree(TreeEstimator, TreeParameters):
    """A tree with axis-parallel and categorical splits.

    Parameters
    ----------
    splitter
        "best": the best threshold of each feature; "random": one threshold of each, drawn between
        its minimum and maximum (extremely randomised trees).
    combine
        "mean": the children's impurities are averaged by weight; "sum": they are added.
    min_box_edge
        A node is a leaf if the bounding box of its rows has no longer edge.

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
            As in `fit`.

        Returns
        -------
        path : Bunch
            ``ccp_alphas``, ascending from 0, and ``impurities``, the weighted impurity of the
            leaves of the subtree that is optimal from that value on.
        """
        bare = copy(self)  # this is no fit
        table = bare._check_table(X)
        targets, weights = bare._check_targets(table, y, sample_weight)
        tree = bare._grow(table, targets, weights, prune=False)
        path = pruning_path(tree, owner=type(self).__name__)
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)

    def _check_targets(
        self, table: Matrix, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None
    ) -> tuple[Targets, Weights | None]:
        raise NotImplementedError

    def _validation_rule(self, X_val: Any, y_val: Any) -> FindsSplits | None:
        """Return what finds the splits that do not lower the error on validation rows."""
        raise NotImplementedError

    def _grow(
        self,
        X: Data,
        targets: Targets,
        weights: Weights | None,
        without_gain: FindsSplits | None = None,
        *,
        prune: bool = True,
    ) -> Tree:
        """Grow a tree; cut it where boxes are tiny and at the nodes that `without_gain` marks."""
        total = float(X.shape[0]) if weights is None else float(weights.sum())
        seed = seed_of(self.random_state)
        options = options_of(self, X.shape[1], X.shape[0], total, targets, seed=seed)
        self.max_features_ = options.max_features
        levels = levels_of(self._categories)
        tree = grown_tree(X, levels, targets, weights, options, owner=type(self).__name__)
        if self.min_box_edge > 0:
            if sp.issparse(X):
                raise DataError(
                    f"{type(self).__name__}: min_box_edge needs a dense X; leave it at 0, or give "
                    "X.toarray()."
                )
            tree = tree.cut(widest_edges(tree, X) < self.min_box_edge)
        if without_gain is not None:
            tree = tree.cut(without_gain(tree))
        if prune and self.ccp_alpha > 0:
            tree = pruned(tree, self.ccp_alpha, type(self).__name__)
        return tree
