"""Gradient boosting: what classification and regression have in common.

Scores z start at the best constant or at the predictions of a given model. Iteration m computes the
negative slopes r of the loss at z and grows a regression tree on them (one for each score), gives
every leaf its best step v (stage_loss.py) and adds eta v to the scores of its rows (Friedman 2001).
The columns are sorted once, for all trees (stage_trees.py). Another learner takes the place of the
trees, with one step for all rows (stage_learners.py).
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.model_selection import train_test_split

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_fit, check_size
from gramian.base.members import Members, takes
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.base.weights import check_held_out, check_weights, unit_weights
from gramian.ensemble.common.boosting_loss import HEAVIEST
from gramian.ensemble.common.input_checks import check_fit_rows
from gramian.ensemble.common.units import exponent_of, in_units
from gramian.ensemble.gradient_boosting.fitted_stages import FittedStages
from gramian.ensemble.gradient_boosting.gradient_parameters import GradientParameters
from gramian.ensemble.gradient_boosting.initial_model import InitialModel
from gramian.ensemble.gradient_boosting.progress import Progress
from gramian.ensemble.gradient_boosting.stage_learners import StageLearners
from gramian.ensemble.gradient_boosting.stage_loss import StageLoss
from gramian.ensemble.gradient_boosting.stage_trees import TREE_NAMES, StageTrees
from gramian.tree.growth.grow import n_features_of

_ROWS = 6  # the stream of random numbers that draws rows
_FITTED = ("forests_", "max_features_", "_members", "_steps")
Monitor = Callable[[int, Any, dict[str, Any]], bool]


class Rows(NamedTuple):
    """Checked rows, encoded targets, weights."""

    X: Data
    y: Floats
    weights: Weights | None

    def some(self, chosen: npt.NDArray[Any]) -> "Rows":
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[chosen]
        return Rows(take(self.X, chosen), self.y[chosen], weights)


class GradientBoosting(GradientParameters, FittedStages, CallbackSupportMixin, Members):
    """Boosting of exact trees or of any regressor; the subclasses provide the loss."""

    parametric: ClassVar[bool | None] = False

    train_score_: Floats
    validation_score_: Floats
    _seed: int

    def _learners(self) -> list[Any]:
        given = (self.init, self.estimator)
        return [learner for learner in given if not (learner is None or isinstance(learner, str))]

    def _all_take(self, what: str) -> bool:
        own = self.estimator is not None or what != "categorical"  # what our trees take
        return own and all(takes(learner, what) for learner in self._learners())

    @abstractmethod
    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None) -> Floats:
        """Check training targets of n rows and encode them as numbers."""

    @abstractmethod
    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check and encode targets of validation rows."""

    def _stage_loss(self) -> StageLoss:
        """Return the loss."""
        return StageLoss(self._loss())

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        monitor: Monitor | None = None,
        *,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
        sample_weight_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Fit the model.

        Parameters
        ----------
        X : array or CSR of shape (n, d)
            The rows; missing values are allowed in arrays. With an estimator: what it takes.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 are ignored.
        monitor : function, optional
            Called after each iteration with its number, the model and the local variables of the
            loop; True ends the fit.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows for early stopping, instead of a fraction of X.
        sample_weight_val : array of shape (m,), optional
            Their weights.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit(self, X) if self.estimator is None else check_fit_rows(self, X)
        n = table.shape[0]
        weights = unit_weights(check_weights(self, sample_weight, n), HEAVIEST)
        rows = Rows(table, self._encode(y, n, weights), weights)
        self._check_options()
        held = self._given(X_val, y_val, sample_weight_val)
        if held is None and self.n_iter_no_change is not None:
            rows, held = self._held_out(rows)
        self._boost(rows, held, monitor)
        return self

    def _given(self, X_val: Any, y_val: Any, weights: Any) -> Rows | None:
        if (X_val is None) != (y_val is None):
            raise DataError(f"{type(self).__name__}: X_val and y_val go together; give both.")
        if X_val is None:
            return None
        table = self._checked_new(X_val, trees=self.estimator is None)
        n = table.shape[0]
        return Rows(table, self._encode_new(y_val, n), check_weights(self, weights, n))

    def _held_out(self, rows: Rows) -> tuple[Rows, Rows]:
        """Divide the rows for early stopping, with the proportions of the classes."""
        labels = rows.y if is_classifier(self) else None
        try:
            kept, held = train_test_split(
                np.arange(len(rows.y)),
                random_state=seed_of(self.random_state) % 2**32,
                test_size=self.validation_fraction,
                stratify=labels,
            )
        except ValueError as error:
            raise DataError(
                f"{type(self).__name__}: no rows can be set aside to stop by (n_samples="
                f"{len(rows.y)}, validation_fraction={self.validation_fraction}): {error} Give "
                "X_val, change validation_fraction, or set n_iter_no_change=None."
            ) from None
        check_held_out(type(self).__name__, None if rows.weights is None else rows.weights[held])
        if labels is not None and len(np.unique(labels[kept])) < len(np.unique(labels)):
            raise DataError(
                f"{type(self).__name__}: The training data after the early stopping split is "
                "missing some classes. Try using another random seed, or give X_val."
            )
        return rows.some(kept), rows.some(held)

    def _boost(self, rows: Rows, held: Rows | None, monitor: Monitor | None) -> None:
        loss = self._stage_loss()
        again = bool(self.warm_start and self._is_boosted)
        first = self.n_estimators_ if again else 0
        self._check_warm_start(again, first, loss)
        rows, held = self._prepared(loss, rows, held, again=again)
        X, y, weights = rows
        if not again:
            self._seed = seed_of(self.random_state) % 2**63
            self._initial = InitialModel.of(self, loss.loss, rows)
            self._reset()
        score = self._unit_scores(X) if again else self._initial.scores(X, loss.loss)
        score_val = None
        if held is not None:
            score_val = (
                self._unit_scores(held.X) if again else self._initial.scores(held.X, loss.loss)
            )
        if again and self.subsample < 1 and not hasattr(self, "oob_scores_"):
            self.oob_scores_ = self.oob_improvement_ = np.zeros(first)
        stages: StageTrees | StageLearners
        if self.estimator is None:
            self.max_features_ = n_features_of(self.max_features, X.shape[1])
            stages = StageTrees(self, X, loss.n_scores, self.forests_ if again else None)
        else:
            stages = StageLearners(self, X, again=again)
        sampled = self.subsample < 1
        progress = Progress(int(self.verbose), self.n_estimators, first, out_of_bag=sampled)
        task = Task.of(self, steps=self.n_estimators - first, X=X, y=y)
        best = np.full(min(self.n_iter_no_change or 1, self.n_estimators), np.inf)
        for number in range(first, self.n_estimators):
            drawn = self._drawn(len(y), number)
            before = 0.0
            if drawn is not None:
                first_one = number == 0
                before = (
                    self._loss_of(loss, rows, score, ~drawn) if first_one else self.oob_scores_[-1]
                )
            part: Any = slice(None) if drawn is None else drawn
            loss.prepare(y[part], score[:, part], None if weights is None else weights[part])
            change = stages.iterate(loss, y, weights, drawn, score, number)
            train = self._loss_of(loss, rows, score, drawn)
            self.train_score_ = np.append(self.train_score_, train)
            gain = 0.0
            if drawn is not None:
                self.oob_score_ = self._loss_of(loss, rows, score, ~drawn)
                gain = before - self.oob_score_
                self.oob_scores_ = np.append(self.oob_scores_, self.oob_score_)
                self.oob_improvement_ = np.append(self.oob_improvement_, gain)
            progress.note(number, train, gain)
            stop = False
            if monitor is not None:
                self.__dict__.update(stages.fitted(copy=True))
                stop = bool(monitor(number, self, locals()))
            if held is not None and score_val is not None:
                score_val += change(held.X)
                lost = loss.mean(held.y, score_val, held.weights)
                self.validation_score_ = np.append(self.validation_score_, lost)
                stop |= self._stops(best, lost, number)
            if task.iteration(lambda: stages.fitted(copy=True)) or stop:
                break
        fitted = stages.fitted(copy=False)
        self.__dict__.update(fitted)
        task.done(lambda: fitted)

    def _prepared(
        self, loss: StageLoss, rows: Rows, held: Rows | None, *, again: bool
    ) -> tuple[Rows, Rows | None]:
        """Return the rows as boosting takes them: checked by the loss, y of ordinary size."""
        if self.estimator is not None and rows.weights is not None and not rows.weights.all():
            rows = rows.some(np.flatnonzero(rows.weights))  # learners may count rows of weight 0
        if not again:
            # Trees are grown in double precision, in the units of min_impurity_decrease.
            scaled = self.estimator is not None or loss.loss.log_homogeneous
            self._exponent = exponent_of(rows.y, loss.loss) if scaled else 0
        rows = rows._replace(y=in_units(rows.y, self._units))
        check_size(self, "y", rows.y)
        if problem := loss.loss.problem_with(rows.y):
            raise DataError(f"{type(self).__name__}: {problem}; the least y is {rows.y.min():g}.")
        if held is not None:
            held = held._replace(y=in_units(held.y, self._units))
            check_size(self, "y_val", held.y)
        return rows, held

    def _check_options(self) -> None:
        """Raise if a parameter would have no effect."""
        owner = type(self).__name__
        if self.n_iter_no_change is not None and not self._stage_loss().loss.has_value:
            raise ParameterError(
                f"{owner}: n_iter_no_change needs the values of the loss, and a function gives its "
                "derivatives only; give a loss of gramian.objectives, or n_iter_no_change=None."
            )
        if self.estimator is None:
            return
        usual = type(self)().get_params()
        for name in TREE_NAMES:
            if getattr(self, name) != usual[name]:
                raise ParameterError(
                    f"{owner}: {name} is a parameter of the trees of estimator=None; got "
                    f"estimator={type(self.estimator).__name__}. Set it there, if it has it."
                )

    def _loss_of(self, loss: StageLoss, rows: Rows, score: Floats, part: Any) -> float:
        if part is None:
            return loss.mean(rows.y, score, rows.weights)
        weights = None if rows.weights is None else rows.weights[part]
        if not part.any() or (weights is not None and not weights.any()):
            return float("nan")
        return loss.mean(rows.y[part], score[:, part], weights)

    def _drawn(self, n: int, number: int) -> npt.NDArray[np.bool_] | None:
        """Return which rows an iteration draws, None for all (Friedman 2002)."""
        if self.subsample >= 1:
            return None
        random = stream((self._seed + number) % 2**64, _ROWS)
        mask = np.zeros(n, dtype=bool)
        mask[random.choice(n, size=max(1, int(self.subsample * n)), replace=False)] = True
        return mask

    def _stops(self, best: Floats, lost: float, number: int) -> bool:
        """Note a held-out loss; return whether it improves on none of the last ones."""
        if self.n_iter_no_change is None:
            return False
        if not (lost + self.tol < best).any():
            return True
        best[number % len(best)] = lost
        return False

    def _check_warm_start(self, again: bool, first: int, loss: StageLoss) -> None:
        owner = type(self).__name__
        if self.n_estimators < first:
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be larger or equal to "
                f"estimators_.shape[0]={first} when warm_start==True."
            )
        if again and hasattr(self, "forests_") != (self.estimator is None):
            raise ParameterError(
                f"{owner}: warm_start adds learners of the same kind to those of the previous fit, "
                "but `estimator` has changed; set warm_start=False."
            )
        if again and self.n_trees_per_iteration_ != loss.n_scores:
            raise DataError(
                f"{owner}: warm_start adds trees to those of the previous fit, but the classes "
                "have changed; set warm_start=False."
            )

    def _reset(self) -> None:
        """Forget the scores of an earlier fit."""
        self.train_score_ = self.validation_score_ = np.empty(0)
        for name in ("oob_scores_", "oob_improvement_", "oob_score_", *_FITTED):
            self.__dict__.pop(name, None)
        if self.subsample < 1:
            self.oob_scores_ = self.oob_improvement_ = np.empty(0)
