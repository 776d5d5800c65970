r"""The ROC curve: hit rate against false-alarm rate at every threshold.

A row is predicted positive if its score is at least the threshold; as the threshold falls from
above the largest score to the smallest one, the point moves from (0, 0) to (1, 1). Random scores
give the diagonal. Reference: Fawcett, Pattern Recognition Letters 27, 2006.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import precision_recall_curve, roc_curve

from gramian.base.types import Floats
from gramian.evaluate.curves.binary_targets import check_scores, positives
from gramian.evaluate.curves.delong import Area, area_of


@dataclass(frozen=True, eq=False)
class RocPoints:
    """Points of a ROC curve, from (0, 0) to (1, 1).

    Attributes
    ----------
    false_alarms, hits
        FPR and TPR at each threshold.
    thresholds
        Descending; the first is infinite, where no row is predicted positive.
    area
        Area under the curve with its interval, see `auc_interval`.
    prevalence
        Proportion of positive rows.
    """

    false_alarms: Floats
    hits: Floats
    thresholds: Floats
    area: Area
    prevalence: float


@dataclass(frozen=True, eq=False)
class PrecisionRecallPoints:
    """Precision and recall at each threshold, in ascending order of threshold.

    Attributes
    ----------
    precision, recall
        Values at each threshold; at the last point (1, 0) no row is predicted positive.
    thresholds
        Ascending; one fewer than the points.
    average_precision
        Mean of the precision, weighted by the steps of the recall.
    """

    precision: Floats
    recall: Floats
    thresholds: Floats
    average_precision: float


def roc_points(
    y_true: ArrayLike, score: ArrayLike, *, positive: Any = None, confidence: float = 0.95
) -> RocPoints:
    """Return the ROC curve at every threshold, and its area with an interval.

    Parameters
    ----------
    y_true
        Labels of two classes, shape (n,).
    score
        Scores, higher for rows more likely to be positive, shape (n,).
    positive
        The positive class; None uses the larger of the two labels.
    confidence
        Confidence level of the interval of the area.

    Returns
    -------
    RocPoints
        One point for each distinct score, and (0, 0).

    Examples
    --------
    >>> roc = roc_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> roc.false_alarms
    array([0. , 0. , 0. , 0.5, 0.5, 1. ])
    >>> roc.thresholds
    array([inf, 0.9, 0.8, 0.7, 0.6, 0.5])
    """
    truth = positives("roc_points", y_true, positive)
    values = check_scores("roc_points", score, len(truth))
    false_alarms, hits, thresholds = roc_curve(truth, values, drop_intermediate=False)
    area = area_of(truth, values, confidence, "logit")
    return RocPoints(false_alarms, hits, thresholds, area, float(truth.mean()))


def precision_recall_points(
    y_true: ArrayLike, score: ArrayLike, *, positive: Any = None
) -> PrecisionRecallPoints:
    """Return precision and recall at every threshold.

    Parameters
    ----------
    y_true, score, positive
        As for `roc_points`.

    Returns
    -------
    PrecisionRecallPoints
        One point for each distinct score, and the end (1, 0).

    Examples
    --------
    >>> found = precision_recall_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> found.precision.round(2)
    array([0.6 , 0.75, 0.67, 1.  , 1.  , 1.  ])
    >>> round(found.average_precision, 4)
    0.9167
    """
    truth = positives("precision_recall_points", y_true, positive)
    values = check_scores("precision_recall_points", score, len(truth))
    precision, recall, thresholds = precision_recall_curve(truth, values)
    average = float(-np.sum(np.diff(recall) * precision[:-1]))
    return PrecisionRecallPoints(precision, recall, thresholds, average)
