"""Gradient boosting: base class of classifier and regressor.

Scores z start at the best constant or at the predictions of an initial model. Iteration m computes
the negative slopes r of the loss at z, grows a regression tree on them (one for each score), finds
every leaf's best step v (stage_loss.py) and adds eta v to the scores of its rows (Friedman 2001).
The columns are sorted once, for all trees (stage_trees.py). Any other learner can replace the
trees, with one step for all rows (stage_learners.py); the iteration is the same (stages.py).
"""

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.model_selection import train_test_split

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_fit, check_size
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import check_held_out, check_weights, unit_weights
from gramian.base.kinds import Estimator
from gramian.base.members import Members, takes
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.ensemble.common.boosting_loss import MAX_WEIGHT
from gramian.ensemble.common.input_checks import check_fit_rows
from gramian.ensemble.common.units import in_units, scale_exponent
from gramian.ensemble.gradient_boosting.fitted_stages import FittedStages
from gramian.ensemble.gradient_boosting.gradient_parameters import GradientParameters
from gramian.ensemble.gradient_boosting.initial_model import InitialModel
from gramian.ensemble.gradient_boosting.progress import Progress
from gramian.ensemble.gradient_boosting.stage_learners import StageLearners
from gramian.ensemble.gradient_boosting.stage_loss import StageLoss
from gramian.ensemble.gradient_boosting.stage_trees import TREE_NAMES, StageTrees
from gramian.tree.growth.grow import n_features_of

if TYPE_CHECKING:
    from gramian.ensemble.gradient_boosting.stages import Stages

_RANDOM_STREAM = 6  # random stream for drawing rows
_FITTED = ("forests_", "max_features_", "_members", "_steps")
Monitor = Callable[[int, Any, dict[str, Any]], bool]


class Rows(NamedTuple):
    """Checked rows, encoded targets, weights."""

    X: Data
    y: Floats
    weights: Weights | None

    def take(self, chosen: npt.NDArray[Any]) -> "Rows":
        """Return the selected rows."""
        weights = None if self.weights is None else self.weights[chosen]
        return Rows(take(self.X, chosen), self.y[chosen], weights)


