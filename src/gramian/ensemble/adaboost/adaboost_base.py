"""Base class of AdaBoost for classification and regression."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.metrics import accuracy_score, r2_score

from gramian.base.callbacks import CallbackSupportMixin, with_callbacks
from gramian.base.fields import KW_ONLY, Count, Learner, Positive, Seed, params
from gramian.base.inputs.weights import check_weights, unit_weights
from gramian.base.members import Members
from gramian.base.types import Data, Floats, Table, Weights
from gramian.ensemble.adaboost.votes import finite_votes
from gramian.ensemble.common.input_checks import check_fit_rows
from gramian.ensemble.common.one_learner import OneLearner
from gramian.ensemble.common.sequence import MemberSequence


@params
class AdaBoost(MemberSequence, CallbackSupportMixin, OneLearner, Members):
    """Fits learners one after another, each to rows reweighted by the errors of the last.

    Parameters
    ----------
    n_estimators
        Maximum number of iterations.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    estimators_ : list of estimators
        The learners.
    estimator_ : estimator
        The unfitted learner that was copied.
    feature_importances_ : array of shape (d,)
        Fraction of the total gain due to each feature, if the learners are trees.
    """

    # Capacity grows with the number of learners, however simple each of them is.
    parametric: ClassVar[bool | None] = False

    estimator: Learner | None = None
    _: KW_ONLY
    n_estimators: Count = 50
    learning_rate: Positive = 1.0
    random_state: Seed = None

    if TYPE_CHECKING:  # not parameters
        estimators_: list[Any]
        estimator_weights_: Floats

    @with_callbacks
    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Initial weights; None for 1 / n each.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        n = table.shape[0]
        row_weights = unit_weights(check_weights(self, sample_weight, n))
        weights = np.ones(n) if row_weights is None else row_weights
        self._boost(table, y, weights / weights.sum())
        return self

    def staged_score(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> Iterator[float]:
        """Return the accuracy, or R^2, with the first learner, the first two, and so on.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : array of shape (m,)
            Classes or targets of the rows.
        sample_weight : array of shape (m,), optional
            Weights of the rows.

        Yields
        ------
        score : float
        """
        score = accuracy_score if is_classifier(self) else r2_score
        for predicted in self.staged_predict(X):
            yield float(score(y, predicted, sample_weight=sample_weight))

    @abstractmethod
    def staged_predict(self, X: Table) -> Iterator[npt.NDArray[Any]]:
        """Predict with the first learner, the first two, and so on."""

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of the total gain due to each feature, weighted by the learners' votes."""
        if not hasattr(self.estimators_[0], "tree_"):
            raise AttributeError(
                f"{type(self).__name__}: feature importances need tree learners; got "
                f"{type(self.estimators_[0]).__name__}."
            )
        votes = np.abs(finite_votes(self.estimator_weights_))
        parts = [e.tree_.compute_feature_importances() for e in self.estimators_]
        return np.asarray(votes @ np.array(parts)) / (votes.sum() or 1.0)

    @abstractmethod
    def _boost(self, table: Data, y: npt.ArrayLike, weights: Weights) -> None:
        """Fit the learners; the initial weights sum to 1."""

    def _state(self, votes: list[float], errors: list[float]) -> dict[str, Any]:
        names = ("classes_", "n_features_in_")
        return {
            "estimators_": list(self.estimators_),
            "estimator_weights_": np.array(votes),
            "estimator_errors_": np.array(errors),
            **{name: getattr(self, name) for name in names if hasattr(self, name)},
        }
