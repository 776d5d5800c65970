"""Classification trees."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils import Bunch

from gramian.base.columns import check_new_columns
from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Fraction,
    Function,
    NonNegative,
    Seed,
    params,
)
from gramian.base.randomness import seed_of
from gramian.tree.class_probabilities import (
    ByOutput,
    ClassProbabilities,
    ListOfDicts,
    Probabilities,
    log_probabilities,
)
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
from gramian.tree.tree_estimator import TreeEstimator


@params
class DecisionTreeClassifier(ClassProbabilities, TreeEstimator):
    """Divide the space into boxes, each with shares of the classes.

    At each node S the split into S_l, S_r that lowers the impurity J most is taken,

        max  J(S) - (w_l J(S_l) + w_r J(S_r)) / w,

    with w the weight of the rows and p_k the share of class k in it:

    - gini: J = 1 - sum_k p_k^2;
    - entropy (or log_loss): J = -sum_k p_k log2 p_k, in bits; the decrease is the information gain;
    - gain_ratio: the information gain over -sum_i (w_i / w) log2 (w_i / w), the split's own
      information, so that many small branches do not win by being many;
    - misclassification: J = 1 - max_k p_k; not strictly concave, so many splits seem worthless
      that are not: for comparison, not for use;
    - any concave function of the shares.

    A number x is divided at the midpoint between two neighbouring values, child 0 being
    x <= threshold. Every column is sorted once, by counting its digits, and all nodes share that
    order: a node of m rows costs O(m d) and a level of the tree O(n d); float32 and float64 are
    compared as they are. Of equal splits the first column and the lowest threshold win. Breiman,
    Friedman, Olshen and Stone 1984; gain ratio: Quinlan 1986.

    Parameters
    ----------
    criterion
        The impurity. A function takes an array (m, K) of class shares and returns m impurities;
        it must be concave and 0 where one class has all.
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
    class_weight
        Weights of the classes, ``{class: weight}``, a list of them for several outputs, or
        "balanced".
    ccp_alpha
        Prune to the smallest subtree that is best for this cost of a leaf.
    monotonic_cst
        For each column 1, 0 or -1: the second class's share must rise, may do as it will, must
        fall. Two classes only.
    categorical_features
        Which columns are categories: by their type, by number, name or mask; None: none. They
        need no encoding; strings and any number of levels will do.
    categorical_splits
        How a category divides: "group" two sets of levels (for two classes the best of all, for
        more the best in the orders by the share of each class), "each" one child per level, "one"
        one level against the rest.
    combine
        "mean": the children's impurities count by their weights; "sum": they are added.
    max_purity
        A node in which one class has this share, or more, is a leaf.
    min_box_edge
        A node whose rows fill a box with no longer edge is a leaf.

    Attributes
    ----------
    classes_ : array of shape (n_classes,), or a list of them for several outputs
        The classes, sorted.
    n_classes_ : int, or a list of them
        Their number.
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
    >>> from gramian.tree import DecisionTreeClassifier
    >>> X = [["red", 1.0], ["red", 3.0], ["green", 2.0], ["blue", 4.0]]
    >>> model = DecisionTreeClassifier(criterion="entropy").fit(X, ["a", "a", "b", "b"])
    >>> model.predict([["red", 9.0], ["green", float("nan")]])
    array(['a', 'b'], dtype='<U1')
    >>> model.get_depth(), model.get_n_leaves()
    (1, 2)
    """

    _: KW_ONLY
    criterion: (
        Literal["gini", "entropy", "log_loss", "gain_ratio", "misclassification"] | Function
    ) = "gini"
    splitter: Literal["best", "random"] = "best"
    max_depth: Depth = None
    min_samples_split: MinSplit = 2
    min_samples_leaf: MinLeaf = 1
    min_weight_fraction_leaf: Fraction = 0.0
    max_features: MaxFeatures = None
    random_state: Seed = None
    max_leaf_nodes: MaxLeaves = None
    min_impurity_decrease: NonNegative = 0.0
    class_weight: dict[Any, Any] | ListOfDicts | Literal["balanced"] | None = None
    ccp_alpha: NonNegative = 0.0
    monotonic_cst: Array | None = None
    categorical_features: CategoricalFeatures = "from_dtype"
    categorical_splits: CategoricalSplits = "group"
    combine: Literal["mean", "sum"] = "mean"
    max_purity: Fraction = 1.0
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
            Their classes.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 take no part.
        X_val, y_val : optional
            Validation rows: a split is made only if it lowers the number of errors on them.

        Returns
        -------
        self : DecisionTreeClassifier
        """
        table = self._check_table(X)
        targets, weights = self._check_classes(table, y, sample_weight)
        loses = self._validation_rule(X_val, y_val)
        self.tree_ = self._grow(table, targets, weights, seed_of(self.random_state), loses)
        return self

    def _validation_rule(self, X_val: Any, y_val: Any) -> Any:
        owner = type(self).__name__
        if not check_pair(owner, X_val, y_val):
            return None
        if self.n_outputs_ > 1:
            raise DataError(f"{owner}: X_val and y_val are for one output only.")
        table = check_new_columns(self, X_val, self._categories)
        truth = np.asarray(y_val)
        if truth.shape != (len(table),):
            raise DataError(f"{owner}: y_val must have shape {(len(table),)}; got {truth.shape}.")

        def wrong(rows: npt.NDArray[np.intp], values: Probabilities) -> npt.NDArray[np.bool_]:
            predicted = self.classes_[values[:, 0].argmax(axis=1)]
            return np.asarray(predicted != truth[rows])

        return lambda tree: splits_without_gain(tree, table, wrong)

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class of each row: the one with the greatest share in its leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            Of equal shares the first class in sorted order.
        """
        table = self._new_table(X)
        if self.n_outputs_ > 1 or self.tree_.splits_missing:
            return self._labels(self.tree_.predict(table))
        labels: npt.NDArray[Any] = self.classes_[self.tree_.majority[self.tree_.apply(table)]]
        return labels

    def predict_proba(self, X: npt.ArrayLike) -> ByOutput:
        """Return the share of each class in the leaf of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        p : array of shape (n, n_classes), or a list of them for several outputs
        """
        table = self._new_table(X)
        shares = self.tree_.predict(table)
        return self._by_output(shares)

    def predict_log_proba(self, X: npt.ArrayLike) -> ByOutput:
        """Return the logarithm of `predict_proba`.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.

        Returns
        -------
        log_p : array of shape (n, n_classes), or a list of them for several outputs
        """
        return log_probabilities(self.predict_proba(X))

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
        targets, weights = self._check_classes(table, y, sample_weight)
        seed = seed_of(self.random_state)
        return self._path(self._grow(table, targets, weights, seed, prune=False))
