"""Gradient boosting in function space, with any regressor as the base learner.

f_1 is the best constant. Iteration m fits a learner h to the negative gradients of the loss,

    r_i = -dL(y_i, f(x_i)) / df(x_i),

and adds it with the step of a line search: f <- f + eta gamma h, gamma = argmin_gamma sum_i L(y_i,
f(x_i) + gamma h(x_i)) (Friedman 2001, algorithm 1). A tree has one gamma per leaf (leaf_steps.py).
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError
from gramian.base.gate import check_size
from gramian.base.members import Members
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.base.weights import check_weights, unit_weights
from gramian.ensemble.common.boosted_scores import BoostedScores
from gramian.ensemble.common.boosting_loss import HEAVIEST, BoostingLoss, deviance
from gramian.ensemble.common.input_checks import check_fit_rows, check_new_rows
from gramian.ensemble.common.members import fit_member, member_of
from gramian.ensemble.common.tree_sums import sum_of_scores, times, tree_of
from gramian.ensemble.common.units import exponent_of, in_units, out_of_units, tree_out_of_units
from gramian.ensemble.functional_boosting.boosting_parameters import BoostingParameters
from gramian.ensemble.functional_boosting.leaf_steps import with_leaf_steps
from gramian.tree import DecisionTreeRegressor
from gramian.tree.structure.tree_sum import TreeSum

_ROWS = 6  # the stream of random numbers that draws rows
_FARTHEST = 2.0**30


class Held(NamedTuple):
    """Validation rows for early stopping."""

    X: Data
    y: Floats
    weights: Weights | None


class FunctionBoosting(BoostingParameters, CallbackSupportMixin, BoostedScores, Members):
    """Gradient boosting with any regressor; the subclasses provide the loss."""

    # More rows are worth more learners, however simple each of them is.
    parametric: ClassVar[bool | None] = False

    @abstractmethod
    def _encode(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check training targets of n rows and encode them as numbers."""

    @abstractmethod
    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check and encode targets of validation rows."""

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 are ignored.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Validation rows for early stopping.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = self._encode(y, table.shape[0])
        weights = unit_weights(check_weights(self, sample_weight, table.shape[0]), HEAVIEST)
        held = None
        if X_val is not None and y_val is not None:
            rows = check_new_rows(self, X_val)
            held = Held(
                rows,
                self._encode_new(y_val, rows.shape[0]),
                check_weights(self, sample_weight_val, rows.shape[0]),
            )
        elif X_val is not None or y_val is not None:
            raise DataError(f"{type(self).__name__}: X_val and y_val go together; give both.")
        self._boost(table, targets, weights, held)
        return self

    def _table(self, X: Any) -> Data:
        return check_new_rows(self, X)

    def _learners(self) -> list[Any]:
        return [self._learner()]

    def _learner(self) -> Any:
        if self.estimator is None:
            return DecisionTreeRegressor(max_depth=self.max_depth)
        return self.estimator

    def _boost(self, table: Data, y: Floats, weights: Weights | None, held: Held | None) -> None:
        loss = self._loss()
        owner = type(self).__name__
        if weights is not None and not weights.all():  # rows of weight 0 are ignored
            kept = np.flatnonzero(weights)
            table, y, weights = take(table, kept), y[kept], weights[kept]
        self._exponent = exponent_of(y, loss)
        y = in_units(y, self._exponent)
        if held is not None:
            held = held._replace(y=in_units(held.y, self._exponent))
        check_size(self, "y", y, 1e30)  # gradients are single precision
        if problem := loss.problem_with(y):
            raise DataError(f"{owner}: {problem}; the least y is {y.min():g}.")
        learner = self._learner()
        seed = seed_of(self.random_state)
        self._start = loss.start(y, weights)
        score = np.tile(self._start[:, None], (1, len(y)))
        slope, curvature = np.empty(score.shape, np.float32), np.empty(score.shape, np.float32)
        score_val = None if held is None else np.tile(self._start[:, None], (1, len(held.y)))
        task = Task.of(self, steps=self.n_estimators, X=table, y=y)

        self.estimators_, steps = [], list[float]()
        train, val = list[float](), list[float]()
        for number in range(self.n_estimators):
            loss.slopes(y, None, score, slope, curvature)
            rows = self._rows(len(y), seed, number)
            members = [
                self._member(learner, table, -g.astype(np.float64), weights, rows, seed, number)
                for g in slope
            ]
            by_leaf = self.line_search and type(learner) is DecisionTreeRegressor
            if by_leaf:
                part: Any = slice(None) if rows is None else rows
                drawn = table if rows is None else take(table, rows)
                w = None if weights is None else weights[part]
                for m, z, g, h in zip(members, score, slope, curvature, strict=True):
                    leaf, residual = m.apply(drawn), (y - z)[part]
                    m.tree_ = with_leaf_steps(m.tree_, leaf, loss, residual, g[part], h[part], w)
            predictions = np.stack([m.predict(table) for m in members]).astype(np.float64)
            gamma = 1.0
            if self.line_search and not by_leaf:
                gamma = _line_minimum(loss, y, weights, score, predictions, rows)
            step = self.learning_rate * gamma
            score += step * predictions
            self.estimators_.append(members)
            steps.append(step)
            if loss.has_value:
                train.append(deviance(loss, y, score, weights))
            stop = False
            if held is not None and score_val is not None:
                score_val += step * np.stack([m.predict(held.X) for m in members])
                val.append(deviance(loss, held.y, score_val, held.weights))
                stop = self._stops(val)
            if task.iteration(lambda: self._state(steps)) or stop:
                break
        self.steps_ = np.array(steps)
        self.train_score_ = np.array(train)
        self.validation_score_ = np.array(val)
        task.done(lambda: self._state(steps))

    def _rows(self, n: int, seed: int, number: int) -> npt.NDArray[np.intp] | None:
        """Return the rows of this iteration, None for all (stochastic boosting: Friedman 2002)."""
        if self.subsample >= 1:
            return None
        random = stream((seed + number) % 2**64, _ROWS)
        size = max(1, int(self.subsample * n))
        return np.sort(random.choice(n, size=size, replace=False))

    def _member(
        self,
        learner: Any,
        table: Data,
        targets: Floats,
        weights: Weights | None,
        rows: npt.NDArray[np.intp] | None,
        seed: int,
        number: int,
    ) -> Any:
        member = member_of(learner, seed + number)
        if rows is not None:
            table, targets = take(table, rows), targets[rows]
            weights = None if weights is None else weights[rows]
        return fit_member(self, member, table, targets, weights)

    def _stops(self, scores: list[float]) -> bool:
        patience = self.n_iter_no_change
        if patience is None or len(scores) <= patience:
            return False
        return min(scores[-patience:]) > scores[-patience - 1] - self.tol

    def _state(self, steps: list[float]) -> dict[str, Any]:
        names = ("classes_", "n_features_in_", "feature_names_in_", "_start", "_exponent")
        kept = {name: getattr(self, name) for name in names if hasattr(self, name)}
        return {**kept, "estimators_": list(self.estimators_), "steps_": np.array(steps)}

    @property
    def n_estimators_(self) -> int:
        """Number of iterations."""
        return len(self.estimators_)

    def _tree_sum(self) -> TreeSum:
        """Return the model as a sum of trees, for `gramian.to_onnx`."""
        iterations = zip(self.estimators_, self.steps_, strict=True)
        trees = [times(tree_of(m, self), step) for members, step in iterations for m in members]
        scale, loss = self._units, self._loss()
        trees = [tree_out_of_units(tree, scale, loss) for tree in trees]
        return sum_of_scores(loss, out_of_units(self._start, scale, loss), trees)

    def _staged_scores(self, table: Data) -> Iterator[Floats]:
        """Yield the scores after each iteration, of shape (n_scores, m)."""
        score, loss = np.tile(self._start[:, None], (1, table.shape[0])), self._loss()
        for members, step in zip(self.estimators_, self.steps_, strict=True):
            score = score + step * np.stack([m.predict(table) for m in members])
            yield out_of_units(score, self._units, loss)

    def _scores(self, table: Data) -> Floats:
        score = np.tile(self._start[:, None], (1, table.shape[0]))
        for score in self._staged_scores(table):  # noqa: B007 - the last one is wanted
            pass
        return score


def _line_minimum(
    loss: BoostingLoss,
    y: Floats,
    weights: Weights | None,
    score: Floats,
    direction: Floats,
    rows: npt.NDArray[np.intp] | None,
) -> float:
    """Return the gamma >= 0 that minimises the loss along the direction, where its slope is 0."""
    if rows is not None:
        y, score, direction = y[rows], score.take(rows, axis=1), direction.take(rows, axis=1)
        weights = None if weights is None else weights[rows]
    slope, curvature = np.empty(score.shape, np.float32), np.empty(score.shape, np.float32)

    def along(gamma: float) -> float:
        loss.slopes(y, weights, score + gamma * direction, slope, curvature)
        return float(np.sum(slope * direction))

    if along(0.0) >= 0:
        return 0.0
    high = 1.0
    while along(high) < 0:
        if high >= _FARTHEST:  # the loss has no minimum: all rows are classified correctly
            return 1.0
        high *= 2
    while high > 1 / _FARTHEST and along(high / 2) > 0:  # slopes of size 1 and y far below
        high /= 2
    return float(brentq(along, 0.0, high, xtol=1e-6 * min(high, 1.0)))
