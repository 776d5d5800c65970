"""Pairwise classification with an option to reject."""

from itertools import combinations
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Learner, params
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.kinds import Classifier
from gramian.base.models import Model
from gramian.base.types import Matrix, Table
from gramian.multiclass.pair_votes import count_votes, second_class_score, votes_and_scores
from gramian.svm.linear_svc import LinearSVC


@params
class PairwiseClassifier(Classifier):
    """Pairwise classification of K classes.

    For each of the K (K - 1) / 2 pairs a classifier g_ij is trained on the rows of i and j alone;
    rows of other classes are "don't care" (Alpaydin 2014, 10.4). A row belongs to i if g_ij > 0
    for all j. Classes that cannot be separated from all others by one hyperplane may be separable
    from each of them.

    Parameters
    ----------
    estimator
        A classifier of two classes, cloned for each pair; None means `LinearSVC`.
    rule
        "votes": the class that wins most pairs; ties go to the larger sum of scores. "all": only a
        class that wins all its pairs, else `reject_label`.
    reject_label
        Label of rows that no class wins, with rule="all"; None decides as "votes" does.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    pairs_ : array (K (K - 1) / 2, 2)
        The indices of the classes of each classifier; a positive score predicts the second class.
    estimators_ : list
        The classifiers.

    Examples
    --------
    >>> from gramian import PairwiseClassifier
    >>> X, y = [[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]], ["a", "a", "b", "b", "c", "c"]
    >>> PairwiseClassifier().fit(X, y).predict([[5.5]]).tolist()
    ['b']
    """

    parametric = None  # as the classifiers of the pairs
    model_family = None  # as the members
    takes_sparse: ClassVar[bool] = True

    estimator: Learner | None = None
    _: KW_ONLY
    rule: Literal["votes", "all"] = "votes"
    reject_label: str | None = None

    def _learners(self) -> list[Model]:
        return [LinearSVC() if self.estimator is None else self.estimator]

    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
        """Fit a classifier to each pair of classes.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        if len(classes) < 2:
            raise DataError(
                f"PairwiseClassifier: y must contain at least 2 classes; got 1 class only: "
                f"{classes[0]!r}. Add rows of another class."
            )
        pairs = list(combinations(range(len(classes)), 2))
        (classifier,) = self._learners()
        self.estimators_ = []
        for i, j in pairs:
            rows = np.flatnonzero((codes == i) | (codes == j))
            self.estimators_.append(
                clone(classifier).fit(table[rows], (codes[rows] == j).astype(int))
            )
        self.pairs_ = np.array(pairs)
        self.classes_: Classes = classes
        return self

    def pair_scores(self, X: Table) -> Matrix:
        """Return the score of every pair, (n, K (K - 1) / 2), positive for the second class."""
        check_is_fitted(self)
        table = check_new(self, X)
        scores = np.column_stack([second_class_score(each, table) for each in self.estimators_])
        return scores.astype(table.dtype, copy=False)

    def votes(self, X: Table) -> npt.NDArray[np.int_]:
        """Return the number of pairs that each class wins, shape (n, K)."""
        return count_votes(self.pair_scores(X), self.pairs_, len(self.classes_))

    def decision_function(self, X: Table) -> Matrix:
        """Return the votes plus a fraction from the sums of scores; for K = 2, the score."""
        scores = self.pair_scores(X)
        if len(self.classes_) == 2:
            return np.asarray(scores[:, 0])
        return votes_and_scores(scores, self.pairs_, len(self.classes_))

    def predict(self, X: Table) -> Classes:
        """Return the class with most votes for each row."""
        z = self.decision_function(X)
        codes = (z > 0).astype(np.intp) if z.ndim == 1 else z.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        if self.rule == "all" and self.reject_label is not None and z.ndim == 2:
            all_won = np.rint(z.max(axis=1)) >= len(self.classes_) - 1
            labels = np.where(all_won, labels.astype(object), self.reject_label)
        return labels
