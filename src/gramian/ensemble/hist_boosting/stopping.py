"""Early stopping by the scores of the iterations."""

from copy import copy
from typing import Any

import numpy as np
from sklearn.metrics import check_scoring

from gramian.base.kinds import Estimator
from gramian.base.scores import score_number
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss, deviance
from gramian.ensemble.hist_boosting.boosting_rows import Rows, take_rows


class StoppingScores:
    """The scores that early stopping monitors."""

    def __init__(
        self, model: Estimator, loss: BoostingLoss, rows: Rows, held_out: Rows | None
    ) -> None:
        self.model, self.loss, self.rows, self.held_out = model, loss, rows, held_out
        self.by_scorer = model.scoring != "loss"
        if self.by_scorer:
            self.scorer = check_scoring(model, model.scoring)
            if len(rows.y) > 10_000:  # scoring all rows would cost more than growing trees
                drawn = np.random.default_rng(model._seed).choice(len(rows.y), 10_000, False)
                self.rows = take_rows(rows, np.sort(drawn))

    def record(self, score: Floats, score_val: Floats | None) -> bool:
        """Record the scores of this iteration; return True if they no longer improve."""
        model = self.model
        model.train_score_ = np.append(model.train_score_, self._score(self.rows, score))
        if self.held_out is not None:
            validation_score = self._score(self.held_out, score_val)
            model.validation_score_ = np.append(model.validation_score_, validation_score)
        history = model.train_score_ if self.held_out is None else model.validation_score_
        patience = model.n_iter_no_change
        if len(history) <= patience:
            return False
        reference, recent = history[-patience - 1], history[-patience:]
        return bool(np.all(recent <= reference + model.tol))

    def _score(self, rows: Rows, score: Floats | None) -> float:
        if not self.by_scorer:
            assert score is not None
            return -deviance(self.loss, rows.y, score, rows.weights)
        labels = self.model._labels(rows.y)
        weights = {} if rows.weights is None else {"sample_weight": rows.weights}
        score = self.scorer(_model_for_checked_rows(self.model), rows.X, labels, **weights)
        return score_number(type(self.model).__name__, "scoring", score)


def _model_for_checked_rows(model: Estimator) -> Any:
    """Return a copy of the model for checked rows: categories are codes, columns have no names.

    It predicts in the units of the checked targets.
    """
    copied = copy(model)
    copied._exponent = 0
    copied._categories = [None] * len(model._categories)
    if hasattr(copied, "feature_names_in_"):
        del copied.feature_names_in_
    return copied
