"""Base class of estimators with one axis-parallel tree."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from gramian import _native
from gramian.base.inputs.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.kinds import Estimator
from gramian.base.types import Matrix, Table
from gramian.tree.single_tree import SingleTree
from gramian.tree.structure.boxes import leaf_boxes

_FLOATS = (np.float64, np.float32)
_SMALL = 256  # rows up to which input checks would take longer than the prediction


def is_small(estimator: Estimator, X: npt.ArrayLike) -> bool:
    """Return whether X is a few finite rows of floats for which most checks can be skipped."""
    return (
        type(X) is np.ndarray
        and X.ndim == 2
        and 0 < len(X) <= _SMALL
        and X.dtype in _FLOATS
        and X.flags.c_contiguous
        and X.shape[1] == getattr(estimator, "n_features_in_", -1)
        and not hasattr(estimator, "feature_names_in_")
        and _native.all_finite(X.ravel())
    )


class TreeEstimator(SingleTree, Estimator):
    """An estimator with one fitted tree."""

    if TYPE_CHECKING:  # a parameter of the classes below
        categorical_features: Any

    takes_nan = takes_categories = True
    _declared_levels = False  # whether levels without training rows have branches
    _categories: Categories

    # --- fitting ------------------------------------------------------------------------------

    def _check_table(self, X: npt.ArrayLike) -> Matrix:
        matrix, self._categories = check_fit_columns(
            self, X, self.categorical_features, declared=self._declared_levels
        )
        return matrix  # type: ignore[no-any-return]

    # --- the fitted tree ----------------------------------------------------------------------

    @property
    def feature_importances_(self) -> npt.NDArray[np.float64]:
        """Total decrease of the criterion due to each feature, normalised to sum to 1."""
        check_is_fitted(self)
        return self.tree_.compute_feature_importances()

    def _new_table(self, X: npt.ArrayLike) -> Matrix:
        """Check new data; a few rows of floats skip most of the checks."""
        if is_small(self, X) and hasattr(self, "tree_") and not self.tree_.levels.any():
            return X  # type: ignore[return-value]
        check_is_fitted(self)
        return check_new_columns(self, X, self._categories)  # type: ignore[no-any-return]

    def apply(self, X: Table, check_input: bool = True) -> npt.NDArray[np.int64]:
        """Return the index of the leaf that each row falls into.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        check_input : bool
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        leaves : int64 array of shape (n,)
        """
        table = self._new_table(X)
        return self.tree_.apply(table).astype(np.int64)

    def decision_path(self, X: Table, check_input: bool = True) -> sp.csr_matrix:
        """Return the nodes on the path of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        check_input : bool
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        path : CSR matrix of shape (n, n_nodes)
            1 where the row passes through the node.
        """
        table = self._new_table(X)
        return sp.csr_matrix(self.tree_.decision_path(table))

    def leaf_boxes(self) -> Bunch:
        """Return the box of every leaf, the regions into which the tree divides the space.

        Returns
        -------
        boxes : Bunch
            ``leaf`` (n_leaves,), the node indices; ``lower`` and ``upper`` (n_leaves, d): a row
            belongs to the box if lower < x <= upper in every column. Categorical columns have no
            bounds.

        Examples
        --------
        >>> from gramian.tree import DecisionTreeClassifier
        >>> model = DecisionTreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
        >>> boxes = model.leaf_boxes()
        >>> boxes.lower.ravel().tolist(), boxes.upper.ravel().tolist()
        ([-inf, 1.5], [1.5, inf])
        >>> model.get_depth(), model.get_n_leaves()
        (1, 2)
        """
        check_is_fitted(self)
        return leaf_boxes(self.tree_)
