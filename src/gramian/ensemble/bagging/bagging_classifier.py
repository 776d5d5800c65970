"""Bagging of classifiers."""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Jobs,
    Learner,
    NonNegativeInt,
    Seed,
    params,
)
from gramian.base.kinds import Classifier
from gramian.base.targets import check_labels
from gramian.base.types import Data, Floats
from gramian.base.weights import check_weights
from gramian.ensemble.bagging.bagging_base import Bagging, Share, require_known
from gramian.ensemble.common.input_checks import check_fit_rows, check_new_rows
from gramian.ensemble.common.members import posterior_of
from gramian.tree import DecisionTreeClassifier


@params
class BaggingClassifier(Classifier, Bagging):
    """Bagging of classifiers: the mean of posteriors of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, given as counts where the
    learner takes weights; a share of 1 - (1 - 1/n)^n', about 63 %, of the rows is in it, the others
    are out of its bag and can judge it. Averaging lowers the variance of unstable learners, the
    more the less their answers are correlated (`average_variance`). Breiman 1996.

    Parameters
    ----------
    estimator
        The learner; None is a decision tree grown out.
    n_estimators
        Number of members, T.
    max_samples
        Rows drawn for a member: a number, a share, or None for as many as there are.
    max_features
        Columns given to a member: a number or a share.
    bootstrap
        Whether rows are drawn with replacement; otherwise each member gets other rows of a
        subset.
    bootstrap_features
        Whether columns are drawn with replacement.
    oob_score
        Whether to judge the ensemble on the rows that members did not see, or a function of
        truth and prediction.
    warm_start
        Whether fit adds members to those of the fit before.
    n_jobs
        Members fitted side by side.
    random_state
        Where chance comes from.
    verbose
        Kept for scikit-learn's sake: progress is shown by callbacks.

    Attributes
    ----------
    estimators_ : list of classifiers
        The members.
    estimators_features_ : list of arrays
        The columns of each.
    estimators_samples_ : list of arrays
        The rows of each.
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    oob_score_ : float
        Share of rows that the members that did not see them get right.
    oob_decision_function_ : array of shape (n, n_classes)
        These members' mean posteriors; NaN for a row that all saw.

    Examples
    --------
    >>> from gramian import BaggingClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> BaggingClassifier(random_state=0).fit(X, y).predict([[0.0], [3.0]])
    array(['a', 'b'], dtype='<U1')
    """

    estimator: Learner | None = None
    n_estimators: Count = 10
    _: KW_ONLY
    max_samples: Count | Share | None = None
    max_features: Count | Share = 1.0
    bootstrap: bool = True
    bootstrap_features: bool = False
    oob_score: bool = False
    warm_start: bool = False
    n_jobs: Jobs = None
    random_state: Seed = None
    verbose: bool | NonNegativeInt = 0

    @with_callbacks
    def fit(
        self, X: npt.ArrayLike, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Self:
        """Fit the members.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), optional
            In proportion to which rows are drawn.

        Returns
        -------
        self : BaggingClassifier
            The fitted model.
        """
        table = check_fit_rows(self, X)
        codes, self.classes_ = check_labels(self, y, table.shape[0])
        self._fit(table, self.classes_[codes], check_weights(self, sample_weight, table.shape[0]))
        return self

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class with the greatest mean posterior.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        posterior = self.predict_proba(X)
        predicted: npt.NDArray[Any] = self.classes_[posterior.argmax(axis=1)]
        return predicted

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Return the mean of the members' posteriors, or of their votes where they have none.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        table = check_new_rows(self, X)
        total = np.zeros((table.shape[0], len(self.classes_)))
        for member, part in self._parts(table):
            total += posterior_of(member, part, self.classes_)
        return total / len(self.estimators_)

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first 1, 2, ... members.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        total = np.zeros((table.shape[0], len(self.classes_)))
        for count, (member, part) in enumerate(self._parts(table), start=1):
            total += posterior_of(member, part, self.classes_)
            yield self.classes_[(total / count).argmax(axis=1)]

    def _default(self) -> Any:
        return DecisionTreeClassifier()

    def _score_left_out(self, table: Data, y: npt.NDArray[Any]) -> None:
        answers = [posterior_of(m, part, self.classes_) for m, part in self._parts(table)]
        p = self._left_out(answers)
        known = ~np.isnan(p[:, 0])
        require_known(known, type(self).__name__)
        self.oob_decision_function_ = p
        self.oob_score_ = float((self.classes_[p[known].argmax(axis=1)] == y[known]).mean())
