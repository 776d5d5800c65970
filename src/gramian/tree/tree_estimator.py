"""What the estimators with one axis-parallel tree have in common."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.columns import Categories, check_fit_columns, check_new_columns
from gramian.base.gate import Matrix, Weights
from gramian.tree.growth.grow import Targets, grown_tree, levels_of, options_of
from gramian.tree.pruning.pruning_path import pruned, pruning_path
from gramian.tree.single_tree import SingleTree
from gramian.tree.structure.boxes import leaf_boxes, widest_edges
from gramian.tree.structure.tree import Tree

_FLOATS = (np.float64, np.float32)
_SMALL = 256  # with no more rows, the gate would take longer than the prediction


class TreeEstimator(SingleTree):
    """Grows and holds one tree."""

    categorical_features: Any
    categorical_splits: Any
    min_box_edge: float
    ccp_alpha: float

    takes_nan = takes_categories = True
    _declared_levels = False  # whether levels without a training row count
    _categories: Categories

    # --- fitting ------------------------------------------------------------------------------

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        matrix, self._categories = check_fit_columns(
            self, X, self.categorical_features, declared=self._declared_levels
        )
        return matrix  # type: ignore[no-any-return]

    def _grow(
        self,
        X: Matrix,
        targets: Targets,
        weights: Weights | None,
        seed: int,
        without_gain: Callable[[Tree], npt.NDArray[np.bool_]] | None = None,
        *,
        prune: bool = True,
    ) -> Tree:
        """Grow a tree; cut it where boxes are tiny and at the nodes that `without_gain` marks."""
        total = float(len(X)) if weights is None else float(weights.sum())
        options = options_of(self, X.shape[1], len(X), total, targets, seed=seed)
        self.max_features_ = options.max_features
        tree = grown_tree(X, levels_of(self._categories), targets, weights, options)
        if self.min_box_edge > 0:
            tree = tree.cut(widest_edges(tree, X) < self.min_box_edge)
        if without_gain is not None:
            tree = tree.cut(without_gain(tree))
        if prune and self.ccp_alpha > 0:
            tree = pruned(tree, self.ccp_alpha)
        return tree

    # --- the fitted tree ----------------------------------------------------------------------

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Total decrease of the criterion due to each feature, normalised to sum to 1."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances()

    def _new_table(self, X: npt.ArrayLike) -> Matrix:
        """Check new data; a few rows of floats skip most of the checks."""
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and 0 < len(X) <= _SMALL
            and X.dtype in _FLOATS
            and X.flags.c_contiguous
            and X.shape[1] == getattr(self, "n_features_in_", -1)
            and not hasattr(self, "feature_names_in_")
            and not self.tree_.levels.any()
            and _native.all_finite(X.ravel())
        ):
            return X
        check_is_fitted(self)
        return check_new_columns(self, X, self._categories)  # type: ignore[no-any-return]

    def apply(self, X: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the index of the leaf that each row falls into.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        leaves : int64 array of shape (n,)
        """
        table = self._new_table(X)
        return self.tree_.apply(table).astype(np.int64)

    def decision_path(self, X: npt.ArrayLike) -> sp.csr_matrix:
        """Return the nodes on the path of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        path : CSR matrix of shape (n, n_nodes)
            1 where the row passes through the node.
        """
        table = self._new_table(X)
        return sp.csr_matrix(self.tree_.decision_path(table))

    def leaf_boxes(self) -> Bunch:
        """Return the box of every leaf: the regions into which the tree divides the space.

        Returns
        -------
        boxes : Bunch
            ``leaf`` (n_leaves,), the node numbers; ``lower`` and ``upper`` (n_leaves, d): a row
            belongs to the box if lower < x <= upper in every column. Categorical columns have no
            bounds.
        """
        check_is_fitted(self)
        return leaf_boxes(self.tree_)

    def _path(self, tree: Tree) -> Bunch:
        path = pruning_path(tree)
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)
