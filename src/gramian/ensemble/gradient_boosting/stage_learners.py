"""The learners of boosting: copies of any regressor."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights
from gramian.ensemble.common.members import fit_member, seeded_clone
from gramian.ensemble.gradient_boosting.stages import Stages
from gramian.tree import DecisionTreeRegressor
from gramian.tree.structure.tree import Tree


class StageLearners(Stages):
    """Fits copies of one regressor, and keeps them with their steps."""

    def __init__(self, model: Any, X: Data, *, continues: bool) -> None:
        super().__init__(model, X)
        self.by_leaf = type(model.estimator) is DecisionTreeRegressor
        self._members: list[list[Any]] = list(model._members) if continues else []
        self._steps: list[float] = model._steps.tolist() if continues else []

    def fit_learner(
        self,
        targets: Floats,
        weights: Weights | None,
        drawn: npt.NDArray[np.bool_] | None,
        number: int,
        score: int,
    ) -> Any:
        """Fit a copy of the regressor; all scores of an iteration share its seed."""
        del score
        table = self._X
        if drawn is not None:
            rows = np.flatnonzero(drawn)
            table, targets = take(table, rows), targets[rows]
            weights = None if weights is None else weights[rows]
        member = seeded_clone(self._model.estimator, self._model._seed + number)
        return fit_member(self._model, member, table, targets, weights)

    def tree_and_leaves(self, learner: Any) -> tuple[Tree, npt.NDArray[Any]]:
        """Return the tree of a `DecisionTreeRegressor`, and the leaf of every row of X."""
        return learner.tree_, learner.apply(self._X)

    def with_values(self, learner: Any, values: Floats) -> Any:
        """Return the `DecisionTreeRegressor` with other node values."""
        learner.tree_ = replace(learner.tree_, value=values[:, None, None])
        return learner

    def predict(self, learner: Any, X: Data) -> Floats:
        """Return the predictions of a regressor."""
        return np.asarray(learner.predict(X), dtype=np.float64)

    def add(self, learners: Sequence[Any], step: float) -> None:
        """Add the regressors of an iteration and their step."""
        self._members.append(list(learners))
        self._steps.append(step)

    def fitted(self, *, copy: bool) -> dict[str, Any]:
        """Return the fitted attributes of the model so far."""
        members = list(self._members) if copy else self._members
        return {"_members": members, "_steps": np.array(self._steps)}


def predictions(members: Sequence[Any], X: Data) -> Floats:
    """Return the predictions of an iteration's learners, of shape (n_scores, n)."""
    return np.stack([np.asarray(m.predict(X), dtype=np.float64) for m in members])
