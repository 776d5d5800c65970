"""One classifier per class, against all others."""

from typing import Any, ClassVar, Self
from warnings import warn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import print_progress
from gramian.base.errors import DataError, caller_level
from gramian.base.fields import KW_ONLY, Jobs, Learner, NonNegativeInt, params
from gramian.base.inputs.label_batches import batch_classes, batch_codes
from gramian.base.inputs.targets import Classes, check_label_sets, check_labels, holds_label_sets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Tags
from gramian.base.rows.taking import number_of_rows
from gramian.base.types import Matrix, Table
from gramian.multiclass.binary_members import BinaryMembers, has_partial_fit
from gramian.multiclass.constant_label import ConstantLabel
from gramian.multiclass.pair_votes import check_has_scores, second_class_score


def _members_have(method: str) -> Any:
    """Return a function that checks whether the members, or the estimator, have a method."""

    def check(self: Any) -> bool:
        getattr(self.estimators_[0] if hasattr(self, "estimators_") else self.estimator, method)
        return True

    return check


@params
class OneVsRestClassifier(BinaryMembers):
    """Multiclass and multi-label classification by one classifier per class.

    Classifier k is trained to separate class k from all others; a row gets the class with the
    largest score, or probability if there are no scores. The scores of independently fitted
    classifiers are compared; probabilities are divided by their sum. Two classes need one
    classifier. If `y` has a set of labels per row (multi-label), every classifier decides
    independently (Bishop 2006, 4.1.2). Costs K fits to all rows.

    Parameters
    ----------
    estimator
        A classifier with `decision_function` or `predict_proba`, cloned for each class.
    n_jobs
        Ignored; present for scikit-learn compatibility: estimators use the threads of gramian.
    verbose
        Whether to print a line for each fitted classifier.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    estimators_ : list
        The classifiers, one per class; a single one if there are two classes.
    multilabel_ : bool
        Whether rows have sets of labels.
    label_binarizer_ : LabelBinarizer
        Converts labels to columns of 0s and 1s.

    Examples
    --------
    >>> from gramian import LogisticRegression, OneVsRestClassifier
    >>> X, y = [[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]], ["a", "a", "b", "b", "c", "c"]
    >>> model = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    >>> model.predict([[0.5], [10.5]])
    array(['a', 'c'], dtype='<U1')
    >>> model.predict_proba([[0.5]]).sum().round(6)
    np.float64(1.0)
    """

    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True}

    estimator: Learner
    _: KW_ONLY
    n_jobs: Jobs = None
    verbose: bool | NonNegativeInt = 0

    @property
    def n_classes_(self) -> int:
        """Number of classes or labels."""
        return len(self.classes_)

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit a classifier to each class.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        y
            Labels (n,), 0s and 1s (n, labels), dense or CSR, or a list of sets of labels.
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
        n = number_of_rows(table)
        more = self._member_arguments("fit", check_weights(self, sample_weight, n), fit_params)
        self.multilabel_ = holds_label_sets(y)
        self._sparse_output = sp.issparse(y)
        if self.multilabel_:
            has, self.classes_ = check_label_sets(self, y, n)
        else:
            codes, self.classes_ = check_labels(self, y, n)
            if len(self.classes_) < 2:
                raise DataError(
                    f"OneVsRestClassifier: y must contain at least 2 classes; got 1 class only: "
                    f"{self.classes_[0]!r}. Add rows of another class."
                )
            first = 1 if len(self.classes_) == 2 else 0
            has = codes[:, None] == np.arange(first, len(self.classes_))
        self.estimators_ = []
        for label, column in zip(self.classes_[-has.shape[1] :], has.T.astype(int), strict=True):
            if column[0] == column[-1] and (column == column[0]).all():
                warn(
                    f"OneVsRestClassifier: Label {'' if column[0] else 'not '}{label} is present "
                    "in all training examples; it is predicted for every row.",
                    UserWarning,
                    stacklevel=caller_level(),
                )
                self.estimators_.append(ConstantLabel(int(column[0])))
            else:
                self.estimators_.append(self._fit_member(table, column, more))
            print_progress(self, f"classifier {len(self.estimators_)} of {has.shape[1]}")
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
        """Continue the fit of every classifier with more rows.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        y
            Labels.
        classes
            All labels that will ever occur; required in the first call.
        sample_weight
            Weights >= 0 of the rows, if the estimator supports them.
        **partial_fit_params
            Further arguments of the estimator's `partial_fit`, with metadata routing enabled.

        Returns
        -------
        self
        """
        if holds_label_sets(y):
            raise DataError("OneVsRestClassifier: partial_fit needs one label per row; use fit.")
        known = batch_classes(self, classes)
        first = not hasattr(self, "estimators_")
        table = self._check_rows(X, reset=first)
        n = number_of_rows(table)
        codes, _ = batch_codes(self, y, n, known)
        weights = check_weights(self, sample_weight, n)
        more = self._member_arguments("partial_fit", weights, partial_fit_params)
        if first:
            self.multilabel_, self._sparse_output = False, False
            count = 1 if len(known) == 2 else len(known)
            self.estimators_ = [clone(self.estimator) for _ in range(count)]
            self.classes_ = known
        updated = []
        for k, member in enumerate(self.estimators_):
            positive = codes == (1 if len(known) == 2 else k)
            updated.append(self._continue_fit(member, table, positive.astype(int), more))
        self.estimators_ = updated
        return self

    def _scores(self, X: Table, method: str) -> Matrix:
        """Return the scores, one column per classifier."""
        check_is_fitted(self)
        table = self._check_rows(X, reset=False)
        columns = []
        for each in self.estimators_:
            values = np.asarray(getattr(each, method)(table))
            columns.append(values[:, 1] if values.ndim == 2 else values)
        scores = np.column_stack(columns)
        return scores.astype(_float_type(table), copy=False)

    @available_if(_members_have("decision_function"))
    def decision_function(self, X: Table) -> Matrix:
        """Return the scores: (n,) for two classes, positive for the second; else (n, K).

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        """
        scores = self._scores(X, "decision_function")
        return np.asarray(scores[:, 0]) if self._is_single() else scores

    @available_if(_members_have("predict_proba"))
    def predict_proba(self, X: Table) -> Matrix:
        """Return the probabilities (n, K) of the classes, or of each label independently.

        The probabilities of classes are divided by their sum; if all are 0, each is 1 / K.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        """
        p = self._scores(X, "predict_proba")
        if self._is_single():
            return np.asarray(np.column_stack([1 - p[:, 0], p[:, 0]]))
        if self.multilabel_:
            return p
        total: Matrix = p.sum(axis=1, keepdims=True)
        proportions = np.divide(p, total, out=np.full_like(p, 1 / p.shape[1]), where=total > 0)
        return np.asarray(proportions)

    def predict(self, X: Table) -> Any:
        """Return the class with the largest score; if multi-label, 0 or 1 for each label.

        Parameters
        ----------
        X
            Rows, in any form that the estimator supports.
        """
        check_is_fitted(self)
        table = self._check_rows(X, reset=False)
        scores = np.column_stack([second_class_score(each, table) for each in self.estimators_])
        if self.multilabel_:
            has = (scores > 0).astype(np.int64)
            return sp.csr_array(has) if self._sparse_output else has
        codes = (scores[:, 0] > 0).astype(np.intp) if self._is_single() else scores.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels

    @property
    def label_binarizer_(self) -> LabelBinarizer:
        """Binarizer that converts labels to columns of 0s and 1s."""
        labels = np.eye(len(self.classes_), dtype=int) if self.multilabel_ else self.classes_
        return LabelBinarizer(sparse_output=True).fit(labels)

    def _is_single(self) -> bool:
        return len(self.estimators_) == 1 and not self.multilabel_


def _float_type(table: Any) -> Any:
    return np.float32 if getattr(table, "dtype", None) == np.float32 else np.float64
