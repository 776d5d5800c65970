"""The arrays of a fitted tree in scikit-learn's conventions, for its export functions and users."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix

from gramian.base.cached import cached_property
from gramian.base.types import Floats, Mask, Matrix, RowNumbers, Table, is_sparse

if TYPE_CHECKING:
    from gramian.tree import Tree

_UNDEFINED = -2  # scikit-learn's feature and threshold of a leaf


class TreeArrays:
    """A gramian tree with the interface of scikit-learn's ``tree_``.

    ``feature`` and ``threshold`` are -2 in leaves; other attributes are those of the tree.

    Parameters
    ----------
    tree
        The tree.
    share
        Number of training rows at each node, for `compute_partial_dependence`; None uses their
        weight.
    """

    def __init__(self, tree: "Tree", node_weight: Floats | None = None) -> None:
        self._tree = tree
        self._node_weight = tree.weight if node_weight is None else node_weight

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._tree, name)

    @cached_property
    def feature(self) -> RowNumbers:
        """The feature that each node splits on."""
        return np.where(self._tree.n_children > 0, self._tree.feature, _UNDEFINED).astype(np.int64)

    @cached_property
    def threshold(self) -> Floats:
        """The threshold of each split."""
        return np.where(self._tree.n_children > 0, self._tree.threshold, float(_UNDEFINED))

    @property
    def n_classes(self) -> RowNumbers:
        """The number of classes of each output, 1 for regression; at most `max_n_classes`."""
        return np.full(self._tree.n_outputs, self._tree.max_n_classes)

    @property
    def capacity(self) -> int:
        """The number of nodes in the arrays."""
        return self._tree.node_count

    def apply(self, X: Table) -> RowNumbers:
        """Return the leaf of each row, dense or sparse."""
        return self._tree.apply(_dense(X)).astype(np.int64)

    def predict(self, X: Table) -> Floats:
        """Return the value of each row's leaf; a single output has no axis of its own."""
        value = self._tree.predict(_dense(X))
        return value[:, 0] if self._tree.n_outputs == 1 else value

    def decision_path(self, X: Table) -> csr_matrix:
        """Return the nodes on each row's path, as a sparse matrix of ones."""
        return csr_matrix(self._tree.decision_path(_dense(X)))

    def compute_partial_dependence(
        self, grid: Matrix, features: Iterable[int], out: Floats
    ) -> None:
        """Add the tree's average prediction at each point of a grid of selected features to `out`.

        A point goes down the splits on these features as a row would, and to both sides of the
        others in proportion to the training weight (Friedman 2001, section 8.2).
        """
        tree = self._tree
        column = {int(feature): k for k, feature in enumerate(features)}
        fraction = np.zeros((tree.node_count, len(grid)))
        fraction[0] = 1.0
        for node in np.flatnonzero(tree.n_children > 0):  # children come after their parent
            left, right = tree.first_child[node], tree.first_child[node] + 1
            at = column.get(int(tree.feature[node]))
            goes_left: Floats | Mask | float = self._node_weight[left] / self._node_weight[node]
            if at is not None:
                goes_left = grid[:, at] <= tree.threshold[node]
            fraction[left] = fraction[node] * goes_left
            fraction[right] = fraction[node] - fraction[left]
        leaves = tree.n_children == 0
        out += tree.value[leaves, 0, 0] @ fraction[leaves]


def _dense(X: Table) -> Floats:
    return np.ascontiguousarray(X.toarray() if is_sparse(X) else X, dtype=np.float64)
