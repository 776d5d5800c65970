"""One classifier per pair of classes, with scikit-learn's interface."""

from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Jobs, Learner, params
from gramian.base.inputs.label_batches import batch_classes, batch_codes
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import check_weights
from gramian.base.routing import for_rows
from gramian.base.rows.taking import number_of_rows, take
from gramian.base.types import Matrix, Table
from gramian.multiclass.binary_members import (
    BinaryMembers,
    has_partial_fit,
    select_rows,
)
from gramian.multiclass.pair_votes import check_has_scores, second_class_score, votes_and_scores


@params
class OneVsOneClassifier(BinaryMembers):
    """Multiclass classification by one classifier per pair of classes.

    For each of the K (K - 1) / 2 pairs a classifier is trained on the rows of these two classes;
    a row gets the class that wins most pairs; ties go to the larger sum of scores. Each classifier
    uses few rows, which suits methods whose cost grows fast with their number. `PairwiseClassifier`
    can also reject rows that no class wins (Bishop 2006, 4.1.2).

    Parameters
    ----------
    estimator
        A classifier with `decision_function` or `predict_proba`, cloned for each pair.
    n_jobs
        Ignored; present for scikit-learn compatibility: estimators use the threads of gramian.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    estimators_ : list
        The classifiers of the pairs (0, 1), (0, 2), ..., (K - 2, K - 1); a positive score predicts
        the second class.
    pairwise_indices_ : list of arrays or None
        The rows of each pair, if `estimator` needs a square pairwise matrix.

    Examples
    --------
    >>> from gramian import LinearSVC, OneVsOneClassifier
    >>> X, y = [[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]], ["a", "a", "b", "b", "c", "c"]
    >>> OneVsOneClassifier(LinearSVC()).fit(X, y).predict([[5.5]])
    array(['b'], dtype='<U1')
    """

    estimator: Learner
    _: KW_ONLY
    n_jobs: Jobs = None

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit a classifier to each pair of classes.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows, if the estimator supports them.
        **fit_params
            Further arguments of the estimator's `fit`, with metadata routing enabled.

        Returns
        -------
        self
        """
        check_has_scores(self)
        table = self._check_rows(X, reset=True)
        codes, classes = check_labels(self, y, number_of_rows(table))
        weights = check_weights(self, sample_weight, len(codes))
        if weights is not None:
            codes, classes = _drop_weightless_classes(codes, classes, weights)
        if len(classes) < 2:
            raise DataError(
                f"OneVsOneClassifier: y must contain at least 2 classes; got 1 class only: "
                f"{classes[0]!r}. Add rows of another class."
            )
        more = self._member_arguments("fit", weights, fit_params)
        pairwise = self.__sklearn_tags__().input_tags.pairwise
        self.estimators_ = []
        indices: list[npt.NDArray[np.intp]] = []
        for i, j in combinations(range(len(classes)), 2):
            rows = np.flatnonzero((codes == i) | (codes == j))
            own = for_rows(more, rows, len(codes))
            part = select_rows(table, rows, pairwise=pairwise)
            self.estimators_.append(self._fit_member(part, (codes[rows] == j).astype(int), own))
            indices.append(rows)
        self.pairwise_indices_ = indices if pairwise else None
        self.classes_: Classes = classes
        return self

    @available_if(has_partial_fit)
    def partial_fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        classes: npt.ArrayLike | None = None,
        sample_weight: npt.ArrayLike | None = None,
        **partial_fit_params: Any,
    ) -> Self:
        """Continue the fit of every classifier with more rows of its two classes.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        y
            Labels.
        classes
            All labels that will ever occur; required in the first call. Every pair of them needs a
            row before `predict`.
        sample_weight
            Weights >= 0 of the rows, if the estimator supports them.
        **partial_fit_params
            Further arguments of the estimator's `partial_fit`, with metadata routing enabled.

        Returns
        -------
        self
        """
        known = batch_classes(self, classes)
        first = not hasattr(self, "estimators_")
        table = self._check_rows(X, reset=first)
        codes, _ = batch_codes(self, y, number_of_rows(table), known)
        weights = check_weights(self, sample_weight, len(codes))
        more = self._member_arguments("partial_fit", weights, partial_fit_params)
        pairs = list(combinations(range(len(known)), 2))
        if first:
            self.estimators_ = [clone(self.estimator) for _ in pairs]
            self.pairwise_indices_ = None
            self.classes_ = known
        updated = list(self.estimators_)
        for k, (i, j) in enumerate(pairs):
            rows = np.flatnonzero((codes == i) | (codes == j))
            if len(rows):
                own, second = for_rows(more, rows, len(codes)), (codes[rows] == j).astype(int)
                updated[k] = self._continue_fit(updated[k], take(table, rows), second, own)
        self.estimators_ = updated
        return self

    def decision_function(self, X: Table) -> Matrix:
        """Return the votes plus a fraction from the sums of scores; for K = 2, the score.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        """
        check_is_fitted(self)
        table = self._check_rows(X, reset=False)
        columns = []
        for number, each in enumerate(self.estimators_):
            rows = self.pairwise_indices_
            part = table if rows is None else table[:, rows[number]]
            columns.append(second_class_score(each, part))
        dtype = np.float32 if getattr(table, "dtype", None) == np.float32 else np.float64
        scores = np.column_stack(columns).astype(dtype, copy=False)
        if len(self.classes_) == 2:
            return np.asarray(scores[:, 0])
        pairs = np.array(list(combinations(range(len(self.classes_)), 2)))
        return votes_and_scores(scores, pairs, len(self.classes_))

    def predict(self, X: Table) -> Any:
        """Return the class with most votes for each row.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        """
        z = self.decision_function(X)
        codes = (z > 0).astype(np.intp) if z.ndim == 1 else z.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels


def _drop_weightless_classes(
    codes: npt.NDArray[np.intp], classes: Classes, weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.intp], Classes]:
    """Drop classes whose rows all have weight 0; their rows get the code -1."""
    kept = np.flatnonzero(np.bincount(codes, weights=weights, minlength=len(classes)) > 0)
    new = np.full(len(classes), -1)
    new[kept] = np.arange(len(kept))
    return new[codes], classes[kept]
