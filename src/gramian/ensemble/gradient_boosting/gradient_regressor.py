"""Gradient boosting in function space, for numbers."""

from collections.abc import Iterator
from numbers import Real
from typing import Annotated, Literal, Self

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
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Floats
from gramian.base.weights import check_weights, unit_weights
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import regression_loss
from gramian.ensemble.common.input_checks import answer_type, check_fit_rows, check_new_rows
from gramian.ensemble.common.options import CustomLoss
from gramian.ensemble.gradient_boosting.function_boosting import FunctionBoosting, Held


@params
class GradientBoostingRegressor(Regressor, FunctionBoosting):
    """Gradient boosting with any regressor as the base learner.

    f_1 is the best constant; round m fits a learner h to the negative gradients of the loss at the
    present f and adds eta gamma h, gamma by line search. `HistGradientBoostingRegressor` is the
    fast kin for trees. Friedman 2001.

    Parameters
    ----------
    loss
        "squared_error", "absolute_error", "quantile", "poisson", "gamma", or your own: see
        `HistGradientBoostingRegressor`.
    alpha
        The level, for loss="quantile".
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
    >>> from gramian import GradientBoostingRegressor, Ridge
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 5.0, 7.0]
    >>> linear = GradientBoostingRegressor(
    ...     estimator=Ridge(alpha=0.0), learning_rate=1.0, n_estimators=1
    ... )
    >>> linear.fit(X, y).predict([[10.0]]).round(3)
    array([21.])
    """

    _: KW_ONLY
    loss: (
        Literal["squared_error", "absolute_error", "quantile", "poisson", "gamma"] | CustomLoss
    ) = "squared_error"
    alpha: Annotated[float, Interval(Real, 0, 1)] = 0.9
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
            Their targets.
        sample_weight : array of shape (n,), optional
            How much each row counts; a row of weight 0 counts nowhere.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows to stop by.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : GradientBoostingRegressor
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = check_targets(self, y, table.shape[0])
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]))
        held = None
        if X_val is not None and y_val is not None:
            rows = check_new_rows(self, X_val)
            held = Held(
                rows,
                np.asarray(check_targets(self, y_val, rows.shape[0]), dtype=np.float64),
                check_weights(self, sample_weight_val, rows.shape[0]),
            )
        elif X_val is not None or y_val is not None:
            raise DataError(f"{type(self).__name__}: X_val and y_val go together; give both.")
        self._boost(table, np.asarray(targets, dtype=np.float64), weights, held)
        return self

    def predict(self, X: npt.ArrayLike) -> Floats:
        """Predict the target of each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        return np.asarray(self._loss().mean(self._scores(table))[0], dtype=answer_type(table))

    def staged_predict(self, X: npt.ArrayLike) -> Iterator[Floats]:
        """Predict after the first round, the first two, and so on.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table, loss = check_new_rows(self, X), self._loss()
        for scores in self._staged_scores(table):
            yield np.asarray(loss.mean(scores)[0], dtype=answer_type(table))

    def _loss(self) -> BoostingLoss:
        level = self.alpha if self.loss == "quantile" else None
        return regression_loss(self.loss, level, type(self).__name__)
