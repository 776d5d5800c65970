"""The votes of AdaBoost's learners, and the predictions made from them."""

from collections.abc import Iterator
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_new
from gramian.base.kinds import LogProbabilities
from gramian.base.members import Members
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.adaboost.decision_stump import DecisionStump
from gramian.ensemble.common.input_checks import check_new_rows, prediction_dtype
from gramian.ensemble.common.tree_sums import member_tree, vote_tree
from gramian.tree.structure.tree_sum import TreeSum

_LARGE_VOTE = (
    1e6  # stands for an infinite vote: far above any finite vote, and a softmax of it is 0 or 1
)


def vote_weight(error: float, n_classes: int = 2) -> float:
    """Return AdaBoost's vote for a learner of a given weighted error.

    For two classes beta = ln((1 - err) / err) / 2, the minimiser of the exponential loss
    (1 - err) e^-beta + err e^beta: infinite for err 0, 0 for err 1/2, and beta(1 - err) =
    -beta(err). For K classes ln(K - 1) / 2 is added (SAMME).

    Parameters
    ----------
    error
        The weighted error, from 0 to 1.
    n_classes
        Number K of classes.

    Returns
    -------
    float
        beta; `AdaBoostClassifier` stores alpha = 2 beta.

    Examples
    --------
    >>> from gramian.ensemble import vote_weight
    >>> round(vote_weight(0.25), 6), vote_weight(0.5), vote_weight(0.0)
    (0.549306, 0.0, inf)
    """
    if not 0 <= error <= 1:
        raise ParameterError(f"vote_weight: error must be a number in [0, 1]; got {error!r}.")
    if error in (0, 1):
        return float("inf") if error == 0 else -float("inf")
    return (log((1 - error) / error) + log(max(n_classes - 1, 1))) / 2


def finite_votes(votes: Floats) -> Floats:
    """Return the votes with infinity replaced by a large finite number."""
    return np.clip(votes, -_LARGE_VOTE, _LARGE_VOTE)


class Votes(LogProbabilities, Members):
    """A fitted AdaBoost classifier: a weighted vote of its learners."""

    estimators_: list[Any]
    estimator_weights_: Floats
    classes_: npt.NDArray[Any]

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def _check(self, X: npt.ArrayLike) -> Data:
        check_is_fitted(self)
        return check_new(self, X) if self._are_stumps() else check_new_rows(self, X)

    def _are_stumps(self) -> bool:
        return all(type(learner) is DecisionStump for learner in self.estimators_)

    def _vote_sums(self, table: Data) -> Iterator[Floats]:
        """Yield the votes for each class after each iteration, of shape (m, n_classes)."""
        stumps = self._are_stumps()
        total = np.zeros((table.shape[0], len(self.classes_)))
        rows = np.arange(len(total))
        for learner, vote in zip(
            self.estimators_, finite_votes(self.estimator_weights_), strict=True
        ):
            if stumps:
                predicted = learner._decide(table)
            else:
                predicted = np.searchsorted(self.classes_, learner.predict(table))
            total[rows, predicted] += vote
            yield total

    def _decision_values(
        self, total_votes: Floats, count: int, dtype: npt.DTypeLike
    ) -> npt.NDArray[Any]:
        """Convert votes to decision values, scaled as in scikit-learn."""
        k = len(self.classes_)
        if k == 1:
            return np.zeros(len(total_votes), dtype=dtype)
        total = np.abs(finite_votes(self.estimator_weights_[:count])).sum() or 1.0
        votes_for, votes_against = total_votes, total_votes.sum(axis=1, keepdims=True) - total_votes
        scores = np.asarray((votes_for - votes_against / (k - 1)) / total, dtype=dtype)
        return np.asarray(scores[:, 1] - scores[:, 0]) if k == 2 else scores

    def decision_function(self, X: Table) -> npt.NDArray[Any]:
        """Return the votes for each class minus those against it, as a fraction of all.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        score : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._check(X)
        *_, votes = self._vote_sums(table)
        return self._decision_values(votes, len(self.estimators_), prediction_dtype(table))

    def staged_decision_function(self, X: Table) -> Iterator[npt.NDArray[Any]]:
        """Return the decision function after each iteration.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        score : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._check(X)
        for count, votes in enumerate(self._vote_sums(table), 1):
            yield self._decision_values(votes, count, prediction_dtype(table))

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict the class with the most votes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        *_, votes = self._vote_sums(self._check(X))
        return self._predicted_labels(votes)

    def staged_predict(self, X: Table) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first learner, the first two, and so on.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        for votes in self._vote_sums(self._check(X)):
            yield self._predicted_labels(votes)

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities that the votes imply.

        For two classes P(1 | x) = 1 / (1 + e^(-2 M(x))) with M(x) the sum of the votes beta_t =
        alpha_t / 2 for and against; for more classes, the softmax of the votes / (K - 1).

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        *_, votes = self._vote_sums(self._check(X))
        return self._posterior(votes)

    def staged_predict_proba(self, X: Table) -> Iterator[Floats]:
        """Return the class probabilities after each iteration.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        p : array of shape (m, n_classes)
        """
        for votes in self._vote_sums(self._check(X)):
            yield self._posterior(votes)

    def staged_exponential_loss(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Iterator[float]:
        """Return the mean exponential loss e^(-y M(x)) after each iteration, for two classes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : array of shape (m,)
            Classes of the rows.
        sample_weight : array of shape (m,), optional
            Weights of the rows.

        Yields
        ------
        loss : float
        """
        check_is_fitted(self)
        if len(self.classes_) != 2:
            raise DataError(
                "AdaBoostClassifier: the exponential loss requires two classes; the model has "
                f"{len(self.classes_)}."
            )
        sign = np.where(np.asarray(y) == self.classes_[1], 1.0, -1.0)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        for votes in self._vote_sums(self._check(X)):
            margin = sign * (votes[:, 1] - votes[:, 0]) / 2
            with np.errstate(over="ignore"):  # an infinite vote for the wrong class
                yield float(np.average(np.exp(-margin), weights=weights))

    def _predicted_labels(self, votes: Floats) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[votes.argmax(axis=1)]
        return labels

    def _posterior(self, votes: Floats) -> Floats:
        k = len(self.classes_)
        return np.ones((len(votes), 1)) if k == 1 else softmax(votes / (k - 1), axis=1)

    def _tree_sum(self) -> TreeSum:
        """Return the votes as a sum of trees, for `gramian.to_onnx`."""
        k = len(self.classes_)
        pairs = zip(self.estimators_, finite_votes(self.estimator_weights_), strict=True)
        trees = [vote_tree(member_tree(m, self), m.classes_, self.classes_, v) for m, v in pairs]
        return TreeSum(trees, scale=1 / max(k - 1, 1), link="softmax")

    @property
    def feature_counts_(self) -> npt.NDArray[np.int64]:
        """Number of splits on each feature (feature selection by boosting)."""
        counts = np.zeros(self.n_features_in_, dtype=np.int64)
        for learner in self.estimators_:
            used = learner.tree_.feature
            counts += np.bincount(used[used >= 0], minlength=len(counts))
        return counts
