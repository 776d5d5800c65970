"""The learners of boosting: any regressor, with the step of a line search in every iteration.

A learner h (one for each score) is fitted to the negative slopes, and the scores z move along it by
eta gamma h, gamma = argmin_gamma sum_i L(y_i, z_i + gamma h(x_i)) (Friedman 2001, algorithm 1). A
`DecisionTreeRegressor` has one gamma per leaf, see stage_loss.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights
from gramian.ensemble.common.members import fit_member, member_of
from gramian.ensemble.gradient_boosting.stage_loss import Slopes, StageLoss
from gramian.tree import DecisionTreeRegressor

_FARTHEST = 2.0**30


class StageLearners:
    """Fits copies of one learner to the rows of one table, and keeps them with their steps."""

    def __init__(self, model: Any, X: Data, *, again: bool) -> None:
        self._model, self._X = model, X
        self._members: list[list[Any]] = list(model._members) if again else []
        self._steps: list[float] = model._steps.tolist() if again else []

    def iterate(
        self,
        loss: StageLoss,
        y: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        score: Floats,
        number: int,
    ) -> Callable[[Data], Floats]:
        """Fit the learners of an iteration and take their step, in place.

        Returns the function that gives the change of the scores of other rows.
        """
        model, table = self._model, self._X
        part: Any = slice(None)
        if drawn is not None:
            part = np.flatnonzero(drawn)
            table = take(table, part)
        own = None if weights is None else weights[part]
        slopes = loss.slopes(y[part], score[:, part])
        by_leaf = model.line_search and type(model.estimator) is DecisionTreeRegressor
        members = []
        for k, down in enumerate(slopes.down):
            member = member_of(model.estimator, model._seed + number)
            fit_member(model, member, table, down, own)
            if by_leaf:
                there = Slopes(down, slopes.curvature[k])
                leaf, residual = member.apply(table), (y - score[k])[part]
                values = loss.steps(leaf, member.tree_.node_count, there, residual, own)
                if values is not None:
                    member.tree_ = replace(member.tree_, value=values[:, None, None])
            members.append(member)
        direction = predictions(members, self._X)
        gamma = 1.0
        if model.line_search and not by_leaf:
            gamma = line_minimum(loss, y[part], own, score[:, part], direction[:, part])
        step = model.learning_rate * gamma
        score += step * direction
        self._members.append(members)
        self._steps.append(step)
        return lambda rows: step * predictions(members, rows)

    def fitted(self, *, copy: bool) -> dict[str, Any]:
        """Return the fitted attributes of the model so far."""
        members = list(self._members) if copy else self._members
        return {"_members": members, "_steps": np.array(self._steps)}


def predictions(members: Sequence[Any], X: Data) -> Floats:
    """Return the predictions of an iteration's learners, of shape (n_scores, n)."""
    return np.stack([np.asarray(m.predict(X), dtype=np.float64) for m in members])


def line_minimum(
    loss: StageLoss, y: Floats, weights: Weights | None, score: Floats, direction: Floats
) -> float:
    """Return the gamma >= 0 that minimises the loss along the direction, where its slope is 0."""
    weighted = direction if weights is None else direction * weights

    def along(gamma: float) -> float:
        with np.errstate(over="ignore"):  # infinite slopes far beyond the minimum
            return -float(np.sum(loss.slopes(y, score + gamma * direction).down * weighted))

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
