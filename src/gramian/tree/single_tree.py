"""What every estimator with a single tree offers."""

from sklearn.utils.validation import check_is_fitted

from gramian.base.kinds import Estimator
from gramian.tree.structure.tree import Tree


class SingleTree(Estimator):
    """An estimator with a single tree."""

    parametric = False

    tree_: Tree

    def get_depth(self) -> int:
        """Return the depth of the tree: the maximum number of splits above a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves
