"""The mean score of a model over splits, with an interval even if all scores are equal.

If all splits have the same score, as for a perfect model, Student's interval shrinks to a point,
which is too optimistic: 30 rows without an error are plausible with an error rate of 5%. For
accuracy, Wilson's interval on the distinct tested rows is used instead; other scores have no
interval.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gramian.base.types import Floats
from gramian.evaluate.hypothesis_tests.corrected_t import corrected_t_interval
from gramian.evaluate.intervals.proportion import wilson_interval
from gramian.evaluate.results import Interval
from gramian.evaluate.rounding import standard_deviation

Scoring = str | Callable[..., float] | None
# Prefixes of the names of scores between 0 and 1.
_BETWEEN_0_AND_1 = (
    "accuracy", "average_precision", "balanced_accuracy", "f1", "jaccard", "precision", "recall",
    "roc_auc", "top_k_accuracy",
)  # fmt: skip


def is_accuracy(scoring: Scoring, classify: bool) -> bool:
    """Return whether the score is accuracy."""
    return classify and (scoring is None or (isinstance(scoring, str) and scoring == "accuracy"))


def score_name(scoring: Any, classify: bool) -> str:
    """Return the name of the score."""
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
    """Return the mean score with its interval, clipped to the range of the score."""
    found = corrected_t_interval(scores, test_over_train=ratio, confidence=confidence)
    if standard_deviation(scores) == 0:
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
        return -np.inf, np.inf  # a user's function may have any range, regardless of its name
    name = score_name(scoring, classify)
    if name.startswith(_BETWEEN_0_AND_1):
        return 0.0, 1.0
    if name.startswith("neg_"):
        return -np.inf, 0.0
    return -np.inf, 1.0 if name in ("R squared", "r2", "explained_variance") else np.inf
