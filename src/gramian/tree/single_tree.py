"""Base class of estimators with a single tree."""

from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from gramian.tree.structure.tree import Tree

if TYPE_CHECKING:
    from gramian.base.kinds import Estimator as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


class SingleTree(_Mixed):
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
