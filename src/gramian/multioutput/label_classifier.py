"""What learners of label sets share: the gate, thresholds, and predictions from scores.

A learner has a real score f(x, l) for every label l; it predicts the labels whose score exceeds a
threshold, h(x) = {l : f(x, l) > t_l}. Where each row of y has one label, the same learner predicts
the label that exceeds its threshold most.
"""

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Learner, params
from gramian.base.folds import Splits
from gramian.base.gate import check_fit, check_new
from gramian.base.kinds import Classifier, ModelFamily
from gramian.base.targets import (
    Classes,
    LabelSets,
    check_label_sets,
    check_labels,
    holds_label_sets,
)
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.multioutput.thresholds import Threshold, choose_thresholds, fixed_thresholds


def _has_probabilities(model: Any) -> bool:
    return bool(model._gives_probabilities())


@params
class LabelClassifier(Classifier):
    """Scores every label of a row, and predicts those above their thresholds.

    Parameters
    ----------
    threshold
        None: 0.5 for probabilities and votes, 0 for other scores. A number, or one per label; or
        chosen for each label from the scores of left-out rows: "count" predicts a label for as
        many of them as have it, "f1" maximises the F1 of the label.
    threshold_cv
        Folds for "count" and "f1", or a splitter; None: five folds of shuffled rows.

    Attributes
    ----------
    label_names_ : array (L,)
        The labels: the column numbers of a matrix, the column names of a frame, or the sorted
        labels of sets.
    multilabel_ : bool
        Whether rows have sets of labels; if not, each has one.
    thresholds_ : array (L,)
        The threshold of each label.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    parametric: ClassVar[bool | None] = None
    model_family: ClassVar[ModelFamily | None] = None  # as the members

    _: KW_ONLY
    threshold: Threshold = None
    threshold_cv: Splits = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    @property
    def classes_(self) -> Any:
        """The values of each label, a list of arrays [0, 1]; the labels if each row has one."""
        check_is_fitted(self)
        return [np.arange(2)] * len(self.label_names_) if self.multilabel_ else self.label_names_

    # --- what a learner gives -------------------------------------------------------------------

    def _fit_labels(self, table: Data, Y: LabelSets) -> None:
        """Fit to checked rows and their labels."""
        raise NotImplementedError

    def _scores(self, table: Data) -> Floats:
        """Return f(x, l), shape (rows, labels)."""
        raise NotImplementedError

    def _scores_of(self, table: Data, labels: npt.NDArray[np.intp]) -> Floats:
        """Return the scores of some labels only."""
        return np.asarray(self._scores(table)[:, labels])

    def _gives_probabilities(self) -> bool:
        """Return whether the scores are probabilities."""
        return True

    def _natural_threshold(self) -> float:
        """Return the threshold of labels that are given none."""
        return 0.5 if self._gives_probabilities() else 0.0

    # --- fitting --------------------------------------------------------------------------------

    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            0s and 1s (n, labels), dense, CSR or a frame; a list of sets of labels; or one label
            per row, shape (n,).

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        Y = self._check_target(y, table.shape[0])
        self._fit_checked(table, Y)
        return self

    def _check_target(self, y: Any, n_samples: int) -> LabelSets:
        self.multilabel_ = holds_label_sets(y)
        self._sparse_output = bool(sp.issparse(y))
        if not self.multilabel_:
            codes, self.label_names_ = check_labels(self, y, n_samples)
            return np.asarray(codes[:, None] == np.arange(len(self.label_names_)))
        Y, self.label_names_ = check_label_sets(self, y, n_samples)
        if self.label_names_.dtype == object:  # strings
            self.label_names_ = self.label_names_.astype(np.str_)
        if hasattr(y, "columns"):
            self.label_names_ = np.asarray([str(name) for name in y.columns])
        if Y.shape[1] == 0:
            raise DataError(f"{type(self).__name__}: y has no label; give at least one column.")
        return Y

    def _fit_checked(self, table: Data, Y: LabelSets) -> None:
        """Fit the learner, and its thresholds on copies that left rows out."""
        self._fit_labels(table, Y)
        if isinstance(self.threshold, str):
            self.thresholds_ = choose_thresholds(self, table, Y)
        else:
            self.thresholds_ = fixed_thresholds(self, Y.shape[1])

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if np.shape(self.thresholds_) != np.shape(self.label_names_):
            raise DataError(f"{type(self).__name__}: thresholds_ must be one for each label.")

    def _copy_fitted(self, table: Data, Y: LabelSets) -> Self:
        """Return a copy without chosen thresholds, fitted to other checked rows."""
        copy: Self = clone(self).set_params(threshold=None)
        return copy._fit_sets(table, Y)

    def _fit_sets(self, table: Data, Y: LabelSets) -> Self:
        """Fit to labels that are column numbers, for learners made of learners."""
        table = check_fit(self, table)
        self.multilabel_, self._sparse_output = True, False
        self.label_names_ = np.arange(Y.shape[1])
        self._fit_checked(table, Y)
        return self

    # --- predictions ----------------------------------------------------------------------------

    def _margins(self, X: Table) -> Matrix:
        table = check_new(self, X)
        return np.asarray((self._scores(table) - self.thresholds_).astype(table.dtype))

    def decision_function(self, X: Table) -> Matrix:
        """Return by how much each label exceeds its threshold, shape (n, labels).

        If each training row has one of two labels, that of the second minus the first, shape (n,).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        margins = self._margins(X)
        if not self.multilabel_ and margins.shape[1] == 2:
            return np.asarray(margins[:, 1] - margins[:, 0])
        return margins

    @available_if(_has_probabilities)
    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each label, shape (n, labels); they need not sum to 1.

        If each training row has one label, they are divided by their sum.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        table = check_new(self, X)
        p = self._scores(table)
        if not self.multilabel_:
            total = p.sum(axis=1, keepdims=True)
            p = np.divide(p, total, out=np.full_like(p, 1 / p.shape[1]), where=total > 0)
        return np.asarray(p.astype(table.dtype))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Table) -> Matrix:
        """Return the logarithms of `predict_proba`.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        with np.errstate(divide="ignore"):  # of 0, which is -inf
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Table) -> Any:
        """Return the predicted labels as 0s and 1s, shape (n, labels); CSR if y was sparse.

        If each training row has one label, the label of the largest margin, shape (n,).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        return self._labels_of(self._margins(X))

    def _labels_of(self, margins: Matrix) -> Any:
        if not self.multilabel_:
            return self.label_names_[margins.argmax(axis=1)]
        has = (margins > 0).astype(np.int64)
        return sp.csr_array(has) if self._sparse_output else has

    def predict_sets(self, X: Table) -> list[set[Any]]:
        """Return the predicted labels of each row as a set.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        predicted = self.predict(X)
        if not self.multilabel_:
            return [{label} for label in predicted.tolist()]
        dense = predicted.toarray() if sp.issparse(predicted) else predicted
        return [set(self.label_names_[row > 0].tolist()) for row in dense]

    def rank_labels(self, X: Table, k: int | None = None) -> Classes:
        """Return the k labels with the highest scores, best first, shape (n, k).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        k
            How many; None: all.
        """
        check_is_fitted(self)
        n_labels = len(self.label_names_)
        if k is not None and not 1 <= k <= n_labels:
            raise ParameterError(
                f"{type(self).__name__}: k must be from 1 to the {n_labels} labels; got {k!r}."
            )
        scores = self._scores(check_new(self, X))
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        return np.asarray(self.label_names_[order])


@params
class LabelMembers(LabelClassifier):
    """A learner made of copies of a classifier; it takes the rows that the classifier takes.

    Parameters
    ----------
    estimator
        A classifier, cloned for each problem.
    """

    estimator: Learner

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether the members take CSR."""
        return self._takes("sparse")

    @property
    def takes_nan(self) -> bool:  # type: ignore[override]
        """Whether the members take missing values."""
        return self._takes("allow_nan")

    def _takes(self, what: str) -> bool:
        tagged = hasattr(self.estimator, "__sklearn_tags__")
        return tagged and bool(getattr(get_tags(self.estimator).input_tags, what))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags.positive_only = get_tags(self.estimator).input_tags.positive_only
        return tags

    def _learners(self) -> list[Any]:
        return [self.estimator]

    def _gives_probabilities(self) -> bool:
        return hasattr(self.estimator, "predict_proba")
