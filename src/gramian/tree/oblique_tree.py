"""Oblique trees: tests w . x <= t on several columns at once."""

from numbers import Integral
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.class_weight import ClassWeight, weigh_classes
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Function,
    Interval,
    Learner,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.gate import check_weights, unit_weights
from gramian.base.kinds import Classifier, Regressor
from gramian.base.labels import check_labels, check_targets
from gramian.tree.growth.grow import (
    CategoricalFeatures,
    check_concave,
    class_targets,
    in_original_units,
    numeric_targets,
    of_proportions,
)
from gramian.tree.oblique_base import ObliqueTree
from gramian.tree.structure.tree import Tree

Floats: TypeAlias = npt.NDArray[np.float64]
SplitOf: TypeAlias = Literal["logistic", "ridge", "least_squares", "centroid", "random"] | Learner
NumberSplitOf: TypeAlias = Literal["ridge", "least_squares", "centroid", "random"] | Learner
AtLeastTwo = Annotated[int, Interval(Integral, 2)]


@params
class ObliqueTreeClassifier(Classifier, ObliqueTree):
    """A tree of lines: each node divides by w . x <= t, with w from a linear classifier.

    At a node the columns are scaled, a linear model is fitted to every class against the others,
    and of all directions w found that way (and, unless `axis_parallel` is off, the columns
    themselves) the one with the threshold t that lowers the impurity most is taken. So a diagonal
    boundary needs one split where an ordinary tree needs a staircase. Such splits are called
    oblique or multivariate; surrogate splits are something else. A node of n rows costs the fit
    and O(n log n) per direction. Breiman, Friedman, Olshen and Stone 1984, 5.2; Murthy, Kasif and
    Salzberg 1994.

    Parameters
    ----------
    split
        Where w comes from: "logistic", "ridge", "least_squares", "centroid" (the line between
        the means), "random" (the best of `n_candidates` random lines), or an estimator that has
        ``coef_`` after fit.
    n_candidates
        Random lines per node.
    max_split_features
        Most columns in one split, chosen by forward selection (at random for "random"); None for
        all.
    axis_parallel
        Whether single columns compete too.
    shape
        "linear" for lines, "quadratic" for conics: squares and products of columns are columns.
    criterion
        The impurity: "gini", "entropy", "misclassification" or a concave function of shares.
    max_depth
        Most splits above a leaf; None for no limit.
    min_samples_split
        A node of less weight is a leaf.
    min_samples_leaf
        The least weight of a leaf.
    class_weight
        Weights of the classes, "balanced" for equal ones.
    categorical_features
        Which columns are categories: by their type, by number, name or mask; None: none. A
        category is one column of 0 and 1 for each level, all 0 where it is missing or new.
    random_state
        Seed of the random lines.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    tree_ : Tree
        The tree over the projections: column j is row j of ``directions_`` times x.
    directions_ : array of shape (n_splits, d)
        The directions w, over columns and levels; with conics also over squares and products.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from gramian.tree import ObliqueTreeClassifier
    >>> X = [[i, j] for i in range(6) for j in range(6)]
    >>> y = [int(i + j > 5) for i, j in X]
    >>> ObliqueTreeClassifier().fit(X, y).get_n_leaves()
    2
    """

    _: KW_ONLY
    split: SplitOf = "logistic"
    n_candidates: Count = 50
    max_split_features: Count | None = None
    axis_parallel: bool = True
    shape: Literal["linear", "quadratic"] = "linear"
    criterion: Literal["gini", "entropy", "misclassification"] | Function = "gini"
    max_depth: NonNegativeInt | None = None
    min_samples_split: AtLeastTwo = 2
    min_samples_leaf: Count = 1
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: Seed = None

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
    ) -> "ObliqueTreeClassifier":
        """Grow the tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows: numbers, categories; a missing number is taken for its column's mean.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), optional
            Their weights.

        Returns
        -------
        self : ObliqueTreeClassifier
        """
        table = self._check_table(X)
        codes, self.classes_ = check_labels(self, y, len(table))
        weights = unit_weights(check_weights(self, sample_weight, len(table)))
        owner = type(self).__name__
        weights = weigh_classes(owner, self.class_weight, codes, self.classes_, weights)
        n_classes, criterion = len(self.classes_), self.criterion
        if callable(criterion):
            check_concave(owner, criterion, n_classes)
            criterion = of_proportions(owner, criterion)
        self._grow(table, class_targets(owner, codes[:, None], n_classes), weights, criterion)
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class of each row; of equal shares the first.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        shares = self.predict_proba(X)
        labels: npt.NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return labels

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Return the share of each class in a row's leaf.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        leaves = self.apply(X)
        shares: Floats = self.tree_.value[leaves, 0]
        return shares


