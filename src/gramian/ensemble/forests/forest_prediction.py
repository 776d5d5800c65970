"""Fitted forests: predictions, paths, importances, proximities, single trees."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.inputs.categorical import Categories, check_new_columns
from gramian.base.kinds import Estimator
from gramian.base.runtime.threads import threads_for
from gramian.base.types import Matrix, Table
from gramian.tree.growth.grow import n_features_of
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree_sum import Link, TreeSum
from gramian.tree.tree_estimator import is_small

Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


if TYPE_CHECKING:
    from gramian.ensemble.common.sequence import MemberSequence
    from gramian.ensemble.forests.forest_parameters import ForestParameters

    class _Mixed(ForestParameters, MemberSequence, Estimator):
        """The class that the mixin extends."""

else:
    _Mixed = object


class FittedForest(_Mixed):
    """A fitted forest, which predicts with the mean of its trees."""

    splitter: ClassVar[str] = "best"
    _tree_class: ClassVar[Any]
    takes_nan = takes_categories = takes_sparse = True
    parametric = False

    forest_: Forest
    _categories: Categories

    def _new_table(self, X: npt.ArrayLike) -> Matrix:
        """Check new data; a few rows of floats skip most of the checks."""
        fitted = hasattr(self, "forest_")
        if fitted and is_small(self, X) and not self.forest_.nodes["levels"].any():
            return X  # type: ignore[return-value]
        check_is_fitted(self, "forest_")
        return check_new_columns(self, X, self._categories)  # type: ignore[no-any-return]

    def _mean(self, X: npt.ArrayLike) -> Floats:
        table = self._new_table(X)
        if self.n_jobs is None:
            return self.forest_.mean(table)
        with threads_for(self.n_jobs):
            return self.forest_.mean(table)

    def _staged_means(self, X: npt.ArrayLike) -> Iterator[Floats]:
        """Yield the means of the first 1, 2, ... trees."""
        table, forest = self._new_table(X), self.forest_
        total = np.zeros((table.shape[0], *forest.nodes["value"].shape[1:]))
        leaves = forest.apply(table)
        for t in range(len(forest)):
            total += forest.nodes["value"][forest.roots[t] + leaves[:, t]]
            yield total / (t + 1)

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict each row's most probable class, or the mean of the trees' predictions.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            Class labels, or values (float32 if the targets of `fit` were float32).
        """
        return self._outputs(self._mean(X))

    def staged_predict(self, X: Table) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first 1, 2, ... trees.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Yields
        ------
        y : array of shape (n,) or (n, n_outputs)
        """
        return map(self._outputs, self._staged_means(X))

    def _outputs(self, values: Floats) -> npt.NDArray[Any]:
        """Convert means over the trees, (n, n_outputs, n_classes), to predictions."""
        raise NotImplementedError

    def apply(self, X: Table) -> npt.NDArray[np.int64]:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        leaves : int64 array of shape (n, n_estimators)
        """
        table = self._new_table(X)
        return self.forest_.apply(table).astype(np.int64)

    def decision_path(self, X: Table) -> tuple[sp.csr_matrix, npt.NDArray[np.int64]]:
        """Return the nodes on the path of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        path : CSR matrix of shape (n, n_nodes)
            1 where the row passes through the node; the trees' nodes are concatenated.
        n_nodes_ptr : int64 array of shape (n_estimators + 1,)
            Offset of each tree's nodes.
        """
        table = self._new_table(X)
        paths = [tree.decision_path(table) for tree in self.forest_]
        return sp.csr_matrix(sp.hstack(paths)), self.forest_.roots.copy()

    @property
    def feature_importances_(self) -> Floats:
        """Decrease of the criterion due to each feature, as a fraction, averaged over the trees."""
        check_is_fitted(self)
        return self.forest_.importances()

    @property
    def feature_counts_(self) -> npt.NDArray[np.int64]:
        """Number of splits on each feature."""
        check_is_fitted(self)
        used = self.forest_.nodes["feature"]
        return np.bincount(used[used >= 0], minlength=self.n_features_in_).astype(np.int64)

    def _tree_sum(self) -> TreeSum:
        """Return the forest as a sum of trees, for `gramian.to_onnx`."""
        link: Link = "probabilities" if is_classifier(self) else "identity"
        return TreeSum(list(self.forest_), scale=1 / len(self.forest_), link=link)

    def proximity(self, X: Table, Y: npt.ArrayLike | None = None) -> Floats:
        """Return the proximities: the fraction of trees in which two rows share a leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Rows.
        Y : array or frame of shape (m, d), optional
            Other rows; None means X.

        Returns
        -------
        p : array of shape (n, m)
            The fraction of trees in which row i of X and row j of Y are in the same leaf.
        """
        check_is_fitted(self)
        left = self._leaf_indicators(X)
        right = left if Y is None else self._leaf_indicators(Y)
        together: Floats = (left @ right.T).toarray() / len(self.forest_)
        return together

    def _leaf_indicators(self, X: npt.ArrayLike) -> sp.csr_array:
        leaves = self.forest_.apply(self._new_table(X)) + self.forest_.roots[:-1]
        n, trees = leaves.shape
        ends = np.arange(0, n * trees + 1, trees)
        ones = np.ones(n * trees)
        return sp.csr_array((ones, leaves.ravel(), ends), shape=(n, int(self.forest_.roots[-1])))

    @property
    def estimators_(self) -> list[Estimator]:
        """The trees as estimators, created on access."""
        check_is_fitted(self)
        return [self._tree_estimator(t) for t in range(len(self.forest_))]

    @property
    def estimator_(self) -> Any:
        """The unfitted tree that was copied."""
        check_is_fitted(self)
        return self._empty_tree()

    def __len__(self) -> int:
        return len(self.forest_)

    def __getitem__(self, index: Any) -> Any:
        chosen = range(len(self.forest_))[index]
        if isinstance(chosen, range):
            return [self._tree_estimator(t) for t in chosen]
        return self._tree_estimator(chosen)

    def __iter__(self) -> Iterator[Estimator]:
        return (self._tree_estimator(t) for t in range(len(self.forest_)))

    def _empty_tree(self) -> Estimator:
        mine: dict[str, object] = self.get_params(deep=False)
        kind: Callable[..., Estimator] = self._tree_class
        names: set[str] = kind().get_params(deep=False).keys() & mine.keys()
        return kind(**{name: mine[name] for name in names}, splitter=self.splitter)

    def _tree_estimator(self, t: int) -> Estimator:
        """Return tree t as an estimator."""
        tree = self._empty_tree()
        fitted = ("classes_", "n_classes_", "n_outputs_", "n_features_in_", "feature_names_in_")
        for name in (*fitted, "_single", "_categories"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        tree.max_features_ = n_features_of(self.max_features, self.n_features_in_)
        tree.tree_ = self.forest_[t]
        return tree
