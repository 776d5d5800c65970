"""One iteration of AdaBoost: fit a stump to binned features, or fit any learner."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.inputs.targets import Codes
from gramian.base.randomness import stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Matrix, Weights
from gramian.ensemble.adaboost.decision_stump import DecisionStump, StumpSearch
from gramian.ensemble.common.members import fit_member, seeded_clone

_RANDOM_STREAM = 2  # random stream for resampling


class Iteration(NamedTuple):
    """The result of one iteration: a learner, and the training rows that it misclassifies."""

    learner: Any
    wrong: npt.NDArray[np.uint8]  # 1 for each misclassified row, else 0


class StumpIterations:
    """Iterations with stumps: features are binned once, an iteration is one pass over the codes."""

    def __init__(self, learner: DecisionStump, table: Matrix, codes: Codes, classes: Any) -> None:
        self.learner, self.classes, self.n_columns = learner, classes, table.shape[1]
        self.rows = StumpSearch(table, codes, len(classes), learner.criterion)

    def fit_learner(self, weights: Weights, number: int) -> Iteration:
        """Find the best stump for these weights."""
        del number
        split, on_left = self.rows.best(weights)
        stump = DecisionStump(criterion=self.learner.criterion)
        stump.classes_, stump.n_features_in_ = self.classes, self.n_columns
        stump._set(split)
        left, right = stump.value_.argmax(axis=1).tolist()
        return Iteration(stump, self.rows.wrong(on_left, left, right))


class LearnerIterations:
    """Iterations with any learner, by reweighting or by resampling."""

    def __init__(self, owner: Any, learner: Any, table: Data, codes: Codes, seed: int) -> None:
        self.owner, self.learner, self.table, self.seed = owner, learner, table, seed
        self.draws = owner.sampling == "draw"
        self.labels = owner.classes_[codes]

    def fit_learner(self, weights: Weights, number: int) -> Iteration:
        """Fit a copy of the learner with these weights, or to rows drawn in proportion to them."""
        model = seeded_clone(self.learner, self.seed + number)
        if self.draws:
            random = stream((self.seed + number) % 2**64, _RANDOM_STREAM)
            drawn = random.choice(len(weights), size=len(weights), p=weights)
            fit_member(self.owner, model, take(self.table, drawn), self.labels[drawn], None)
        else:
            fit_member(self.owner, model, self.table, self.labels, weights.copy())
        return Iteration(model, np.asarray(model.predict(self.table) != self.labels).view(np.uint8))
