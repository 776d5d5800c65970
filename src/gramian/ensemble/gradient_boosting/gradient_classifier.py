"""Gradient boosting in function space, for classification."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    params,
)
from gramian.base.kinds import Classifier
from gramian.base.targets import check_labels
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import classification_loss
from gramian.ensemble.common.input_checks import answer_type, check_new_rows
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.gradient_boosting.function_boosting import FunctionBoosting


@params
class GradientBoostingClassifier(Classifier, FunctionBoosting):
    """Gradient boosting for classification, with any regressor as the base learner.

    f_1 is the best constant; iteration m fits a learner h (one per score) to the negative gradient
    of the loss at the current f and adds eta gamma h, gamma by line search; a tree gets a gamma of
    its own in every leaf, by one Newton step. With y = -1 or 1 and the score z = 2f, "log_loss" is
    log(1 + e^(-2yf)), less sensitive to outliers than "exponential", e^(-yz), AdaBoost's loss.
    `HistGradientBoostingClassifier` is faster for trees. Friedman 2001.

    Parameters
    ----------
    loss
        "log_loss", "exponential" (two classes), or a custom one: see
        `HistGradientBoostingClassifier`.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.

    Examples
    --------
    >>> from gramian import GradientBoostingClassifier, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> GradientBoostingClassifier(estimator=Ridge(), n_estimators=5).fit(X, y).predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _: KW_ONLY
    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"

    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        codes, self.classes_ = check_labels(self, y, n)
        if len(self.classes_) == 1:
            raise DataError(
                "GradientBoostingClassifier: y contains 1 class; the number of classes must be "
                "greater than one. Give rows of another class."
            )
        return codes.astype(np.float64)

    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        unknown = np.setdiff1d(classes, self.classes_).tolist()
        if unknown:
            raise DataError(
                f"{type(self).__name__}: y_val has the label {unknown[0]!r}, which is not in y."
            )
        return np.searchsorted(self.classes_, classes)[codes].astype(np.float64)

    def _loss(self) -> BoostingLoss:
        return classification_loss(self.loss, len(self.classes_), type(self).__name__)

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        return self._decided(self._scores(check_new_rows(self, X)))

    def predict_proba(self, X: npt.ArrayLike) -> Floats:
        """Return the class probabilities.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        table = check_new_rows(self, X)
        p = self._loss().mean(self._scores(table))
        return np.column_stack([1 - p[0], p[0]]) if len(p) == 1 else np.ascontiguousarray(p.T)

    def decision_function(self, X: npt.ArrayLike) -> Floats:
        """Return the scores z(x).

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        z : array of shape (m,) for two classes, else (m, n_classes)
        """
        table = check_new_rows(self, X)
        scores = self._scores(table)
        shown = scores[0] if len(scores) == 1 else np.ascontiguousarray(scores.T)
        return shown.astype(answer_type(table), copy=False)

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[npt.NDArray[Any]]:
        """Predict after each iteration.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        for scores in self._staged_scores(check_new_rows(self, X)):
            yield self._decided(scores)

    def _decided(self, scores: Floats) -> npt.NDArray[Any]:
        two = len(scores) == 1
        code = (scores[0] > 0).astype(np.intp) if two else scores.argmax(axis=0)
        decided: npt.NDArray[Any] = self.classes_[code]
        return decided
