"""Predictions of boosted models, from the scores of their iterations."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.inputs.targets import check_labels, check_targets
from gramian.base.kinds import Classifier, LogProbabilities, Regressor
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import classification_loss
from gramian.ensemble.common.input_checks import prediction_dtype

if TYPE_CHECKING:
    from gramian.base.kinds import Estimator as _Mixed
else:
    _Mixed = object


class BoostedScores(_Mixed):
    """A model that predicts by a link function of scores of shape (n_scores, n)."""

    _exponent: int

    @abstractmethod
    def _table(self, X: Table) -> Data:
        """Check rows passed to the fitted model."""

    @abstractmethod
    def _scores(self, table: Data) -> Floats:
        """Return the scores of rows that have been checked."""

    @abstractmethod
    def _staged_scores(self, table: Data) -> Iterator[Floats]:
        """Yield the scores after each iteration."""

    @abstractmethod
    def _loss(self) -> BoostingLoss:
        """Return the loss for the training targets."""

    @property
    def _units(self) -> int:
        """Exponent k of the scale 2^k of the scores; 0 for model files that lack it."""
        return getattr(self, "_exponent", 0)


class BoostedRegressor(BoostedScores, Regressor):
    """Regression: the prediction is the inverse link of one score."""

    def predict(self, X: Table) -> Floats:
        """Predict the target of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = self._table(X)
        return self._prediction(self._scores(table), table)

    def staged_predict(self, X: Table) -> Iterator[Floats]:
        """Predict after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table = self._table(X)
        for scores in self._staged_scores(table):
            yield self._prediction(scores, table)

    def _prediction(self, scores: Floats, table: Data) -> Floats:
        """Return the predictions in the float type of X, if they are in its range."""
        dtype = np.float64 if self._units else prediction_dtype(table)
        return np.asarray(self._loss().mean(scores)[0], dtype=dtype)

    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        return np.asarray(check_targets(self, y, n), dtype=np.float64)

    _encode_new = _encode


class BoostedClassifier(LogProbabilities, BoostedScores, Classifier):
    """Classification: predicts the class with the highest score; two classes have one score.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.
    """

    model_family = "discriminative"

    loss: Any
    classes_: npt.NDArray[Any]

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        return self._predicted_labels(self._scores(self._table(X)))

    def predict_proba(self, X: Table) -> Floats:
        """Return the class probabilities.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
            Columns in the order of ``classes_``.
        """
        return self._posterior(self._scores(self._table(X)))

    def decision_function(self, X: Table) -> Floats:
        """Return the scores z(x).

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._table(X)
        return self._decision_values(self._scores(table), table)

    def staged_predict(self, X: Table) -> Iterator[npt.NDArray[Any]]:
        """Predict after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        return map(self._predicted_labels, self._staged_scores(self._table(X)))

    def staged_predict_proba(self, X: Table) -> Iterator[Floats]:
        """Return the class probabilities after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        p : array of shape (m, n_classes)
        """
        return map(self._posterior, self._staged_scores(self._table(X)))

    def staged_decision_function(self, X: Table) -> Iterator[Floats]:
        """Return the scores after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = self._table(X)
        for scores in self._staged_scores(table):
            yield self._decision_values(scores, table)

    def _decision_values(self, scores: Floats, table: Data) -> Floats:
        values = scores[0] if len(scores) == 1 else np.ascontiguousarray(scores.T)
        return values.astype(prediction_dtype(table), copy=False)

    def _predicted_labels(self, scores: Floats) -> npt.NDArray[Any]:
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, scores.shape[1])
        is_binary = len(scores) == 1
        code = (scores[0] > 0).astype(np.intp) if is_binary else scores.argmax(axis=0)
        labels: npt.NDArray[Any] = self.classes_[code]
        return labels

    def _posterior(self, scores: Floats) -> Floats:
        if len(self.classes_) == 1:
            return np.ones((scores.shape[1], 1))
        p = self._loss().mean(scores)
        return np.column_stack([1 - p[0], p[0]]) if len(p) == 1 else np.ascontiguousarray(p.T)

    def _loss(self) -> BoostingLoss:
        return classification_loss(self.loss, len(self.classes_), type(self).__name__)

    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Return the codes of validation labels; raise if one is not in y."""
        codes, classes = check_labels(self, y, n)
        unknown = np.setdiff1d(classes, self.classes_).tolist()
        if unknown:
            raise DataError(
                f"{type(self).__name__}: y_val has the label {unknown[0]!r}, which is not in y."
            )
        return np.searchsorted(self.classes_, classes)[codes].astype(np.float64)
