"""C4.5, Quinlan's decision tree, with the choices of Weka's J48."""

from numbers import Integral, Real
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.errors import ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    NonNegative,
    Seed,
    params,
)
from gramian.base.inputs.targets import Codes, check_labels
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import ClassWeight, check_weights, weigh_classes
from gramian.base.randomness import seed_of
from gramian.base.types import Floats, Matrix, Table, Weights
from gramian.tree.growth.grow import CategoricalFeatures, levels_of
from gramian.tree.growth.native_nodes import from_native
from gramian.tree.growth.rank_table import RankedTable, ranked
from gramian.tree.most_probable_class import MostProbableClass
from gramian.tree.pruning.pessimistic_error import Estimate
from gramian.tree.pruning.reduced_error import cut_by_validation
from gramian.tree.pruning.replacement import check_validation_rows
from gramian.tree.structure.tree import Tree
from gramian.tree.tree_estimator import TreeEstimator

Confidence = Annotated[float, Interval(Real, 0, 0.5, open_low=True)]

_MAX_DEPTH = 5000  # maximum depth: subtree raising takes minutes on deeper trees

# The default parameters of the two programs. They treat values closer than 1e-5 as equal, whatever
# the units of the feature; our own default does not.
C45_DEFAULTS: dict[str, dict[str, Any]] = {
    "weka": {"estimate": "weka", "confidence": 0.25, "min_samples_leaf": 2, "min_gap": 1e-5},
    "quinlan": {"estimate": "quinlan", "confidence": 0.25, "min_samples_leaf": 2, "min_gap": 1e-5},
}


