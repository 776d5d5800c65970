"""Classification by the combined predictions of different learners."""

from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import TransformerMixin
from sklearn.model_selection import cross_val_predict
from sklearn.preprocessing import LabelEncoder
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.targets import check_labels
from gramian.base.kinds import Classifier, Tags
from gramian.base.models import Model
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.input_checks import check_new_rows, prediction_dtype
from gramian.ensemble.common.members import posterior_of, prefixed_errors
from gramian.ensemble.common.named_ensemble import unfitted_copy
from gramian.ensemble.voting.voting_base import Voting


@params(first=("voting", "weights", "n_jobs", "flatten_transform", "verbose", "cv"))
class VotingClassifier(Classifier, TransformerMixin, Voting):
    """Classification by the combined predictions of different learners.

    "hard": a weighted majority vote. "soft": the weighted mean of the class probabilities.
    "median": their median, normalised, which is robust to one outlying learner. "bayes": Bayesian
    model combination, sum_j P(C | x, M_j) P(M_j | data), where the evidence for a learner is its
    cross-validated likelihood of the classes; `weights` are then the prior. Kittler, Hatef, Duin
    and Matas 1998.

    Parameters
    ----------
    voting
        Rule that combines the predictions.
    flatten_transform
        Whether transform returns the class probabilities of all learners in one table.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    le_ : LabelEncoder
        Encoder of the class labels.

    Examples
    --------
    >>> from gramian import KNeighborsClassifier, LogisticRegression, VotingClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> members = [("near", KNeighborsClassifier(1)), ("line", LogisticRegression())]
    >>> VotingClassifier(members, voting="soft").fit(X, y).predict([[0.4], [2.9]])
    array([0, 1])
    """

    tags: ClassVar[Tags] = {"transformer_tags.preserves_dtype": []}  # votes are labels
    model_family = None  # as the members

    _: KW_ONLY
    voting: Literal["hard", "soft", "median", "bayes"] = "hard"
    flatten_transform: bool = True

    def _check_targets(self, y: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
        codes, self.classes_ = check_labels(self, y, n)
        labels: npt.NDArray[Any] = self.classes_[codes]
        return labels

    @property
    def le_(self) -> LabelEncoder:
        """Encoder of the class labels."""
        return LabelEncoder().fit(self.classes_)

    def _is_bayesian(self) -> bool:
        return self.voting == "bayes"

    def _log_likelihood(self, member: Model, table: Data, y: npt.NDArray[Any], folds: Any) -> float:
        with prefixed_errors(self, member):
            p = cross_val_predict(unfitted_copy(member), table, y, cv=folds, method="predict_proba")
        own = p[np.arange(len(y)), np.searchsorted(self.classes_, y)]
        return float(np.log(np.maximum(own, 1e-15)).sum())

    def _posteriors(self, X: npt.ArrayLike) -> Floats:
        """Return the learners' class probabilities, of shape (n_estimators, m, n_classes)."""
        table = check_new_rows(self, X)
        return np.stack([posterior_of(m, table, self.classes_) for m in self.estimators_])

    def _votes(self, X: npt.ArrayLike) -> Floats:
        """Return the weight of the votes for each class, of shape (m, n_classes)."""
        table = check_new_rows(self, X)
        votes = np.zeros((table.shape[0], len(self.classes_)))
        rows = np.arange(len(votes))
        for member, weight in zip(self.estimators_, self.weights_, strict=True):
            votes[rows, np.searchsorted(self.classes_, member.predict(table))] += weight
        return votes

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict the most probable class of the combined predictions; the first one if tied.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        votes = self._votes(X) if self.voting == "hard" else self.predict_proba(X)
        # Sums of weights that differ only by rounding count as ties.
        decided: npt.NDArray[Any] = self.classes_[np.round(votes, 12).argmax(axis=1)]
        return decided

    def predict_proba(self, X: Table) -> Floats:
        """Return the combined class probabilities; for "hard" the proportions of the votes.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        if self.voting == "hard":
            return self._votes(X)
        p = self._posteriors(X)
        if self.voting == "median":
            middle = np.median(p, axis=0)
            total: Floats = middle.sum(axis=1, keepdims=True)
            median: Floats = np.divide(middle, total, out=p.mean(axis=0), where=total > 0)
            return median
        return np.asarray(np.tensordot(self.weights_, p, axes=1))

    def transform(self, X: Table) -> npt.NDArray[Any]:
        """Return the predictions of the learners: labels for "hard", else class probabilities.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        answers : array of shape (m, n_estimators), or (m, n_estimators * n_classes)
        """
        table = check_new_rows(self, X)
        if self.voting == "hard":
            return np.column_stack([m.predict(table) for m in self.estimators_])
        p = self._posteriors(X).astype(prediction_dtype(table), copy=False)
        return np.hstack(list(p)) if self.flatten_transform else p

    def get_feature_names_out(
        self, input_features: npt.ArrayLike | None = None
    ) -> npt.NDArray[Any]:
        """Return the names of the columns of `transform`.

        Parameters
        ----------
        input_features : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        names : array of strings
        """
        check_is_fitted(self)
        del input_features
        prefix = type(self).__name__.lower()
        if self.voting == "hard":
            return np.array([f"{prefix}_{name}" for name in self._names], dtype=object)
        if not self.flatten_transform:
            raise ParameterError(
                "VotingClassifier: get_feature_names_out is not supported when `voting='soft'` and "
                "`flatten_transform=False`."
            )
        classes = range(len(self.classes_))
        return np.array([f"{prefix}_{n}{c}" for n in self._names for c in classes], dtype=object)