@params
class ObliqueTreeRegressor(Regressor, ObliqueTree):
    """A regression tree of lines: each node divides by w . x <= t, with w from a linear model.

    The direction comes from a linear model of y at the node, the threshold is the one that lowers
    the variance of y most; a leaf predicts the mean. See `ObliqueTreeClassifier`.

    Parameters
    ----------
    split
        Where w comes from: "ridge", "least_squares", "centroid" (between the means of rows with a
        low and a high y), "random", or an estimator that has ``coef_`` after fit.
    n_candidates
        Random lines per node.
    max_split_features
        Most columns in one split, chosen by forward selection (at random for "random"); None for
        all.
    axis_parallel
        Whether single columns compete too.
    shape
        "linear" for lines, "quadratic" for conics: squares and products of columns are columns.
    max_depth
        Most splits above a leaf; None for no limit.
    min_samples_split
        A node of less weight is a leaf.
    min_samples_leaf
        The least weight of a leaf.
    categorical_features
        Which columns are categories: by their type, by number, name or mask; None: none. A
        category is one column of 0 and 1 for each level, all 0 where it is missing or new.
    random_state
        Seed of the random lines.

    Attributes
    ----------
    tree_ : Tree
        The tree over the projections: column j is row j of ``directions_`` times x.
    directions_ : array of shape (n_splits, d)
        The directions w, over columns and levels; with conics also over squares and products.
    n_features_in_ : int
        Number of columns.

    Examples
    --------
    >>> from gramian.tree import ObliqueTreeRegressor
    >>> X = [[i, j] for i in range(6) for j in range(6)]
    >>> y = [float(i + j > 5) for i, j in X]
    >>> ObliqueTreeRegressor(max_depth=1).fit(X, y).score(X, y)
    1.0
    """

    _: KW_ONLY
    split: NumberSplitOf = "ridge"
    n_candidates: Count = 50
    max_split_features: Count | None = None
    axis_parallel: bool = True
    shape: Literal["linear", "quadratic"] = "linear"
    max_depth: NonNegativeInt | None = None
    min_samples_split: AtLeastTwo = 2
    min_samples_leaf: Count = 1
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: Seed = None

    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
    ) -> "ObliqueTreeRegressor":
        """Grow the tree.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            The rows: numbers, categories; a missing number is taken for its column's mean.
        y : array of shape (n,)
            Their numbers.
        sample_weight : array of shape (n,), optional
            Their weights.

        Returns
        -------
        self : ObliqueTreeRegressor
        """
        table = self._check_table(X)
        numbers = np.asarray(check_targets(self, y, len(table)), dtype=np.float64)
        weights = unit_weights(check_weights(self, sample_weight, len(table)))
        self._dtype = table.dtype.name
        targets = numeric_targets(type(self).__name__, numbers[:, None], weights, "squared_error")
        plain = targets._replace(scale=1.0, center=None)  # grown in units in which squares exist
        self._grow(table, plain, weights, "squared_error")
        self.tree_ = Tree(**in_original_units(self.tree_.arrays(), targets, squared=True))
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.floating[Any]]:
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
