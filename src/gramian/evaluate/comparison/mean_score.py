"""The score of one model over splits, with an interval that equal scores do not make a point.

Splits that all have the same score, as those of a perfect model, have no spread, and Student's
interval shrinks to a point that promises what the rows cannot: 30 rows without an error are likely
enough with an error rate of 5 %. A share of right rows then has Wilson's interval on the distinct
rows that were tested; other scores have none.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gramian.base.types import Floats
from gramian.evaluate.hypothesis_tests.corrected_t import corrected_t_interval
from gramian.evaluate.intervals.proportion import wilson_interval
from gramian.evaluate.results import Interval, spread

Scoring = str | Callable[..., float] | None
# Scores between 0 and 1, by the beginnings of their names.
_SHARES = (
    "accuracy", "average_precision", "balanced_accuracy", "f1", "jaccard", "precision", "recall",
    "roc_auc", "top_k_accuracy",
)  # fmt: skip


def is_accuracy(scoring: Scoring, classify: bool) -> bool:
    """Whether the score is the share of rows whose class is right."""
    return classify and (scoring is None or (isinstance(scoring, str) and scoring == "accuracy"))


def score_name(scoring: Any, classify: bool) -> str:
    """Return what the score is called."""
    if scoring is None:
        return "accuracy" if classify else "R squared"
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", str(scoring))


def score_interval(
    scores: Floats,
    ratio: float,
    confidence: float,
    scoring: Scoring,
    classify: bool,
    tested_rows: int,
) -> Interval:
    """Return the mean score with its interval, cut to the values that the score can have."""
    found = corrected_t_interval(scores, test_over_train=ratio, confidence=confidence)
    if spread(scores) == 0:
        if not is_accuracy(scoring, classify):
            return replace(found, low=np.nan, high=np.nan)
        right = round(found.estimate * tested_rows)
        wilson = wilson_interval(right, tested_rows, confidence=confidence)
        return replace(
            found,
            low=min(found.estimate, wilson.low),
            high=max(found.estimate, wilson.high),
            method="mean score over splits, Wilson",
            assumes=wilson.assumes,
        )
    low, high = _range(scoring, classify)
    return replace(found, low=max(found.low, low), high=min(found.high, high))


def _range(scoring: Scoring, classify: bool) -> tuple[float, float]:
    if scoring is not None and not isinstance(scoring, str):
        return -np.inf, np.inf  # a function of one's own may have any range, whatever its name
    name = score_name(scoring, classify)
    if name.startswith(_SHARES):
        return 0.0, 1.0
    if name.startswith("neg_"):
        return -np.inf, 0.0
    return -np.inf, 1.0 if name in ("R squared", "r2", "explained_variance") else np.inf
