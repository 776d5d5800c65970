"""Classification trees."""

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Fraction, Function, params
from gramian.base.inputs.categorical import check_new_columns
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.kinds import Classifier
from gramian.base.types import Table
from gramian.tree.class_probabilities import (
    ByOutput,
    ClassProbabilities,
    ListOfDicts,
    Probabilities,
)
from gramian.tree.decision_tree import DecisionTree, SplitMarker
from gramian.tree.growth.validation_stop import splits_without_gain

_ORDER = (
    "criterion",
    "splitter",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_features",
    "random_state",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "class_weight",
    "ccp_alpha",
    "monotonic_cst",
    "categorical_features",
    "categorical_splits",
    "combine",
    "max_purity",
)


@params(first=_ORDER)
class DecisionTreeClassifier(ClassProbabilities, DecisionTree, Classifier):
    """Decision tree classifier: divides the feature space into boxes with class probabilities.

    Each node S is split into S_l and S_r so that the impurity J decreases most,

        max  J(S) - (w_l J(S_l) + w_r J(S_r)) / w,

    with w the weight of the rows and p_k the proportion of class k:

    - gini: J = 1 - sum_k p_k^2;
    - entropy (or log_loss): J = -sum_k p_k log2 p_k, in bits; the decrease is the information gain;
    - gain_ratio: the information gain over -sum_i (w_i / w) log2 (w_i / w), the split's own
      information, which penalises many small branches;
    - misclassification: J = 1 - max_k p_k; not strictly concave, so many useful splits have no
      gain; for comparison only;
    - any concave function of the proportions.

    A numeric feature x is split at the midpoint between two neighbouring values; child 0 has x <=
    threshold. Every feature is sorted once, by radix sort, and all nodes use that order: a node of
    m rows costs O(m d) and a level of the tree O(n d). float32 and float64 are compared without
    conversion. Among equal splits the first feature and the lowest threshold win. Breiman,
    Friedman, Olshen and Stone 1984; gain ratio: Quinlan 1986.

    Parameters
    ----------
    criterion
        The impurity: a name, or a function of an array (m, K) of class proportions that returns m
        impurities; it must be concave, and 0 for a single class.
    class_weight
        Class weights: ``{class: weight}``, a list of such dicts for several outputs, or
        "balanced".
    max_purity
        Proportion of one class at which a node becomes a leaf.

    Notes
    -----
    Missing values are tried on both sides of every split and go to the better one. If a node had
    none in training, they go to the child of greater weight, as do categories not seen in `fit`.

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
    class_weight: dict[Any, Any] | ListOfDicts | Literal["balanced"] | None = None
    max_purity: Fraction = 1.0

    def _validation_rule(self, X_val: Any, y_val: Any) -> SplitMarker | None:
        owner = type(self).__name__
        if not has_validation_rows(owner, X_val, y_val):
            return None
        if self.n_outputs_ > 1:
            raise DataError(f"{owner}: X_val and y_val support one output only.")
        table = check_new_columns(self, X_val, self._categories)
        truth = np.asarray(y_val)
        if truth.shape != (table.shape[0],):
            raise DataError(
                f"{owner}: y_val must have shape {(table.shape[0],)}; got {truth.shape}."
            )

        def wrong(rows: npt.NDArray[np.intp], values: Probabilities) -> npt.NDArray[np.bool_]:
            predicted = self.classes_[values[:, 0].argmax(axis=1)]
            return np.asarray(predicted != truth[rows])

        return lambda tree: splits_without_gain(tree, table, wrong)

    def predict(self, X: Table, check_input: bool = True) -> npt.NDArray[Any]:
        """Predict the most probable class in each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        check_input : bool
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        y : array of shape (n,) or (n, n_outputs)
            Class labels; the first class in sorted order if there is a tie.
        """
        table = self._new_table(X)
        if self.n_outputs_ > 1 or self.tree_.splits_missing:
            return self._outputs(self.tree_.predict(table))
        labels: npt.NDArray[Any] = self.classes_[self.tree_.majority[self.tree_.apply(table)]]
        return labels

    def predict_proba(self, X: Table, check_input: bool = True) -> ByOutput:
        """Return the class probabilities of the leaf of each row.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows.
        check_input : bool
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        p : array of shape (n, n_classes), or a list of arrays for several outputs
        """
        table = self._new_table(X)
        return self._by_output(self.tree_.predict(table))
