"""Histogram gradient boosting for classification."""

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
from gramian.base.types import Floats, Weights
from gramian.base.weights import weigh_classes
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import classification_loss
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting
from gramian.ensemble.hist_boosting.hist_parameters import KEYWORDS


@params(first=(*KEYWORDS, "class_weight"))
class HistGradientBoostingClassifier(Classifier, HistGradientBoosting):
    """Histogram-based gradient boosting for classification.

    Adds trees f_t, each a step of Newton's method in function space, to a constant,

        z(x) = z_0 + eta sum_t f_t(x);

    tree t fits the gradient of the loss at the scores before it. Two classes have one score, and
    P(1 | x) = 1 / (1 + e^-z); more classes have one score and one tree per iteration each, and the
    probabilities are the softmax of the scores. Features are binned into at most 255 bins, so a
    split costs one pass over the rows of its smaller child. Missing values go to the child with the
    greater gain; categories are split into two sets. The trees do not depend on the number of
    threads. Friedman 2001; Ke et al. 2017.

    Parameters
    ----------
    loss
        "log_loss"; "exponential" (two classes: AdaBoost's loss, less robust to wrong labels); or
        a function of targets (0 or 1, or class indices) and scores that returns gradient and
        hessian, or a loss of `gramian.objectives`.
    class_weight
        Weights of the classes as a dict, or "balanced".

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The class labels, sorted.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import HistGradientBoostingClassifier
    >>> X = np.arange(100.0)[:, None]
    >>> model = HistGradientBoostingClassifier().fit(X, np.where(X[:, 0] < 50, "low", "high"))
    >>> model.predict([[10.0], [90.0]])
    array(['low', 'high'], dtype='<U4')
    """

    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"
    _: KW_ONLY
    class_weight: dict[Any, float] | Literal["balanced"] | None = None

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        return self._decided(self._scores(self._table(X)))

    def predict_proba(self, X: Any) -> Floats:
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

    def decision_function(self, X: Any) -> Floats:
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
        return self._shown(self._scores(table)).astype(table.dtype, copy=False)

    def staged_predict(self, X: Any) -> Iterator[npt.NDArray[Any]]:
        """Predict after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        for scores in self._staged_scores(self._table(X)):
            yield self._decided(scores)

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Return the class probabilities after each iteration.

        Parameters
        ----------
        X : array or frame of shape (m, d)
            The rows.

        Yields
        ------
        p : array of shape (m, n_classes)
        """
        for scores in self._staged_scores(self._table(X)):
            yield self._posterior(scores)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
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
            yield self._shown(scores).astype(table.dtype, copy=False)

    def _shown(self, scores: Floats) -> Floats:
        return scores[0] if len(scores) == 1 else np.ascontiguousarray(scores.T)

    def _decided(self, scores: Floats) -> npt.NDArray[Any]:
        if len(self.classes_) == 1:
            return np.repeat(self.classes_, scores.shape[1])
        two = len(scores) == 1
        code = (scores[0] > 0).astype(np.intp) if two else scores.argmax(axis=0)
        decided: npt.NDArray[Any] = self.classes_[code]
        return decided

    def _posterior(self, scores: Floats) -> Floats:
        if len(self.classes_) == 1:
            return np.ones((scores.shape[1], 1))
        p = self._loss().mean(scores)
        return np.column_stack([1 - p[0], p[0]]) if len(p) == 1 else np.ascontiguousarray(p.T)

    def _encode(self, y: Any, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        before = getattr(self, "classes_", classes) if self.warm_start else classes
        if not np.array_equal(before, classes):
            raise DataError(
                f"{type(self).__name__}: with warm_start the classes must be those of the previous "
                f"fit, {before.tolist()}; got {classes.tolist()}."
            )
        self.classes_ = classes
        return codes.astype(np.float64)

    def _encode_new(self, y: Any, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        unknown = np.setdiff1d(classes, self.classes_).tolist()
        if unknown:
            raise DataError(
                f"{type(self).__name__}: y_val has the label {unknown[0]!r}, which is not in y."
            )
        return np.searchsorted(self.classes_, classes)[codes].astype(np.float64)

    def _loss(self) -> BoostingLoss:
        return classification_loss(self.loss, len(self.classes_), type(self).__name__)

    def _all_weights(self, weights: Weights | None, y: Floats) -> Weights | None:
        owner, codes = type(self).__name__, y.astype(np.intp)
        return weigh_classes(owner, self.class_weight, codes, self.classes_, weights)

    def _labels(self, y: Floats) -> npt.NDArray[Any]:
        labels: npt.NDArray[Any] = self.classes_[y.astype(np.intp)]
        return labels
