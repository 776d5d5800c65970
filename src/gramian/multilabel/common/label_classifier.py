"""Base class of multi-label classifiers: checks, thresholds, and predictions from scores.

A classifier has a real score f(x, l) for every label l; it predicts the labels whose score exceeds
a threshold, h(x) = {l : f(x, l) > t_l}, or t(x) if the threshold is a function of the row. If each
row of y has one label, it predicts the label that exceeds its threshold most.
"""

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from gramian.base.conversions import array_of
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, params
from gramian.base.folds import Splits
from gramian.base.inputs.gate import check_fit, check_new
from gramian.base.inputs.targets import (
    Classes,
    LabelSets,
    check_label_sets,
    check_labels,
    holds_label_sets,
    lists_sets,
)
from gramian.base.kinds import Estimator, ModelFamily, Tags
from gramian.base.types import Data, Floats, Matrix, Table, Weights
from gramian.multilabel.common.thresholds import (
    Threshold,
    choose_thresholds,
    fixed_thresholds,
    row_thresholds,
)


def _has_probabilities(model: Estimator) -> bool:
    return bool(model._gives_probabilities())


if TYPE_CHECKING:
    from gramian.base.kinds import Classifier as _Mixed  # the class that the mixin extends
else:
    _Mixed = object


@params
class LabelClassifier(_Mixed):
    """Base class: scores every label of a row, and predicts those above their thresholds.

    Parameters
    ----------
    threshold
        None means 0.5 for probabilities and votes, 0 for other scores. A number, or one per label;
        a function t(X) that returns one value per row, shape (n,), or per row and label, shape (n,
        L); or a rule that chooses a threshold for each label from the scores of left-out rows:
        "count" predicts a label as often as it occurs, "f1" maximises its F1.
    threshold_cv
        Number of folds, or a splitter, for "count" and "f1"; None means five folds of shuffled
        rows.

    Attributes
    ----------
    label_names_ : array (L,)
        The labels: column indices of a matrix, column names of a frame, or the sorted labels of
        sets.
    multilabel_ : bool
        Whether rows have sets of labels; if not, each has one.
    thresholds_ : array (L,)
        The threshold of each label; NaN if it is a function of the row.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    parametric: ClassVar[bool | None] = None
    model_family: ClassVar[ModelFamily | None] = None  # as the members
    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True}

    _: KW_ONLY
    threshold: Threshold = None
    threshold_cv: Splits = None

    @property
    def classes_(self) -> Any:
        """The values of each label, a list of arrays [0, 1]; the labels if each row has one."""
        check_is_fitted(self)
        return [np.arange(2)] * len(self.label_names_) if self.multilabel_ else self.label_names_

    # --- implemented by subclasses
    # -------------------------------------------------------------------

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        """Fit to checked rows, their labels and their positive weights."""
        raise NotImplementedError

    def _scores(self, table: Data) -> Floats:
        """Return f(x, l), shape (rows, labels)."""
        raise NotImplementedError

    def _label_scores(self, table: Data, labels: npt.NDArray[np.intp]) -> Floats:
        """Return the scores of the given labels."""
        return np.asarray(self._scores(table)[:, labels])

    def _gives_probabilities(self) -> bool:
        """Return whether the scores are probabilities."""
        return True

    def _default_threshold(self) -> float:
        """Return the default threshold."""
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
        self._fit_checked(table, Y, None)
        return self

    def _check_target(self, y: npt.ArrayLike, n_samples: int) -> LabelSets:
        self.multilabel_ = holds_label_sets(y)
        self._sparse_output = bool(sp.issparse(y))
        if not self.multilabel_:
            self._check_one_label(y)
            codes, self.label_names_ = check_labels(self, y, n_samples)
            return np.asarray(codes[:, None] == np.arange(len(self.label_names_)))
        Y, self.label_names_ = check_label_sets(self, y, n_samples)
        if self.label_names_.dtype == object:  # strings
            self.label_names_ = self.label_names_.astype(np.str_)
        if hasattr(y, "columns"):
            self.label_names_ = np.asarray([str(name) for name in y.columns])
        if Y.shape[1] == 0:
            raise DataError(
                f"{type(self).__name__}: y must have at least one label column; got none."
            )
        return Y

    def _check_one_label(self, y: npt.ArrayLike) -> None:
        """Raise if y has several columns with values other than 0 and 1."""
        shape = array_of(type(self).__name__, "y", y).shape
        if len(shape) == 2 and shape[1] != 1:
            raise DataError(
                f"{type(self).__name__}: y must be a matrix of 0 and 1 with a column for each "
                "label, a list of sets of labels, or one label per row; got an array of shape "
                f"{shape} with other values. If rows list their labels, pass "
                "[set(row) for row in y]."
            )

    def _fit_checked(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        """Fit the model, and its thresholds from cross-validated scores."""
        self._fit_labels(table, Y, weights)
        self._set_thresholds(table, Y, weights)

    def _set_thresholds(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        if isinstance(self.threshold, str):
            self.thresholds_ = choose_thresholds(self, table, Y, weights)
        elif callable(self.threshold):
            self.thresholds_ = np.full(Y.shape[1], np.nan)
            row_thresholds(self, table)  # checks its shape
        else:
            self.thresholds_ = fixed_thresholds(self, Y.shape[1])

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if np.shape(self.thresholds_) != np.shape(self.label_names_):
            raise DataError(f"{type(self).__name__}: thresholds_ must contain one value per label.")

    def _fit_copy(self, table: Data, Y: LabelSets, weights: Weights | None) -> Self:
        """Return a copy with default thresholds, fitted to other checked rows."""
        copy: Self = clone(self).set_params(threshold=None)
        return copy._fit_label_matrix(table, Y, weights)

    def _fit_label_matrix(self, table: Data, Y: LabelSets, weights: Weights | None) -> Self:
        """Fit to a label matrix, for use inside other multi-label classifiers."""
        table = check_fit(self, table)
        self.multilabel_, self._sparse_output = True, False
        self.label_names_ = np.arange(Y.shape[1])
        self._fit_checked(table, Y, weights)
        return self

    # --- predictions ----------------------------------------------------------------------------

    def _margins(self, X: Table) -> Matrix:
        table = check_new(self, X)
        return np.asarray((self._scores(table) - self._row_thresholds(table)).astype(table.dtype))

    def _row_thresholds(self, table: Data) -> Floats:
        """Return the thresholds to subtract from the scores of rows."""
        return row_thresholds(self, table) if callable(self.threshold) else self.thresholds_

    def decision_function(self, X: Table) -> Matrix:
        """Return the margins, score minus threshold, of each label, shape (n, labels).

        If each training row has one of two labels, return the margin of the second minus that of
        the first, shape (n,).

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
            total: Floats = p.sum(axis=1, keepdims=True)
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
        with np.errstate(divide="ignore"):  # log 0 is -inf
            return np.asarray(np.log(self.predict_proba(X)))

    def predict(self, X: Table) -> Any:
        """Return the predicted labels as 0s and 1s, shape (n, labels); CSR if y was sparse.

        If each training row has one label, return the label with the largest margin, shape (n,).

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        """
        return self._predicted_labels(self._margins(X))

    def _predicted_labels(self, margins: Matrix) -> Any:
        if not self.multilabel_:
            return self.label_names_[margins.argmax(axis=1)]
        has = (margins > 0).astype(np.int64)
        return sp.csr_array(has) if self._sparse_output else has

    def score(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return the proportion of rows whose labels are all predicted correctly.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            The labels, in any form that `fit` supports.
        sample_weight
            Weights of the rows.
        """
        check_is_fitted(self)
        if self.multilabel_ and lists_sets(y):
            y = self._label_matrix(y, len(y)).astype(np.int64)  # type: ignore[arg-type]
        return float(super().score(X, y, sample_weight))

    def _label_matrix(self, y: npt.ArrayLike, n: int) -> LabelSets:
        """Return the labels of rows as a matrix with the columns of `fit`."""
        Y, labels = check_label_sets(self, y, n)
        if not lists_sets(y):
            if Y.shape[1] != len(self.label_names_):
                raise DataError(
                    f"{type(self).__name__}: y must have a column for each of the "
                    f"{len(self.label_names_)} labels of fit; got {Y.shape[1]}."
                )
            return Y
        place = {label: j for j, label in enumerate(self.label_names_.tolist())}
        unknown = [label for label in labels.tolist() if label not in place]
        if unknown:
            raise DataError(
                f"{type(self).__name__}: y has the labels {unknown[:5]}, which did not occur in "
                "fit; remove them."
            )
        full = np.zeros((n, len(self.label_names_)), dtype=bool)
        full[:, [place[label] for label in labels.tolist()]] = Y
        return full

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
            Number of labels; None means all.
        """
        check_is_fitted(self)
        n_labels = len(self.label_names_)
        if k is not None and not (isinstance(k, Integral) and 1 <= k <= n_labels):
            raise ParameterError(
                f"{type(self).__name__}: k must be an integer from 1 to {n_labels}, the number of "
                f"labels; got {k!r}."
            )
        scores = self._scores(check_new(self, X))
        order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        return np.asarray(self.label_names_[order])
