"""Votes of pairs of classes, and scores of classes from them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Matrix

# Shape (pairs, 2): a positive score predicts the second class.
Pairs = np.ndarray[tuple[int, ...], np.dtype[np.intp]]


def count_votes(scores: Matrix, pairs: Pairs, n_classes: int) -> npt.NDArray[np.int_]:
    """Return the number of pairs that each class wins, shape (n, classes)."""
    won = np.zeros((len(scores), n_classes), dtype=int)
    for (i, j), g in zip(pairs, scores.T, strict=True):
        won[:, j] += g > 0
        won[:, i] += g <= 0
    return won


def votes_and_scores(scores: Matrix, pairs: Pairs, n_classes: int) -> Matrix:
    """Return votes plus a fraction that increases with the sum of scores, (n, classes)."""
    sums = np.zeros((len(scores), n_classes))
    for (i, j), g in zip(pairs, scores.T, strict=True):
        sums[:, j] += g
        sums[:, i] -= g
    votes = count_votes(scores, pairs, n_classes)
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)), dtype=scores.dtype)


def check_has_scores(owner: Any) -> None:
    """Raise if the estimator has neither scores nor probabilities."""
    scores = any(hasattr(owner.estimator, m) for m in ("decision_function", "predict_proba"))
    if hasattr(owner.estimator, "fit") and not scores:  # other objects fail in the parameter check
        raise DataError(
            f"{type(owner).__name__}: the estimator must have decision_function or predict_proba; "
            f"{type(owner.estimator).__name__} has neither."
        )


def second_class_score(classifier: Any, table: Any) -> Matrix:
    """Return the score of a two-class classifier, positive for its second class."""
    if hasattr(classifier, "decision_function"):
        return np.asarray(classifier.decision_function(table), dtype=float)
    return np.asarray(classifier.predict_proba(table)[:, 1] - 0.5, dtype=float)
