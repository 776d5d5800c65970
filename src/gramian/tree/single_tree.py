"""What every estimator of one tree can say of it."""

from sklearn.utils.validation import check_is_fitted

from gramian.base.kinds import Estimator
from gramian.tree.structure.tree import Tree


class OneTree(Estimator):
    """Holds one tree."""

    parametric = False

    tree_: Tree

    def get_depth(self) -> int:
        """Return the greatest number of splits above a leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves
