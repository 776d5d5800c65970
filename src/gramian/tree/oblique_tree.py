"""Oblique trees: splits w . x <= t on several features at once."""

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.fields import (
    KW_ONLY,
    Function,
    Learner,
    params,
)
from gramian.base.inputs.targets import check_labels, check_target_size, check_targets
from gramian.base.inputs.weights import ClassWeight, weigh_classes
from gramian.base.kinds import Regressor
from gramian.base.types import Floats, Matrix, Table, Weights
from gramian.tree.growth.grow import (
    check_concave,
    class_targets,
    criterion_of_weights,
    in_original_units,
    numeric_targets,
)
from gramian.tree.most_probable_class import MostProbableClass
from gramian.tree.oblique_base import ObliqueTree
from gramian.tree.structure.tree import Tree

ClassSplit: TypeAlias = (
    Literal["logistic", "ridge", "least_squares", "centroid", "random"] | Learner
)
RegressionSplit: TypeAlias = Literal["ridge", "least_squares", "centroid", "random"] | Learner

_ORDER = (
    "split",
    "n_candidates",
    "max_split_features",
    "axis_parallel",
    "shape",
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "class_weight",
)


@params(first=_ORDER)
class ObliqueTreeClassifier(MostProbableClass, ObliqueTree):
    """Oblique tree classifier: splits w . x <= t, with w from a linear classifier.

    At a node the features are scaled and a linear model is fitted to every class against the
    others. The split is the direction w and threshold t that lower the impurity most, among all
    directions found (and, with `axis_parallel`, the features themselves). A diagonal boundary thus
    needs one split where an ordinary tree needs a staircase. Such splits are called oblique or
    multivariate; they are not surrogate splits. A node of n rows costs the fit
    and O(n log n) per direction. Breiman, Friedman, Olshen and Stone 1984, 5.2; Murthy, Kasif and
    Salzberg 1994.

    Parameters
    ----------
    split
        The method that finds w: "logistic", "ridge", "least_squares", "centroid" (the line between
        the means), "random" (the best of `n_candidates` random directions), or an estimator that
        has ``coef_`` after fit.
    criterion
        The impurity: "gini", "entropy", "misclassification" or a concave function of class
        proportions.
    class_weight
        Weights of the classes, or "balanced".

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.

    Examples
    --------
    >>> from gramian.tree import ObliqueTreeClassifier
    >>> X = [[i, j] for i in range(6) for j in range(6)]
    >>> y = [int(i + j > 5) for i, j in X]
    >>> ObliqueTreeClassifier().fit(X, y).get_n_leaves()
    2
    """

    _: KW_ONLY
    split: ClassSplit = "logistic"
    criterion: Literal["gini", "entropy", "misclassification"] | Function = "gini"
    class_weight: ClassWeight = None

    def _fit(self, table: Matrix, y: npt.ArrayLike, weights: Weights | None) -> None:
        codes, self.classes_ = check_labels(self, y, len(table))
        owner = type(self).__name__
        weights = weigh_classes(owner, self.class_weight, codes, self.classes_, weights)
        n_classes, criterion = len(self.classes_), self.criterion
        if callable(criterion):
            check_concave(owner, criterion, n_classes)
            criterion = criterion_of_weights(owner, criterion)
        self._grow(table, class_targets(owner, codes[:, None], n_classes), weights, criterion)

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities of each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        leaves = self.apply(X)
        p: Floats = self.tree_.value[leaves, 0]
        return p


@params(first=("split",))
class ObliqueTreeRegressor(Regressor, ObliqueTree):
    """Oblique tree regressor: splits w . x <= t, with w from a linear model.

    The direction comes from a linear model of y at the node; the threshold lowers the variance of y
    most. A leaf predicts the mean. See `ObliqueTreeClassifier`.

    Parameters
    ----------
    split
        The method that finds w: "ridge", "least_squares", "centroid" (between the means of rows
        with a low and a high y), "random", or an estimator that has ``coef_`` after fit.

    Examples
    --------
    >>> from gramian.tree import ObliqueTreeRegressor
    >>> X = [[i, j] for i in range(6) for j in range(6)]
    >>> y = [float(i + j > 5) for i, j in X]
    >>> ObliqueTreeRegressor(max_depth=1).fit(X, y).score(X, y)
    1.0
    """

    _: KW_ONLY
    split: RegressionSplit = "ridge"

    def _fit(self, table: Matrix, y: npt.ArrayLike, weights: Weights | None) -> None:
        values = np.asarray(check_targets(self, y, len(table)), dtype=np.float64)
        check_target_size(self, table, values)
        self._dtype = table.dtype.name
        targets = numeric_targets(type(self).__name__, values[:, None], weights, "squared_error")
        plain = targets._replace(
            scale=1.0, center=None
        )  # grown in scaled units, whose squares are finite
        self._grow(table, plain, weights, "squared_error")
        self.tree_ = Tree(**in_original_units(self.tree_.arrays(), targets, squared=True))

    def predict(self, X: Table) -> npt.NDArray[np.floating[Any]]:
        """Predict the mean of each row's leaf.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        leaves = self.apply(X)
        means: npt.NDArray[np.floating[Any]] = self.tree_.value[leaves, 0, 0].astype(self._dtype)
        return means
