"""What the estimators that hold one tree share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.types import Matrix, Weights
from gramian.tree.growth.grow import Targets, grown_tree, levels_of, options_of
from gramian.tree.pruning.pruning_path import pruned, pruning_path
from gramian.tree.single_tree import OneTree
from gramian.tree.structure.boxes import leaf_boxes, widest_edges
from gramian.tree.structure.tree import Tree

_FLOATS = (np.float64, np.float32)
_SMALL = 256  # rows of a table for which the gate would take longer than the walk


class TreeEstimator(OneTree):
    """Grows and holds one tree."""

    categorical_features: Any
    categorical_splits: Any
    min_box_edge: float
    ccp_alpha: float

    takes_nan = takes_categories = True
    _declared_levels = False  # whether a level counts that no row of fit has
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
        loses: Callable[[Tree], npt.NDArray[np.bool_]] | None = None,
        *,
        prune: bool = True,
    ) -> Tree:
        """Grow a tree; cut where a box is tiny and where `loses` says that a split does not pay."""
        total = float(len(X)) if weights is None else float(weights.sum())
        options = options_of(self, X.shape[1], len(X), total, targets, seed=seed)
        self.max_features_ = options.max_features
        tree = grown_tree(X, levels_of(self._categories), targets, weights, options)
        if self.min_box_edge > 0:
            tree = tree.cut(widest_edges(tree, X) < self.min_box_edge)
        if loses is not None:
            tree = tree.cut(loses(tree))
        if prune and self.ccp_alpha > 0:
            tree = pruned(tree, self.ccp_alpha)
        return tree

    # --- the fitted tree ----------------------------------------------------------------------

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """How much each column lowered the criterion, scaled to sum to 1."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances()

    def _new_table(self, X: npt.ArrayLike) -> Matrix:
        """Check new data; a few rows of floats take a short way through the gate."""
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
        """Return the leaf that each row ends in.

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
        """Return the nodes that each row goes through.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        path : CSR matrix of shape (n, n_nodes)
            1 where a row goes through a node.
        """
        table = self._new_table(X)
        return sp.csr_matrix(self.tree_.decision_path(table))

    def leaf_boxes(self) -> Bunch:
        """Return the box of every leaf: the cells into which the tree divides the space.

        Returns
        -------
        boxes : Bunch
            ``leaf`` (n_leaves,), the node numbers; ``lower`` and ``upper`` (n_leaves, d): a row
            belongs to the box if lower < x <= upper in every column. A column of categories is
            not bounded.
        """
        check_is_fitted(self)
        return leaf_boxes(self.tree_)

    def _path(self, tree: Tree) -> Bunch:
        path = pruning_path(tree)
        return Bunch(ccp_alphas=path.ccp_alphas, impurities=path.impurities)
