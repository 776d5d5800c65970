"""Bagging of classifiers."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.metaestimators import available_if

from gramian.base.fields import (
    params,
)
from gramian.base.inputs.targets import check_labels
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.bagging.bagging_base import Bagging, check_out_of_bag
from gramian.ensemble.common.input_checks import check_new_rows
from gramian.ensemble.common.members import posterior_of
from gramian.tree import DecisionTreeClassifier
from gramian.tree.most_probable_class import MostProbableClass


def _members_have(method: str) -> Callable[[Any], bool]:
    """Return a check that the members, or the learner before fit, have a method."""

    def check(self: Any) -> bool:
        members = getattr(self, "estimators_", None) or self._learners()
        return all(hasattr(member, method) for member in members)

    return check


@params
class BaggingClassifier(MostProbableClass, Bagging):
    """Bagging of classifiers: the mean of the class probabilities of learners on bootstrap samples.

    Each of T members is fitted to n' rows drawn with replacement, passed as weights if the learner
    supports them. A sample contains 1 - (1 - 1/n)^n', about 63%, of the rows; the others are out
    of the bag and can test the member. Averaging lowers the variance of unstable learners, most of
    all if their predictions are weakly correlated (`average_variance`). Breiman 1996.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    oob_score_ : float
        Accuracy of the out-of-bag predictions.
    oob_decision_function_ : array of shape (n, n_classes)
        Out-of-bag class probabilities; NaN for a row in every member's sample.

    Examples
    --------
    >>> from gramian import BaggingClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> BaggingClassifier(random_state=0).fit(X, y).predict([[0.0], [3.0]])
    array(['a', 'b'], dtype='<U1')
    """

    model_family = None  # as in the members

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def _check_targets(self, table: Data, y: npt.ArrayLike) -> npt.NDArray[Any]:
        n = table.shape[0]
        codes, self.classes_ = check_labels(self, y, n)
        labels: npt.NDArray[Any] = self.classes_[codes]
        return labels

    def predict(self, X: Table, **params: Any) -> npt.NDArray[Any]:
        """Predict the class of each row: the most probable one, the first in a tie.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        **params : dict
            See `predict_proba`.

        Returns
        -------
        y : array of shape (m,)
        """
        best: npt.NDArray[np.intp] = self.predict_proba(X, **params).argmax(axis=1)
        labels: npt.NDArray[Any] = self.classes_[best]
        return labels

    def predict_log_proba(self, X: Table, **params: Any) -> Floats:
        """Return the logarithms of `predict_proba`.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        **params : dict
            See `predict_proba`.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        with np.errstate(divide="ignore"):  # log(0) = -inf
            return np.asarray(np.log(self.predict_proba(X, **params)))

    def predict_proba(self, X: Table, **params: Any) -> Floats:
        """Return the mean of the members' class probabilities, or of their votes if they have none.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        **params : dict
            Further arguments of the members' `predict_proba`, or of `predict` if they have none,
            with scikit-learn's ``enable_metadata_routing=True``.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        table = check_new_rows(self, X)
        arguments = self._routed_arguments("predict_proba", params)
        total = np.zeros((table.shape[0], len(self.classes_)))
        for member, part in self._members_with_features(table):
            total += posterior_of(member, part, self.classes_, arguments)
        return total / len(self.estimators_)

    @available_if(_members_have("decision_function"))
    def decision_function(self, X: Table, **params: Any) -> Floats:
        """Return the mean of the members' scores.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        **params : dict
            Further arguments of the members' `decision_function`, with scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = check_new_rows(self, X)
        arguments = self._routed_arguments("decision_function", params)
        scores = [
            member.decision_function(part, **arguments)
            for member, part in self._members_with_features(table)
        ]
        return np.asarray(np.mean(scores, axis=0))

    def staged_predict(self, X: Table) -> Iterator[npt.NDArray[Any]]:
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
        for count, (member, part) in enumerate(self._members_with_features(table), start=1):
            total += posterior_of(member, part, self.classes_)
            yield self.classes_[(total / count).argmax(axis=1)]

    def _default_learner(self) -> Model:
        return DecisionTreeClassifier()

    def _score_out_of_bag(self, table: Data, y: npt.NDArray[Any]) -> None:
        predictions = [
            posterior_of(m, part, self.classes_) for m, part in self._members_with_features(table)
        ]
        p = self._out_of_bag_mean(predictions)
        known = ~np.isnan(p[:, 0])
        check_out_of_bag(known, type(self).__name__)
        self.oob_decision_function_ = p
        self.oob_score_ = float((self.classes_[p[known].argmax(axis=1)] == y[known]).mean())
