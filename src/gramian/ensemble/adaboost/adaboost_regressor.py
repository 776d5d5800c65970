"""AdaBoost for regression: AdaBoost.R2."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from gramian.base.callbacks import Task
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.targets import check_target_size, check_targets
from gramian.base.kinds import Regressor
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.ensemble.adaboost.adaboost_base import AdaBoost
from gramian.ensemble.common.input_checks import (
    check_new_rows,
    prediction_dtype,
)
from gramian.ensemble.common.members import fit_member, seeded_clone
from gramian.tree import DecisionTreeRegressor

_RANDOM_STREAM = 3  # random stream for drawing rows


@params(first=("n_estimators", "learning_rate", "loss", "random_state"))
class AdaBoostRegressor(AdaBoost, Regressor):
    """AdaBoost.R2: a weighted median of learners fitted to resampled rows.

    Iteration t draws n rows in proportion to the weights, fits a learner, and measures its errors
    e_i, scaled to at most 1, with the mean e_t under the weights. With beta = e_t / (1 - e_t) the
    weights become w_i beta^(1 - e_i), so that rows with small errors lose weight, and the learner
    votes with ln(1 / beta). Boosting ends when e_t reaches 1/2. The prediction is the median of
    the learners' predictions, weighted by their votes. Drucker 1997.

    Parameters
    ----------
    estimator
        The learner; None for a `DecisionTreeRegressor` of depth 3.
    learning_rate
        The exponent of beta, and a factor of the votes.
    loss
        The loss of scaled errors: "linear", "square" or "exponential" (1 - e^-error).

    Attributes
    ----------
    estimator_weights_ : array of shape (n_iterations,)
        Votes of the learners; infinite for a learner without error, which alone decides.
    estimator_errors_ : array of shape (n_iterations,)
        Mean errors e_t of the learners.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import AdaBoostRegressor
    >>> X = np.arange(20.0)[:, None]
    >>> model = AdaBoostRegressor(n_estimators=5, random_state=0).fit(X, X[:, 0] ** 2)
    >>> model.score(X, X[:, 0] ** 2) > 0.9
    True
    """

    _: KW_ONLY
    loss: Literal["linear", "square", "exponential"] = "linear"

    def _learners(self) -> list[Any]:
        return [self._learner()]

    def _learner(self) -> Any:
        return DecisionTreeRegressor(max_depth=3) if self.estimator is None else self.estimator

    def _boost(self, table: Data, y: npt.ArrayLike, weights: Weights) -> None:
        n = table.shape[0]
        targets = np.asarray(check_targets(self, y, n), dtype=np.float64)
        check_target_size(self, table, targets)
        seed = seed_of(self.random_state)
        learner = self._learner()
        task = Task.of(self, steps=self.n_estimators, X=table, y=targets)

        self.estimators_, votes, errors = [], list[float](), list[float]()
        for number in range(self.n_estimators):
            drawn = stream((seed + number) % 2**64, _RANDOM_STREAM).choice(n, size=n, p=weights)
            member = seeded_clone(learner, seed + number)
            fit_member(self, member, take(table, drawn), targets[drawn], None)
            each = self._errors(targets, member.predict(table), weights)
            error = float(np.sum(weights * each))
            if error <= 0:  # this learner alone decides
                self.estimators_, votes, errors = [member], [np.inf], [0.0]
                break
            if error >= 0.5 and number > 0:
                break
            self.estimators_.append(member)
            errors.append(error)
            if error >= 0.5:
                votes.append(1.0)
                break
            beta = error / (1 - error)
            votes.append(float(self.learning_rate * np.log(1 / beta)))
            weights = weights * beta ** ((1 - each) * self.learning_rate)
            total = float(weights.sum())
            if total == 0:  # no row is left to learn from
                break
            weights /= total
            if task.iteration(lambda: self._state(votes, errors)):  # noqa: B023
                break
        self.estimator_weights_, self.estimator_errors_ = np.array(votes), np.array(errors)
        task.done(lambda: self._state(votes, errors))

    def _errors(self, y: Floats, predicted: Floats, weights: Floats) -> Floats:
        """Return the errors divided by the largest error of a row with positive weight."""
        each: Floats = np.where(weights > 0, np.abs(predicted - y), 0.0)
        largest: float = each.max()
        if largest > 0:
            each = each / largest
        match self.loss:
            case "square":
                each = each**2
            case "exponential":
                each = 1 - np.exp(-each)
        return each

    def predict(self, X: Table) -> Floats:
        """Predict the weighted median of the learners' predictions.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        middle = weighted_median(self._member_predictions(table), self.estimator_weights_)
        return middle.astype(prediction_dtype(table), copy=False)

    def staged_predict(self, X: Table) -> Iterator[Floats]:
        """Predict with the first learner, the first two, and so on.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Yields
        ------
        y : array of shape (m,)
        """
        table = check_new_rows(self, X)
        predictions = self._member_predictions(table)
        for count in range(1, len(self.estimators_) + 1):
            part = weighted_median(predictions[:, :count], self.estimator_weights_[:count])
            yield part.astype(prediction_dtype(table), copy=False)

    def _member_predictions(self, table: Data) -> Floats:
        return np.column_stack([member.predict(table) for member in self.estimators_])


def weighted_median(predictions: Floats, weights: Floats) -> Floats:
    """Return, for each row, the smallest prediction at which half of the weight is reached."""
    order = np.argsort(predictions, axis=1, kind="stable")
    up_to = np.cumsum(weights[order], axis=1)
    reached = up_to >= 0.5 * up_to[:, -1:]
    chosen = order[np.arange(len(predictions)), reached.argmax(axis=1)]
    return np.asarray(predictions[np.arange(len(predictions)), chosen])
