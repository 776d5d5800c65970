"""Regression trees."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from gramian.base.columns import check_new_columns
from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Array, Fraction, NonNegative, Seed, params
from gramian.base.labels import check_targets
from gramian.base.randomness import seed_of
from gramian.tree.growth.grow import (
    CategoricalFeatures,
    CategoricalSplits,
    Depth,
    MaxFeatures,
    MaxLeaves,
    MinLeaf,
    MinSplit,
)
from gramian.tree.growth.validation_stop import check_pair, splits_without_gain
from gramian.tree.leaf_values import Floats, LeafValues
from gramian.tree.tree_estimator import TreeEstimator


@params
class DecisionTreeRegressor(LeafValues, TreeEstimator):
    """Divide the space into boxes, each with one number.

    At each node S the split into S_l, S_r that lowers the error J most is taken,

        max  J(S) - (w_l J(S_l) + w_r J(S_r)) / w,

    with w the weight of the rows:

    - squared_error: J = mean (y - mean)^2, a leaf predicts the mean;
    - absolute_error: J = mean abs(y - median), a leaf predicts the median; O(m log m) for a column
      of m rows;
    - worst_error: J = max abs(y - c), c = (min + max) / 2, which a leaf predicts; a split counts as
      its worse child;
    - poisson: J = mean y log(y / mean), half the Poisson deviance, a leaf predicts the mean.

    Columns are sorted once and their order is shared by all nodes, as in
    `DecisionTreeClassifier`. Breiman, Friedman, Olshen and Stone 1984.

    Parameters
    ----------
    criterion
        The error.
    splitter
        "best": the best threshold of each column; "random": one threshold of each, drawn between
        its least and greatest value (extremely randomised trees).
    max_depth
        Most splits above a leaf; None: no limit.
    min_samples_split
        Fewest rows of a node that is divided; a float is a fraction of all rows.
    min_samples_leaf
        Fewest rows of a leaf; a float is a fraction of all rows.
    min_weight_fraction_leaf
        Least weight of a leaf, as a fraction of all weight.
    max_features
        Columns looked at in a node, drawn anew each time: a number, a fraction, "sqrt", "log2",
        "third" (d / 3, at least 1) or None for all.
        Columns of one value do not count if none else was drawn.
    random_state
        Seed of what is drawn. The tree does not depend on the number of threads.
    max_leaf_nodes
        Most leaves; the node whose split gains most is divided first.
    min_impurity_decrease
        The least gain: a split is made if (w / W) (J - after) is at least this, W being all weight.
    ccp_alpha
        Prune to the smallest subtree that is best for this cost of a leaf.
    monotonic_cst
        For each column 1, 0 or -1: the prediction must rise, may do as it will, must fall.
    categorical_features
        Which columns are categories: by their type, by number, name or mask; None: none. They
        need no encoding; strings and any number of levels will do.
    categorical_splits
        How a category divides: "group" two sets of levels (for one output and squared error the
        best of all), "each" one child per level, "one" one level against the rest.
    combine
        "mean": the children's errors count by their weights; "sum": they are added.
    min_box_edge
        A node whose rows fill a box with no longer edge is a leaf.

    Attributes
    ----------
    n_outputs_ : int
        Number of outputs.
    max_features_ : int
        Columns looked at in a node.
    tree_ : Tree
        The nodes.
    feature_importances_ : array of shape (d,)
        How much each column lowered the criterion.
    n_features_in_ : int
        Number of columns.

    Notes
    -----
    A missing value is tried on both sides of every split and goes where it does better; where a
    node saw none, and for a category that fit never saw, it goes to the heavier child.

    Examples
    --------
    >>> from gramian.tree import DecisionTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 2.0, 9.0, 9.0]
    >>> model = DecisionTreeRegressor(max_depth=1).fit(X, y)
    >>> model.predict([[0.4], [2.6]])
    array([1.5, 9. ])
    """

    _: KW_ONLY
    criterion: Literal["squared_error", "absolute_error", "worst_error", "poisson"] = (
        "squared_error"
    )
    splitter: Literal["best", "random"] = "best"
    max_depth: Depth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Fraction = 0.0
    max_features: MaxFeatures = None
    random_state: Seed = None
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NonNegative = 0.0
    ccp_alpha: NonNegative = 0.0
    monotonic_cst: Array | None = None
    categorical_features: CategoricalFeatures = "from_dtype"
    categorical_splits: CategoricalSplits = "group"
    combine: Literal["mean", "sum"] = "mean"
    min_box_edge: NonNegative = 0.0

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: npt.ArrayLike | None = None,
        y_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Grow a tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows: numbers, categories, missing values.
        y : array of shape (n,) or (n, n_outputs)
            Their targets.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 take no part.
        X_val, y_val : optional
            Validation rows: a split is made only if it lowers their error, absolute for
            criterion="absolute_error", else squared.

        Returns
        -------
        self : DecisionTreeRegressor
        """
        table = self._check_table(X)
        targets, weights = self._check_values(table, y, sample_weight)
        loses = self._validation_rule(X_val, y_val)
        self.tree_ = self._grow(table, targets, weights, seed_of(self.random_state), loses)
        return self

    def _validation_rule(self, X_val: Any, y_val: Any) -> Any:
        owner = type(self).__name__
        if not check_pair(owner, X_val, y_val):
            return None
        table = check_new_columns(self, X_val, self._categories)
        truth = check_targets(self, y_val, len(table), columns=True).reshape(len(table), -1)
        if truth.shape[1] != self.n_outputs_:
            raise DataError(
                f"{owner}: y_val must have {self.n_outputs_} columns as y has; got "
                f"{truth.shape[1]}."
            )

        def loss(rows: npt.NDArray[np.intp], values: Floats) -> Floats:
            error = np.abs(values[:, :, 0] - truth[rows])
            error = error if self.criterion == "absolute_error" else error**2
            total: Floats = error.sum(axis=1)
            return total

        return lambda tree: splits_without_gain(tree, table, loss)

    def predict(self, X: npt.ArrayLike) -> Floats:
        """Predict the number of each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            float32 where the targets of `fit` were.
        """
        table = self._new_table(X)
        return self._predictions(self.tree_.predict(table))

    def cost_complexity_pruning_path(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
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
            leaves of the subtree that is best from that value on.
        """
        table = self._check_table(X)
        targets, weights = self._check_values(table, y, sample_weight)
        seed = seed_of(self.random_state)
        return self._path(self._grow(table, targets, weights, seed, prune=False))
