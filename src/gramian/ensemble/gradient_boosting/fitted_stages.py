"""Fitted gradient boosting models: trees, or learners with their steps."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ModelFileError
from gramian.base.inputs.gate import check_new
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.boosted_scores import BoostedScores
from gramian.ensemble.common.input_checks import check_new_rows
from gramian.ensemble.common.sequence import MemberSequence
from gramian.ensemble.common.tree_sums import member_tree, scaled_tree, sum_of_scores
from gramian.ensemble.common.units import out_of_units, tree_out_of_units
from gramian.ensemble.gradient_boosting.initial_model import InitialModel
from gramian.ensemble.gradient_boosting.stage_learners import predictions
from gramian.ensemble.gradient_boosting.stage_trees import unfitted_tree
from gramian.tree.structure.forest import Forest
from gramian.tree.structure.tree_sum import TreeSum


class FittedStages(MemberSequence, BoostedScores):
    """A fitted model: the trees of each score, or the learners and steps of each iteration."""

    learning_rate: float
    max_features_: int
    forests_: list[Forest]
    _members: list[list[Any]]
    _steps: Floats
    _initial: InitialModel

    @property
    def _is_boosted(self) -> bool:
        return hasattr(self, "forests_") or hasattr(self, "_members")

    @property
    def n_estimators_(self) -> int:
        """Number of iterations."""
        return len(self._members) if hasattr(self, "_members") else len(self.forests_[0])

    @property
    def n_trees_per_iteration_(self) -> int:
        """Number of learners in an iteration: one per score."""
        return len(self._members[0]) if hasattr(self, "_members") else len(self.forests_)

    @property
    def steps_(self) -> Floats:
        """Step of each iteration: eta gamma, or eta if each leaf has its own gamma."""
        if hasattr(self, "_members"):
            return self._steps
        return np.full(self.n_estimators_, float(self.learning_rate))

    @property
    def init_(self) -> Any:
        """The initial model."""
        check_is_fitted(self)
        return self._initial.estimator(self)

    @property
    def estimators_(self) -> npt.NDArray[Any]:
        """The learners of each iteration; trees are created on access."""
        if not self._is_boosted:
            raise AttributeError(f"{type(self).__name__}: estimators_ is available after fit.")
        learners = np.empty((self.n_estimators_, self.n_trees_per_iteration_), dtype=object)
        if hasattr(self, "_members"):
            for index in np.ndindex(learners.shape):
                learners[index] = self._members[index[0]][index[1]]
            return learners
        for k, forest in enumerate(self.forests_):
            for t in range(len(forest)):
                tree = unfitted_tree(self)
                tree.n_features_in_, tree.n_outputs_, tree._single = self.n_features_in_, 1, False
                tree._categories = [None] * self.n_features_in_
                tree.max_features_, tree.tree_ = self.max_features_, forest[t]
                learners[t, k] = tree
        return learners

    @property
    def feature_importances_(self) -> Floats:
        """Fraction of the decrease of the squared error due to each feature, over all trees."""
        check_is_fitted(self)
        if hasattr(self, "_members"):
            raise AttributeError(
                f"{type(self).__name__}: feature_importances_ is available only for "
                "estimator=None; the "
                f"learner is {type(self._members[0][0]).__name__}."
            )
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
        leaves : array of shape (m, iterations, learners), or (m, iterations) for
            regression
        """
        table = self._table(X)
        if hasattr(self, "_members"):
            raise DataError(
                f"{type(self).__name__}: apply is available only for estimator=None; the "
                "learner is "
                f"{type(self._members[0][0]).__name__}. Call `apply` on the members of estimators_."
            )
        leaves = np.stack([f.apply(table) for f in self.forests_], axis=2).astype(np.float64)
        return leaves if is_classifier(self) else leaves[:, :, 0]

    def _table(self, X: Table) -> Data:
        check_is_fitted(self)
        return self._checked_new(X, trees=hasattr(self, "forests_"))

    def _checked_new(self, X: Table, *, trees: bool) -> Data:
        return check_new(self, X) if trees else check_new_rows(self, X)

    def _scores(self, table: Data) -> Floats:
        return out_of_units(self._unit_scores(table), self._units, self._loss())

    def _unit_scores(self, table: Data) -> Floats:
        """Return the scores in the units used during fit."""
        score = self._initial.scores(table, self._loss())
        if hasattr(self, "_members"):
            for members, step in zip(self._members, self._steps, strict=True):
                score += step * predictions(members, table)
            return score
        for k, forest in enumerate(self.forests_):
            score[k] += self.learning_rate * len(forest) * forest.mean(table)[:, 0, 0]
        return score

    def _staged_scores(self, table: Data) -> Iterator[Floats]:
        """Yield the scores after each iteration, of shape (n_scores, m)."""
        loss = self._loss()
        score = self._initial.scores(table, loss)
        if hasattr(self, "_members"):
            for members, step in zip(self._members, self._steps, strict=True):
                score = score + step * predictions(members, table)
                yield out_of_units(score, self._units, loss)
            return
        leaves = [forest.apply(table) for forest in self.forests_]
        for t in range(self.n_estimators_):
            score = score.copy()
            for k, forest in enumerate(self.forests_):
                values = forest.nodes["value"][forest.roots[t] + leaves[k][:, t], 0, 0]
                score[k] += self.learning_rate * values
            yield out_of_units(score, self._units, loss)

    def _tree_sum(self) -> TreeSum:
        """Return the model as a sum of trees, for `gramian.to_onnx`."""
        scale, loss = self._units, self._loss()
        start = out_of_units(self._initial.constant(type(self).__name__), scale, loss)
        if hasattr(self, "_members"):
            pairs: Any = [[member_tree(m, self) for m in members] for members in self._members]
        else:
            pairs = zip(*self.forests_, strict=True)
        trees = [
            tree_out_of_units(scaled_tree(tree, step), scale, loss)
            for stage, step in zip(pairs, self.steps_, strict=True)
            for tree in stage
        ]
        return sum_of_scores(loss, start, trees)

    def _check_loaded(self) -> None:
        owner = type(self).__name__
        n_scores = self._loss().n_scores
        if self._initial.start is not None and self._initial.start.shape != (n_scores,):
            raise ModelFileError(f"{owner}: there must be {n_scores} initial scores.")
        if hasattr(self, "_members"):
            if self._steps.shape != (len(self._members),) or not self._members:
                raise ModelFileError(f"{owner}: each iteration must have learners and a step.")
            if any(len(members) != n_scores for members in self._members):
                raise ModelFileError(f"{owner}: each iteration must have {n_scores} learners.")
            return
        lengths = {len(forest) for forest in self.forests_}
        if len(self.forests_) != n_scores or len(lengths) != 1 or 0 in lengths:
            raise ModelFileError(
                f"{owner}: forests_ must contain {n_scores} forests of equal length."
            )
        for forest in self.forests_:
            if forest.nodes["value"].shape[1:] != (1, 1):
                raise ModelFileError(f"{owner}: the trees must have one value per node.")
            if len(forest.nodes["levels"]) != self.n_features_in_ or forest.nodes["levels"].any():
                raise ModelFileError(
                    f"{owner}: the trees must have {self.n_features_in_} numeric features."
                )