class GradientBoosting(GradientParameters, FittedStages, CallbackSupportMixin, Members):
    """Boosting of exact trees or of any regressor; the subclasses provide the loss."""

    parametric: ClassVar[bool | None] = False

    train_score_: Floats
    validation_score_: Floats
    _seed: int

    def _learners(self) -> list[Estimator]:
        parameters = (self.init, self.estimator)
        return [
            learner for learner in parameters if not (learner is None or isinstance(learner, str))
        ]

    def _all_take(self, what: str) -> bool:
        own = self.estimator is not None or what != "categorical"  # the default trees support it
        return own and all(takes(learner, what) for learner in self._learners())

    @abstractmethod
    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None) -> Floats:
        """Check the targets of n training rows and encode them as numbers."""

    @abstractmethod
    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check and encode the targets of n validation rows."""

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
            The rows; missing values are allowed in dense arrays. Or what `estimator` supports.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; rows of weight 0 are ignored.
        monitor : function, optional
            Called after each iteration with its index, the model and the local variables of the
            loop; return True to stop.
        X_val, y_val : array of shape (m, d), array of shape (m,), optional
            Rows for early stopping, instead of a fraction of X.
        sample_weight_val : array of shape (m,), optional
            Weights of the validation rows.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit(self, X) if self.estimator is None else check_fit_rows(self, X)
        n = table.shape[0]
        weights = unit_weights(check_weights(self, sample_weight, n), MAX_WEIGHT)
        rows = Rows(table, self._encode(y, n, weights), weights)
        self._check_options()
        held_out = self._validation_rows(X_val, y_val, sample_weight_val)
        if held_out is None and self.n_iter_no_change is not None:
            rows, held_out = self._split_validation(rows)
        self._boost(rows, held_out, monitor)
        return self

    def _validation_rows(self, X_val: Any, y_val: Any, weights: Any) -> Rows | None:
        if not has_validation_rows(type(self).__name__, X_val, y_val, weights):
            return None
        table = self._checked_new(X_val, trees=self.estimator is None)
        n = table.shape[0]
        return Rows(table, self._encode_new(y_val, n), check_weights(self, weights, n))

    def _split_validation(self, rows: Rows) -> tuple[Rows, Rows]:
        """Hold out rows for early stopping, stratified by class."""
        labels = rows.y if is_classifier(self) else None
        try:
            kept, held_out = train_test_split(
                np.arange(len(rows.y)),
                random_state=seed_of(self.random_state) % 2**32,
                test_size=self.validation_fraction,
                stratify=labels,
            )
        except ValueError as error:
            raise DataError(
                f"{type(self).__name__}: cannot hold out rows for early stopping (n_samples="
                f"{len(rows.y)}, validation_fraction={self.validation_fraction}): {error} Pass "
                "X_val, change validation_fraction, or set n_iter_no_change=None."
            ) from None
        check_held_out(
            type(self).__name__, None if rows.weights is None else rows.weights[held_out]
        )
        if labels is not None and len(np.unique(labels[kept])) < len(np.unique(labels)):
            raise DataError(
                f"{type(self).__name__}: The training data after the early stopping split is "
                "missing some classes. Try using another random seed, or pass X_val."
            )
        return rows.take(kept), rows.take(held_out)

    def _boost(self, rows: Rows, held_out: Rows | None, monitor: Monitor | None) -> None:
        loss = self._stage_loss()
        continues = bool(self.warm_start and self._is_boosted)
        first = self.n_estimators_ if continues else 0
        self._check_warm_start(continues, first, loss)
        rows, held_out = self._prepare(loss, rows, held_out, continues=continues)
        X, y, weights = rows
        if not continues:
            self._seed = seed_of(self.random_state) % 2**63
            self._initial = InitialModel.of(self, loss.loss, rows)
            self._clear_scores()
        score = self._unit_scores(X) if continues else self._initial.scores(X, loss.loss)
        score_val = None
        if held_out is not None:
            score_val = (
                self._unit_scores(held_out.X)
                if continues
                else self._initial.scores(held_out.X, loss.loss)
            )
        if continues and self.subsample < 1 and not hasattr(self, "oob_scores_"):
            self.oob_scores_ = self.oob_improvement_ = np.zeros(first)
        stages: Stages
        if self.estimator is None:
            self.max_features_ = n_features_of(self.max_features, X.shape[1])
            stages = StageTrees(self, X, loss.n_scores, self.forests_ if continues else None)
        else:
            stages = StageLearners(self, X, continues=continues)
        has_subsample = self.subsample < 1
        progress = Progress(int(self.verbose), self.n_estimators, first, out_of_bag=has_subsample)
        task = Task.of(self, steps=self.n_estimators - first, X=X, y=y)
        best = np.full(min(self.n_iter_no_change or 1, self.n_estimators), np.inf)
        for number in range(first, self.n_estimators):
            in_sample = self._draw_rows(len(y), number)
            earlier_loss = 0.0
            if in_sample is not None:
                is_first = number == 0
                earlier_loss = (
                    self._mean_loss(loss, rows, score, ~in_sample)
                    if is_first
                    else self.oob_scores_[-1]
                )
            rows_drawn: Any = slice(None) if in_sample is None else in_sample
            loss.prepare(
                y[rows_drawn],
                score[:, rows_drawn],
                None if weights is None else weights[rows_drawn],
            )
            score_change = stages.iterate(loss, y, weights, in_sample, score, number)
            train_loss = self._mean_loss(loss, rows, score, in_sample)
            self.train_score_ = np.append(self.train_score_, train_loss)
            gain = 0.0
            if in_sample is not None:
                self.oob_score_ = self._mean_loss(loss, rows, score, ~in_sample)
                gain = earlier_loss - self.oob_score_
                self.oob_scores_ = np.append(self.oob_scores_, self.oob_score_)
                self.oob_improvement_ = np.append(self.oob_improvement_, gain)
            progress.report(number, train_loss, gain)
            stop = False
            if monitor is not None:
                self.__dict__.update(stages.fitted(copy=True))
                stop = bool(monitor(number, self, locals()))
            if held_out is not None and score_val is not None:
                score_val += score_change(held_out.X)
                held_out_loss = loss.mean(held_out.y, score_val, held_out.weights)
                self.validation_score_ = np.append(self.validation_score_, held_out_loss)
                stop |= self._should_stop(best, held_out_loss, number)
            if task.iteration(lambda: stages.fitted(copy=True)) or stop:
                break
        fitted = stages.fitted(copy=False)
        self.__dict__.update(fitted)
        task.done(lambda: fitted)

    def _prepare(
        self, loss: StageLoss, rows: Rows, held_out: Rows | None, *, continues: bool
    ) -> tuple[Rows, Rows | None]:
        """Check the targets against the loss and scale them to ordinary size."""
        if self.estimator is not None and rows.weights is not None and not rows.weights.all():
            rows = rows.take(np.flatnonzero(rows.weights))  # learners may count rows of weight 0
        if not continues:
            # Trees are grown in double precision, in the units of min_impurity_decrease.
            scaled = self.estimator is not None or loss.loss.log_homogeneous
            self._exponent = scale_exponent(rows.y, loss.loss) if scaled else 0
        rows = rows._replace(y=in_units(rows.y, self._units))
        check_size(self, "y", rows.y)
        if problem := loss.loss.problem_with(rows.y):
            raise DataError(
                f"{type(self).__name__}: {problem}; the smallest y is {rows.y.min():g}."
            )
        if held_out is not None:
            held_out = held_out._replace(y=in_units(held_out.y, self._units))
            check_size(self, "y_val", held_out.y)
        return rows, held_out

    def _check_options(self) -> None:
        """Raise if a parameter would have no effect."""
        owner = type(self).__name__
        if self.n_iter_no_change is not None and not self._stage_loss().loss.has_value:
            raise ParameterError(
                f"{owner}: n_iter_no_change needs a loss with values, but a function "
                "returns only its "
                "derivatives; use a loss of gramian.objectives, or n_iter_no_change=None."
            )
        if self.estimator is None:
            return
        defaults = type(self)().get_params()
        for name in TREE_NAMES:
            if getattr(self, name) != defaults[name]:
                raise ParameterError(
                    f"{owner}: {name} applies only to the trees of estimator=None; got estimator="
                    f"{type(self.estimator).__name__}. Set the parameter of that estimator instead."
                )

    def _mean_loss(self, loss: StageLoss, rows: Rows, score: Floats, rows_used: Any) -> float:
        if rows_used is None:
            return loss.mean(rows.y, score, rows.weights)
        weights = None if rows.weights is None else rows.weights[rows_used]
        if not rows_used.any() or (weights is not None and not weights.any()):
            return float("nan")
        return loss.mean(rows.y[rows_used], score[:, rows_used], weights)

    def _draw_rows(self, n: int, number: int) -> npt.NDArray[np.bool_] | None:
        """Return a mask of the rows drawn in an iteration; None for all (Friedman 2002)."""
        if self.subsample >= 1:
            return None
        random = stream((self._seed + number) % 2**64, _RANDOM_STREAM)
        mask = np.zeros(n, dtype=bool)
        mask[random.choice(n, size=max(1, int(self.subsample * n)), replace=False)] = True
        return mask

    def _should_stop(self, best: Floats, held_out_loss: float, number: int) -> bool:
        """Record a held-out loss; return whether it improves on none of the recent ones."""
        if self.n_iter_no_change is None:
            return False
        if not (held_out_loss + self.tol < best).any():
            return True
        best[number % len(best)] = held_out_loss
        return False

    def _check_warm_start(self, continues: bool, first: int, loss: StageLoss) -> None:
        owner = type(self).__name__
        if self.n_estimators < first:
            raise ParameterError(
                f"{owner}: n_estimators={self.n_estimators} must be larger or equal to "
                f"estimators_.shape[0]={first} when warm_start==True."
            )
        if continues and hasattr(self, "forests_") != (self.estimator is None):
            raise ParameterError(
                f"{owner}: warm_start adds learners of the same class to those of the "
                "previous fit, "
                "but `estimator` has changed; set warm_start=False."
            )
        if continues and self.n_trees_per_iteration_ != loss.n_scores:
            raise DataError(
                f"{owner}: warm_start adds trees to those of the previous fit, but the classes "
                "have changed; set warm_start=False."
            )

    def _clear_scores(self) -> None:
        """Delete the scores of an earlier fit."""
        self.train_score_ = self.validation_score_ = np.empty(0)
        for name in ("oob_scores_", "oob_improvement_", "oob_score_", *_FITTED):
            self.__dict__.pop(name, None)
        if self.subsample < 1:
            self.oob_scores_ = self.oob_improvement_ = np.empty(0)
