"""One iteration of gradient boosting: fit a learner per score, find its steps, move the scores.

A learner h (one for each score) is fitted to the negative slopes, and the scores z move along it by
eta gamma h, gamma = argmin_gamma sum_i L(y_i, z_i + gamma h(x_i)) (Friedman 2001, algorithm 1). A
tree has one gamma per leaf instead (stage_loss.py), stored in its values.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from gramian.base.types import Data, Floats, Weights
from gramian.ensemble.gradient_boosting.stage_loss import Slopes, StageLoss
from gramian.tree.structure.tree import Tree

_MAX_STEP = 2.0**30


class Stages(ABC):
    """Fits the learners of each iteration to the rows of one table, and keeps them."""

    # Whether the learners are trees, which have one step per leaf.
    by_leaf: bool

    def __init__(self, model: Any, X: Data) -> None:
        self._model, self._X = model, X

    @abstractmethod
    def fit_learner(
        self,
        targets: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        number: int,
        score: int,
    ) -> Any:
        """Fit the learner of a score in iteration `number` to the rows drawn; None draws all."""

    @abstractmethod
    def tree_and_leaves(self, learner: Any) -> tuple[Tree, npt.NDArray[Any]]:
        """Return the tree of a learner, and the leaf of every row of X."""

    @abstractmethod
    def with_values(self, learner: Any, values: Floats) -> Any:
        """Return a tree learner with other node values."""

    @abstractmethod
    def predict(self, learner: Any, X: Data) -> Floats:
        """Return the predictions of a learner."""

    @abstractmethod
    def add(self, learners: Sequence[Any], step: float) -> None:
        """Add the learners of an iteration to the model."""

    @abstractmethod
    def fitted(self, *, copy: bool) -> dict[str, Any]:
        """Return the attributes fitted so far; if not copied, no more learners may be added."""

    def iterate(
        self,
        loss: StageLoss,
        y: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        score: Floats,
        number: int,
    ) -> Callable[[Data], Floats]:
        """Fit the learners of an iteration and add their steps to the scores, in place.

        Returns a function that computes the change of the scores of other rows.
        """
        rows: Any = slice(None) if drawn is None else drawn
        drawn_weights = None if weights is None else weights[rows]
        slopes = loss.slopes(y, score)
        learners, direction = [], np.empty_like(score)
        for k, down in enumerate(slopes.down):
            learner = self.fit_learner(down, weights, drawn, number, k)
            if self.by_leaf:
                tree, leaf = self.tree_and_leaves(learner)
                node_values = tree.value[:, 0, 0]
                if self._model.line_search:
                    drawn_slopes = Slopes(down[rows], slopes.curvature[k][rows])
                    residual = (y - score[k])[rows]
                    steps = loss.steps(
                        leaf[rows], tree.node_count, drawn_slopes, residual, drawn_weights
                    )
                    if steps is not None:
                        learner, node_values = self.with_values(learner, steps), steps
                direction[k] = node_values[leaf]
            else:
                direction[k] = self.predict(learner, self._X)
            learners.append(learner)
        gamma = 1.0
        if self._model.line_search and not self.by_leaf:
            gamma = line_minimum(loss, y[rows], drawn_weights, score[:, rows], direction[:, rows])
        step = self._model.learning_rate * gamma
        score += step * direction
        self.add(learners, step)
        return lambda X: step * np.stack([self.predict(learner, X) for learner in learners])


def line_minimum(
    loss: StageLoss, y: Floats, weights: Weights | None, score: Floats, direction: Floats
) -> float:
    """Return the gamma >= 0 that minimises the loss along the direction, where its slope is 0."""
    weighted = direction if weights is None else direction * weights

    def slope(gamma: float) -> float:
        with np.errstate(over="ignore"):  # infinite slopes far beyond the minimum
            return -float(np.sum(loss.slopes(y, score + gamma * direction).down * weighted))

    if slope(0.0) >= 0:
        return 0.0
    high = 1.0
    while slope(high) < 0:
        if high >= _MAX_STEP:  # the loss has no minimum: all rows are classified correctly
            return 1.0
        high *= 2
    while high > 1 / _MAX_STEP and slope(high / 2) > 0:  # slopes of size 1 and much smaller y
        high /= 2
    return float(brentq(slope, 0.0, high, xtol=1e-6 * min(high, 1.0)))
