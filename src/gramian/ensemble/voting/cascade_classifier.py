"""A cascade: each learner classifies the rows on which the earlier ones are uncertain."""

from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Fraction, params
from gramian.base.inputs.targets import check_labels
from gramian.base.inputs.weights import check_weights
from gramian.base.members import Members
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.input_checks import check_fit_rows, check_new_rows
from gramian.ensemble.common.members import fit_member, posterior_of, takes_weights
from gramian.ensemble.common.named_ensemble import NamedEnsemble, NamedEstimators, unfitted_copy
from gramian.tree.most_probable_class import MostProbableClass


@params
class CascadeClassifier(MostProbableClass, NamedEnsemble, Members):
    """Cascade: cheap learners first, expensive ones only for rows that are still uncertain.

    Learner j classifies the rows whose greatest probability reaches threshold_j and passes the
    others on; the last one classifies all that remain. If most rows are easy, the cost is about
    that of the first learner. Alpaydin and Kaynak 1998; Viola and Jones 2001.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner with `predict_proba`, in order of increasing cost.
    threshold
        Minimum probability for a decision: one number, or one for each learner but the last.
    train_on
        "all" fits every learner to all rows; "unsure" fits each to the rows on which the earlier
        ones are uncertain or wrong (to all rows if a class would have none).

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted learners.
    named_estimators_ : Bunch
        The fitted learners by name.
    thresholds_ : array of shape (n_estimators - 1,)
        The thresholds.
    training_proportions_ : array of shape (n_estimators,)
        Proportion of the training rows classified by each learner.
    classes_ : array of shape (n_classes,)
        The class labels, sorted.

    Examples
    --------
    >>> from gramian import CascadeClassifier, KNeighborsClassifier, LogisticRegression
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> stages = [("line", LogisticRegression(C=100.0)), ("near", KNeighborsClassifier(1))]
    >>> model = CascadeClassifier(stages, threshold=0.9).fit(X, y)
    >>> model.stage([[0.0], [1.6]])
    array([0, 1])
    """

    model_family = None  # as in the members

    estimators: NamedEstimators
    _: KW_ONLY
    threshold: Fraction | Array = 0.9
    train_on: Literal["all", "unsure"] = "all"

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the learners.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Class labels.
        sample_weight : array of shape (n,), optional
            Weights of the rows, for the learners that support them.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        n = table.shape[0]
        codes, self.classes_ = check_labels(self, y, n)
        weights = check_weights(self, sample_weight, n)
        labels = self.classes_[codes]
        kept = self._members()
        self.thresholds_ = self._thresholds(len(kept))
        fitted: list[Any] = []
        open_rows = np.ones(n, dtype=bool)
        for number, (_, member) in enumerate(kept):
            rows = np.flatnonzero(open_rows)
            if self.train_on == "all" or len(np.unique(codes[rows])) < len(self.classes_):
                rows = np.arange(n)
            model = unfitted_copy(member)
            own = weights[rows] if weights is not None and takes_weights(model) else None
            fitted.append(fit_member(self, model, take(table, rows), labels[rows], own))
            if number < len(kept) - 1:
                p = posterior_of(model, table, self.classes_)
                sure = p.max(axis=1) >= self.thresholds_[number]
                open_rows &= ~(sure & (p.argmax(axis=1) == codes))
        self._set_members(kept, fitted)
        stage, _ = self._run(table)
        self.training_proportions_ = np.bincount(stage, minlength=len(fitted)) / n
        return self

    def _thresholds(self, count: int) -> Floats:
        array = parameter_array("CascadeClassifier", "threshold", self.threshold)
        if array.ndim == 0:
            array = np.full(count - 1, float(array))
        if array.shape != (count - 1,) or (array < 0).any() or (array > 1).any():
            raise ParameterError(
                "CascadeClassifier: threshold must be one number in [0, 1] or one for each of the "
                f"{count - 1} learners before the last; got {self.threshold!r}."
            )
        return array

    def _run(self, table: Data) -> tuple[npt.NDArray[np.intp], Floats]:
        """Return the learner that classifies each row, and its class probabilities."""
        stage = np.zeros(table.shape[0], dtype=np.intp)
        posterior = np.empty((len(stage), len(self.classes_)))
        left = np.arange(len(stage))
        for number, member in enumerate(self.estimators_):
            if not len(left):
                break
            p = posterior_of(member, take(table, left), self.classes_)
            posterior[left], stage[left] = p, number
            if number < len(self.thresholds_):
                left = left[p.max(axis=1) < self.thresholds_[number]]
        return stage, posterior

    def stage(self, X: Table) -> npt.NDArray[np.intp]:
        """Return the index of the learner that classifies each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        stage : array of shape (m,)
        """
        return self._run(check_new_rows(self, X))[0]

    def stage_proportions(self, X: Table) -> Floats:
        """Return the proportion of rows classified by each learner.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        proportions : array of shape (n_estimators,)
        """
        stage = self.stage(X)
        return np.bincount(stage, minlength=len(self.estimators_)) / len(stage)

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities of the learner that classifies each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        return self._run(check_new_rows(self, X))[1]