@params
class C45Classifier(MostProbableClass, TreeEstimator):
    """C4.5: a tree grown by gain ratio, with categories, missing values and pessimistic pruning.

    At a node of weight N, with weight K of known values, a test with branches of weight N_j has

        gain  = K/N (info(known) - sum_j N_j/K info_j),     info = -sum_c p_c log2 p_c,
        ratio = gain / split info,

    where split info is the entropy of the branches and of the unknown values. The test chosen is
    the one of greatest ratio among those whose gain is at least the mean. A categorical test has
    one branch per level. A numeric threshold is the greatest value of the feature that is not above
    the midpoint of two neighbours at the node; its gain is reduced by log2(candidates)/N (Quinlan
    1996). A row with a missing value goes to every branch, its weight divided in proportion to
    theirs, in growth and in prediction; so does a row with a level not seen in fit.

    Then a subtree with no fewer training errors than a leaf becomes a leaf (collapse). From the
    leaves up, a node is replaced by a leaf, or by its largest branch (raising), if that lowers the
    expected errors of `gramian.tree.pessimistic_error`. Growth costs O(d n log n) per level.
    Quinlan 1993; Witten, Frank, Hall and Pal 2017, section 6.1.

    ``C45Classifier(**C45_DEFAULTS["weka"])`` and ``["quinlan"]`` have the parameters of J48 and of
    Quinlan's program, release 8.

    Parameters
    ----------
    min_samples_leaf
        Minimum weight of at least two branches of a test (J48's -M, C4.5's -m).
    pruning
        "pessimistic", "reduced_error" (J48's -R: one of `n_folds` folds, or `X_val`, is held out)
        or None for no pruning (-U).
    confidence
        Confidence of the pessimistic estimate; smaller prunes more (-C, -c).
    subtree_raising
        Whether a node may be replaced by its largest branch (J48's -S turns it off).
    estimate
        "weka" for J48's formula, "quinlan" for that of C4.5 release 8, which interpolates the
        normal quantile in a table and limits the estimate of leaves that are nearly all wrong.
    collapse
        Whether to undo tests that do not lower the training error, before pruning; has no effect
        with "reduced_error".
    binary_splits
        Whether a category is tested as one level against the others (-B).
    mdl_correction
        Whether to reduce the gain of a threshold for its number of candidates (J48's -J: no).
    min_gap
        Minimum distance of two values that a threshold may separate; J48 and C4.5 use 1e-5.
    max_depth
        Maximum number of tests above a leaf, at most 5000; None for 5000.
    n_folds
        Number of folds for "reduced_error"; the last is held out (-N).
    categorical_features
        The categorical features: "from_dtype", indices, names or a mask; None for none. A level
        that the type of a column declares (pandas' categories, polars' Enum) has a branch even if
        no row has it; the branch predicts like its parent. Drop unused levels with
        ``remove_unused_categories``.
    class_weight
        Class weights, or "balanced".
    random_state
        Seed or generator for the shuffle of the rows before they are divided into folds.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    tree_ : Tree
        The fitted tree.
    n_features_in_ : int
        Number of features seen in `fit`.

    Examples
    --------
    >>> from gramian.tree import C45Classifier, export_text
    >>> sky = ["sun", "sun", "sun", "rain", "rain", "rain", "cloud", "cloud"]
    >>> wind = [85, 90, 70, 96, None, 70, 78, 65]
    >>> X = [list(row) for row in zip(sky, wind)]
    >>> y = ["no", "no", "yes", "yes", "no", "yes", "yes", "yes"]
    >>> model = C45Classifier(pruning=None).fit(X, y)
    >>> print(export_text(model, feature_names=["sky", "wind"]))
    sky = cloud: yes (2)
    sky = rain: yes (3/1)
    sky = sun: no (3/1)
    >>> model.predict_proba([["sun", 88], [None, None]]).round(3)  # no, yes
    array([[0.667, 0.333],
           [0.375, 0.625]])
    """

    _: KW_ONLY
    min_samples_leaf: Count = 2
    pruning: Literal["pessimistic", "reduced_error"] | None = "pessimistic"
    confidence: Confidence = 0.25
    subtree_raising: bool = True
    estimate: Literal["weka", "quinlan"] = "weka"
    collapse: bool = True
    binary_splits: bool = False
    mdl_correction: bool = True
    min_gap: NonNegative = 0.0
    max_depth: Count | None = None
    n_folds: Annotated[int, Interval(Integral, 2)] = 3
    categorical_features: CategoricalFeatures = "from_dtype"
    class_weight: ClassWeight = None
    random_state: Seed = None

    _declared_levels = (
        True  # as in Weka, whose files declare the levels: unused levels have empty branches
    )

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X : frame or array of shape (n, d)
            The rows; categories may be strings, missing values are None or NaN.
        y : array of shape (n,)
            Classes of the rows.
        sample_weight : array of shape (n,), optional
            Weights of the rows.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Validation rows for "reduced_error", instead of a fold of X.

        Returns
        -------
        self : object
        """
        table = self._check_table(X)
        codes, self.classes_ = check_labels(self, y, len(table))
        weights = check_weights(self, sample_weight, len(table))
        owner = type(self).__name__
        if has_validation_rows(owner, X_val, y_val) and self.pruning != "reduced_error":
            raise ParameterError(
                f"{owner}: X_val and y_val need pruning='reduced_error'; got "
                f"pruning={self.pruning!r}. Set pruning='reduced_error', or omit X_val and y_val."
            )
        weights = weigh_classes(owner, self.class_weight, codes, self.classes_, weights)
        if weights is not None and not weights.all():  # rows of weight 0 are ignored
            positive = weights > 0
            table, codes, weights = table[positive], codes[positive], weights[positive]
        if self.pruning != "reduced_error":
            self.tree_ = self._grow_and_prune(self._rank(table, codes, weights))
        elif X_val is not None:
            self.tree_ = self._grow(self._rank(table, codes, weights))
            self.tree_ = cut_by_validation(self.tree_, *check_validation_rows(self, X_val, y_val))
        else:
            growing_rows, pruning_rows = self._folds(codes)
            growing_weights = None if weights is None else weights[growing_rows]
            grown = self._grow(
                self._rank(table[growing_rows], codes[growing_rows], growing_weights)
            )
            held_weights = None if weights is None else weights[pruning_rows]
            self.tree_ = cut_by_validation(
                grown, table[pruning_rows], codes[pruning_rows], held_weights
            )
        return self

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities in the leaves that each row reaches.

        Parameters
        ----------
        X : frame or array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
            Columns in the order of ``classes_``.
        """
        rows = self._new_table(X)
        return self.tree_.predict(rows)[:, 0]

    # --- the steps of fit ---------------------------------------------------------------------

    def _rank(self, X: Matrix, codes: Codes, weights: Weights | None) -> RankedTable:
        return ranked(X, levels_of(self._categories), codes, weights, len(self.classes_))

    def _growth(self, table: RankedTable) -> Any:
        depth = _MAX_DEPTH if self.max_depth is None else min(self.max_depth, _MAX_DEPTH)
        return _native.c45_grow(
            _native.C45Table(*table),
            min_leaf=self.min_samples_leaf,
            gap=self.min_gap,
            correction=self.mdl_correction,
            binary=self.binary_splits,
            max_depth=depth,
        )

    def _grow(self, table: RankedTable) -> Tree:
        return from_native(self._growth(table), table.levels, table.n_classes)

    def _grow_and_prune(self, table: RankedTable) -> Tree:
        nodes = self._growth(table)
        if self.collapse:
            nodes.collapse()
        if self.pruning is not None:
            estimate = Estimate.of(self.estimate, self.confidence)
            _native.c45_prune(nodes, _native.C45Table(*table), *estimate, self.subtree_raising)
        return from_native(nodes, table.levels, table.n_classes)

    def _folds(self, codes: Codes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return rows for growing and rows for pruning: one of n_folds stratified folds."""
        seed = seed_of(self.random_state) % 2**32
        order = np.random.default_rng(seed).permutation(len(codes))
        by_class = order[np.argsort(codes[order], kind="stable")]
        held = np.sort(by_class[self.n_folds - 1 :: self.n_folds])
        return np.setdiff1d(np.arange(len(codes)), held), held
