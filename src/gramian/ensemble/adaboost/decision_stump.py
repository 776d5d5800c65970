"""Decision stumps: trees of one split, found exactly for any weights."""

from typing import ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import Codes, check_labels
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.kinds import Tags
from gramian.base.types import Data, Floats, Matrix, Table, Weights, is_sparse
from gramian.ensemble.common.bins import Bins
from gramian.tree.most_probable_class import MostProbableClass
from gramian.tree.structure.tree import LEAF, NUMERIC, Tree

Criterion: TypeAlias = Literal["gini", "error"]
Flags: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


class Split(NamedTuple):
    """The best stump for given weights."""

    feature: int  # -1: all features are constant
    threshold: float
    left: list[float]  # the weight of each class where x[feature] <= threshold
    right: list[float]


class StumpSearch:
    """Rows sorted by class, prepared for many searches with changing weights."""

    def __init__(self, X: Matrix, codes: Codes, n_classes: int, criterion: Criterion) -> None:
        starts = np.searchsorted(codes, np.arange(n_classes + 1)).astype(np.int64)
        # Rough quantiles suffice: bins that may contain a better cut are searched value by value.
        bins = Bins.of(X, None, [None] * X.shape[1], 255, seed=0, sample=4096)
        search = _native.StumpSearch32 if X.dtype == np.float32 else _native.StumpSearch64
        self._search = search(X, starts, bins.codes(X)[0], bins.cuts, bins.n_cuts)
        self._by_error = criterion == "error"
        self._on_left = np.empty(len(X), dtype=np.uint8)

    def best(self, weights: Weights) -> tuple[Split, Flags]:
        """Return the best stump, and which rows it sends left; weights sum to 1."""
        feature, threshold, left, right = self._search.best(weights, self._by_error, self._on_left)
        return Split(feature, threshold, left, right), self._on_left

    def wrong(self, on_left: Flags, left: int, right: int) -> Flags:
        """Return 1 for each misclassified row, else 0."""
        wrong = np.empty_like(on_left)
        self._search.wrong(on_left, left, right, wrong)
        return wrong


def rows_by_class(codes: Codes, weights: Weights) -> npt.NDArray[np.intp]:
    """Return the rows of positive weight, sorted by class."""
    small = codes.astype(np.int16) if len(codes) and codes.max() < 2**15 else codes
    order = np.argsort(small, kind="stable")  # 16-bit integers: a counting sort
    return order[weights[order] > 0]


@params
class DecisionStump(MostProbableClass):
    """A decision tree with one split, x_j <= t.

    Chooses, over all features j and thresholds t, the split whose two sides, with class weights L_c
    and R_c, have the lowest Gini impurity, that is, the largest

        sum_c L_c^2 / L + sum_c R_c^2 / R,

    or, for criterion="error", the lowest weighted training error. Each side predicts its class of
    largest weight. The usual weak learner of AdaBoost (Freund and Schapire 1997). Costs one sort of
    every feature, then, for each new set of weights, one pass over 8-bit codes.

    Parameters
    ----------
    criterion
        "gini" (as in a tree of depth 1 in scikit-learn) or "error".

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    feature_ : int
        j; -1 if all features are constant.
    threshold_ : float
        The threshold t.
    value_ : array of shape (2, n_classes)
        Class probabilities for x_j <= t and for x_j > t.

    Examples
    --------
    >>> from gramian.ensemble import DecisionStump
    >>> stump = DecisionStump().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> stump.feature_, stump.threshold_
    (0, 2.5)
    """

    # One split cannot separate three classes.
    tags: ClassVar[Tags] = {"classifier_tags.poor_score": True}

    parametric = True

    _: KW_ONLY
    criterion: Criterion = "gini"

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Find the split.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Classes of the rows.
        sample_weight : array of shape (n,), optional
            Weights of the rows.

        Returns
        -------
        self : DecisionStump
            The fitted stump.
        """
        table = check_fit(self, X)
        codes, self.classes_ = check_labels(self, y, len(table))
        checked_weights = unit_weights(check_weights(self, sample_weight, len(table)))
        weights = np.ones(len(table)) if checked_weights is None else checked_weights
        order = rows_by_class(codes, weights)
        rows = StumpSearch(table[order], codes[order], len(self.classes_), self.criterion)
        split, _ = rows.best(weights[order] / weights.sum())
        return self._set(split)

    def _set(self, split: Split) -> Self:
        self.feature_ = int(split.feature)
        self.threshold_ = float(split.threshold)
        sides = np.array([split.left, split.right])
        self._weight = sides.sum(axis=1)
        # a side whose weights underflow to 0 gets the proportions of all rows
        side_weights = np.where(self._weight[:, None] > 0, sides, sides.sum(axis=0))
        self.value_ = side_weights / side_weights.sum(axis=1, keepdims=True)
        return self

    @property
    def tree_(self) -> Tree:
        """The stump as a tree."""
        split = self.feature_ >= 0
        root_value = self._weight @ self.value_
        value = np.stack([root_value, *self.value_]) if split else self.value_[:1]
        n = len(value)
        weight = np.array([self._weight.sum(), *self._weight])[:n]
        none = np.zeros(n, dtype=np.int32)
        first = np.array([split, 0, 0])[:n]
        return Tree(
            first_child=first,
            n_children=2 * first,
            kind=np.where(first > 0, NUMERIC, LEAF),
            feature=np.where(first > 0, self.feature_, -1),
            threshold=np.where(first > 0, self.threshold_, np.nan),
            bits=np.empty(0, dtype=np.uint64),
            bit_start=none,
            missing=none,
            samples=none.astype(np.int64),
            weight=weight,
            impurity=1 - (value**2).sum(axis=1),
            value=value[:, None, :],
            levels=np.zeros(self.n_features_in_, dtype=np.int32),
        )

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities of each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        table = check_new(self, X)
        return np.asarray(self.value_[self._side(table)])

    def _side(self, table: Data) -> npt.NDArray[np.intp]:
        if self.feature_ < 0:
            return np.zeros(table.shape[0], dtype=np.intp)
        column = table[:, self.feature_]
        values = column.toarray().ravel() if is_sparse(column) else column
        return np.asarray(~(values <= self.threshold_), dtype=np.intp)

    def _decide(self, table: Matrix) -> npt.NDArray[np.intp]:
        codes: npt.NDArray[np.intp] = self.value_.argmax(axis=1)[self._side(table)]
        return codes
