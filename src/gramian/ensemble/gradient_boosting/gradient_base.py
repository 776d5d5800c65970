"""Gradient boosting of exact trees: what classification and regression have in common.

Scores z start at the best constant or at the predictions of a given model. Iteration m computes the
negative slopes r of the loss at z, grows a regression tree on them (one for each score), gives
every leaf its best step v (stage_loss.py) and adds eta v to the scores of its rows (Friedman 2001).
The columns are sorted once, for all trees.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.model_selection import train_test_split
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ModelFileError, ParameterError
from gramian.base.gate import check_fit, check_new
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Table, Weights
from gramian.base.weights import check_held_out, check_weights, unit_weights
from gramian.ensemble.common.boosted_scores import BoostedScores
from gramian.ensemble.common.sequence import MemberSequence
from gramian.ensemble.common.tree_sums import sum_of_scores, times
from gramian.ensemble.gradient_boosting.gradient_parameters import GradientParameters
from gramian.ensemble.gradient_boosting.initial_model import InitialModel
from gramian.ensemble.gradient_boosting.progress import Progress
from gramian.ensemble.gradient_boosting.stage_loss import Slopes, StageLoss
from gramian.ensemble.gradient_boosting.stage_trees import StageTrees, plain_tree
from gramian.tree.growth.grow import n_features_of
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree_sum import TreeSum

_ROWS = 6  # the stream of random numbers that draws rows
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


class GradientBoosting(GradientParameters, MemberSequence, CallbackSupportMixin, BoostedScores):
    """Boosting of exact trees; the subclasses provide the loss."""

    parametric: ClassVar[bool | None] = False

    forests_: list[Forest]
    train_score_: Floats
    validation_score_: Floats
    _initial: InitialModel
    _seed: int

    @property
    def takes_nan(self) -> bool:  # type: ignore[override]
        """Whether missing values are learned as they are, which an initial model may not."""
        return self._init_takes("allow_nan")

    @property
    def takes_sparse(self) -> bool:  # type: ignore[override]
        """Whether sparse rows stay sparse, which an initial model may not take."""
        return self._init_takes("sparse")

    def _init_takes(self, what: str) -> bool:
        if self.init is None or isinstance(self.init, str):
            return True
        return bool(getattr(get_tags(self.init).input_tags, what))

    @abstractmethod
    def _encode(self, y: npt.ArrayLike, n: int, weights: Weights | None) -> Floats:
        """Check training targets of n rows and encode them as numbers."""

    @abstractmethod
    def _encode_new(self, y: npt.ArrayLike, n: int) -> Floats:
        """Check and encode targets of validation rows."""

    @abstractmethod
    def _stage_loss(self) -> StageLoss:
        """Return the loss."""

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
            The rows; missing values are allowed in arrays.
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
        table = check_fit(self, X)
        n = table.shape[0]
        weights = unit_weights(check_weights(self, sample_weight, n))
        rows = Rows(table, self._encode(y, n, weights), weights)
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
        table = check_new(self, X_val)
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
        X, y, weights = rows
        loss = self._stage_loss()
        again = bool(self.warm_start and hasattr(self, "forests_"))
        first = len(self.forests_[0]) if again else 0
        self._check_warm_start(again, first, loss)
        if not again:
            self._seed = seed_of(self.random_state) % 2**63
            self._initial = InitialModel.of(self, loss.loss, rows)
            self._reset()
        score = self._scores(X) if again else self._initial.scores(X, loss.loss)
        score_val = None
        if held is not None:
            score_val = self._scores(held.X) if again else self._initial.scores(held.X, loss.loss)
        if again and self.subsample < 1 and not hasattr(self, "oob_scores_"):
            self.oob_scores_ = self.oob_improvement_ = np.zeros(first)
        self.max_features_ = n_features_of(self.max_features, X.shape[1])
        trees = StageTrees(self, X, loss.n_scores, self.forests_ if again else None)
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
            self._iterate(loss, trees, rows, drawn, score, number, held, score_val)
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
                self.forests_ = trees.forests(copy=True)
                stop = bool(monitor(number, self, locals()))
            if held is not None and score_val is not None:
                lost = loss.mean(held.y, score_val, held.weights)
                self.validation_score_ = np.append(self.validation_score_, lost)
                stop |= self._stops(best, lost, number)
            if task.iteration(lambda: {"forests_": trees.forests(copy=True)}) or stop:
                break
        self.forests_ = trees.forests(copy=False)
        task.done(lambda: {"forests_": self.forests_})

    def _iterate(
        self,
        loss: StageLoss,
        trees: StageTrees,
        rows: Rows,
        drawn: npt.NDArray[np.bool_] | None,
        score: Floats,
        number: int,
        held: Rows | None,
        score_val: Floats | None,
    ) -> None:
        """Grow a tree for each score and take its steps, in place."""
        y, weights = rows.y, rows.weights
        part: Any = slice(None) if drawn is None else drawn
        loss.prepare(y[part], score[:, part], None if weights is None else weights[part])
        slopes = loss.slopes(y, score)
        own = weights
        if drawn is not None:
            own = drawn.astype(np.float64) if weights is None else weights * drawn
        counted = None if weights is None else weights[part]
        for k in range(loss.n_scores):
            down, curvature = slopes.down[k], slopes.curvature[k]
            tree, leaf = trees.grow(down, own, number * loss.n_scores + k)
            values = None
            if loss.loss.policy != "squared":
                there = Slopes(down[part], curvature[part])
                residual = (y - score[k])[part]
                values = loss.steps(leaf[part], tree.node_count, there, residual, counted)
            tree = trees.keep(k, tree, values)
            score[k] += self.learning_rate * tree.value[leaf, 0, 0]
            if held is not None and score_val is not None:
                score_val[k] += self.learning_rate * tree.value[tree.apply(held.X), 0, 0]

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
        if again and len(self.forests_) != loss.n_scores:
            raise DataError(
                f"{owner}: warm_start adds trees to those of the previous fit, but the classes "
                "have changed; set warm_start=False."
            )

    def _reset(self) -> None:
        """Forget the scores of an earlier fit."""
        self.train_score_ = self.validation_score_ = np.empty(0)
        for name in ("oob_scores_", "oob_improvement_", "oob_score_", "forests_"):
            self.__dict__.pop(name, None)
        if self.subsample < 1:
            self.oob_scores_ = self.oob_improvement_ = np.empty(0)

    # --- the fitted model ---------------------------------------------------------------------

    @property
    def n_estimators_(self) -> int:
        """Number of iterations."""
        return len(self.forests_[0])

    @property
    def n_trees_per_iteration_(self) -> int:
        """Number of trees in an iteration, one for each score."""
        return len(self.forests_)

    @property
    def init_(self) -> Any:
        """The initial model."""
        check_is_fitted(self)
        return self._initial.estimator(self)

    @property
    def estimators_(self) -> npt.NDArray[Any]:
        """The trees as estimators, created on access."""
        if not hasattr(self, "forests_"):
            raise AttributeError(f"{type(self).__name__}: estimators_ exists once it is fitted.")
        found = np.empty((self.n_estimators_, len(self.forests_)), dtype=object)
        for k, forest in enumerate(self.forests_):
            for t in range(len(forest)):
                tree = plain_tree(self)
                tree.n_features_in_, tree.n_outputs_, tree._single = self.n_features_in_, 1, False
                tree._categories = [None] * self.n_features_in_
                tree.max_features_, tree.tree_ = self.max_features_, forest[t]
                found[t, k] = tree
        return found

    @property
    def feature_importances_(self) -> Floats:
        """Each feature's fraction of the decrease of the squared error, over all trees."""
        check_is_fitted(self)
        gains = np.sum([forest.gains() for forest in self.forests_], axis=0)
        total = gains.sum()
        return np.asarray(gains / total if total > 0 else gains)

    def apply(self, X: Table) -> Floats:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : array or CSR of shape (m, d)
            The rows.

        Returns
        -------
        leaves : array of shape (m, n_estimators_, n_trees_per_iteration_), (m, n_estimators_) for
            regression
        """
        table = self._table(X)
        leaves = np.stack([f.apply(table) for f in self.forests_], axis=2).astype(np.float64)
        return leaves if is_classifier(self) else leaves[:, :, 0]

    def _table(self, X: Any) -> Data:
        check_is_fitted(self)
        return check_new(self, X)

    def _scores(self, table: Data) -> Floats:
        score = self._initial.scores(table, self._loss())
        for k, forest in enumerate(self.forests_):
            score[k] += self.learning_rate * len(forest) * forest.mean(table)[:, 0, 0]
        return score

    def _staged_scores(self, table: Data) -> Iterator[Floats]:
        """Yield the scores after each iteration, of shape (n_scores, m)."""
        score = self._initial.scores(table, self._loss())
        leaves = [forest.apply(table) for forest in self.forests_]
        for t in range(self.n_estimators_):
            score = score.copy()
            for k, forest in enumerate(self.forests_):
                values = forest.nodes["value"][forest.roots[t] + leaves[k][:, t], 0, 0]
                score[k] += self.learning_rate * values
            yield score

    def _tree_sum(self) -> TreeSum:
        """Return the model as a sum of trees, for `gramian.to_onnx`."""
        pairs = zip(*self.forests_, strict=True)
        trees = [times(tree, self.learning_rate) for stage in pairs for tree in stage]
        return sum_of_scores(self._loss(), self._initial.constant(type(self).__name__), trees)

    def _check_loaded(self) -> None:
        owner = type(self).__name__
        n_scores = self._stage_loss().n_scores
        lengths = {len(forest) for forest in self.forests_}
        if len(self.forests_) != n_scores or len(lengths) != 1 or 0 in lengths:
            raise ModelFileError(f"{owner}: forests_ must hold {n_scores} forests of one length.")
        for forest in self.forests_:
            if forest.nodes["value"].shape[1:] != (1, 1):
                raise ModelFileError(f"{owner}: the trees must have one value per node.")
            if len(forest.nodes["levels"]) != self.n_features_in_ or forest.nodes["levels"].any():
                raise ModelFileError(
                    f"{owner}: the trees must split {self.n_features_in_} numbers."
                )
        if self._initial.start is not None and self._initial.start.shape != (n_scores,):
            raise ModelFileError(f"{owner}: there must be an initial score for each of {n_scores}.")
