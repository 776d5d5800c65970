"""Gradient boosting in function space, for classes."""

from collections.abc import Iterator
from numbers import Real
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.errors import DataError
from gramian.base.fields import (
    KW_ONLY,
    Count,
    Interval,
    Learner,
    NonNegative,
    Positive,
    Seed,
    params,
)
from gramian.base.kinds import Classifier
from gramian.base.targets import check_labels
from gramian.base.types import Floats
from gramian.base.weights import check_weights, unit_weights
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import classification_loss
from gramian.ensemble.common.input_checks import answer_type, check_fit_rows, check_new_rows
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.gradient_boosting.function_boosting import FunctionBoosting, Held


@params
class GradientBoostingClassifier(Classifier, FunctionBoosting):
    """Gradient boosting with any regressor as the base learner, for classes.

    f_1 is the best constant; round m fits a learner h (one per score) to the negative gradients of
    the loss at the present f and adds eta gamma h, gamma by line search; a tree gets a gamma of its
    own in every leaf, by one Newton step. With y = -1 or 1 and the score z = 2f, "log_loss" is
    log(1 + e^(-2yf)), which outliers move less than "exponential", e^(-yz), AdaBoost's.
    `HistGradientBoostingClassifier` is the fast kin for trees. Friedman 2001.

    Parameters
    ----------
    loss
        "log_loss", "exponential" (two classes), or your own: see
        `HistGradientBoostingClassifier`.
    learning_rate
        eta: the share of each step that is taken.
    n_estimators
        Rounds, M.
    subsample
        Share of the rows, drawn anew, that a round learns from; below 1 it is stochastic
        gradient boosting.
    max_depth
        Depth of the trees that are the default learner.
    n_iter_no_change
        Rounds without a lower loss on X_val that are borne; None for all.
    tol
        The least fall of that loss that counts.
    random_state
        Where chance comes from.
    estimator
        The learner, any regressor; None is a `DecisionTreeRegressor`.
    line_search
        Whether gamma is sought in every round, for a `DecisionTreeRegressor` in every leaf;
        otherwise it is 1.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        The classes, sorted.
    estimators_ : list of lists of regressors
        The learners of each round, one per score.
    steps_ : array of shape (n_estimators_,)
        eta gamma of each round; eta where each leaf has a gamma of its own.
    n_estimators_ : int
        Number of rounds.
    train_score_, validation_score_ : arrays of shape (n_estimators_,)
        Mean loss after each round; the latter where X_val is given.

    Examples
    --------
    >>> from gramian import GradientBoostingClassifier, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"]
    >>> GradientBoostingClassifier(estimator=Ridge(), n_estimators=5).fit(X, y).predict(X)
    array(['a', 'a', 'b', 'b'], dtype='<U1')
    """

    _: KW_ONLY
    loss: Literal["log_loss", "exponential"] | CustomLoss = "log_loss"
    learning_rate: Positive = 0.1
    n_estimators: Count = 100
    subsample: Annotated[float, Interval(Real, 0, 1, open_low=True)] = 1.0
    max_depth: Count | None = 3
    n_iter_no_change: Count | None = None
    tol: NonNegative = 1e-4
    random_state: Seed = None
    estimator: Learner | None = None
    line_search: bool = True

    @with_callbacks
    def fit(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: npt.ArrayLike | None = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Run the rounds.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), optional
            How much each row counts; a row of weight 0 counts nowhere.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows to stop by.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : GradientBoostingClassifier
            The fitted model.
        """
        table = check_fit_rows(self, X)
        codes, self.classes_ = check_labels(self, y, table.shape[0])
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        held = None
        if X_val is not None and y_val is not None:
            rows = check_new_rows(self, X_val)
            held = Held(
                rows,
                self._known(y_val, rows.shape[0]),
                check_weights(self, sample_weight_val, rows.shape[0]),
            )
        elif X_val is not None or y_val is not None:
            raise DataError(f"{type(self).__name__}: X_val and y_val go together; give both.")
        if len(self.classes_) == 1:
            raise DataError(
                "GradientBoostingClassifier: y contains 1 class; the number of classes must be "
                "greater than one. Give rows of another class."
            )
        self._boost(table, codes.astype(np.float64), weights, held)
        return self

    def _known(self, y: npt.ArrayLike, n: int) -> Floats:
        codes, classes = check_labels(self, y, n)
        unknown = np.setdiff1d(classes, self.classes_).tolist()
        if unknown:
            raise DataError(
                f"GradientBoostingClassifier: y_val holds {unknown[0]!r}, which is no class of y."
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
        """Return the posterior of each class.

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
        """Predict after the first round, the first two, and so on.

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
