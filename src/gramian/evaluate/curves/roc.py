r"""The ROC curve as points: hit rate against false-alarm rate at every threshold.

A row is called positive if its score is at least the threshold; as it falls from above the
greatest score to the least one, the point goes from (0, 0) to (1, 1). Scores that know nothing
give the diagonal. Reference: Fawcett, Pattern Recognition Letters 27, 2006.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import precision_recall_curve, roc_curve

from gramian.base.types import Floats
from gramian.evaluate.curves.binary_targets import positives, scores_of
from gramian.evaluate.curves.delong import Area, area_of


@dataclass(frozen=True, eq=False)
class RocPoints:
    """Points of a ROC curve, from (0, 0) to (1, 1).

    Attributes
    ----------
    false_alarms, hits
        FPR and TPR at each threshold.
    thresholds
        Falling; the first is infinite and calls nothing positive.
    area
        Area under the curve with its interval, see `auc_interval`.
    prevalence
        Share of positive rows.
    """

    false_alarms: Floats
    hits: Floats
    thresholds: Floats
    area: Area
    prevalence: float


@dataclass(frozen=True, eq=False)
class PrecisionRecallPoints:
    """Precision and recall at each threshold, in rising order of threshold.

    Attributes
    ----------
    precision, recall
        At each threshold; a last point (1, 0) calls nothing positive.
    thresholds
        Rising; one fewer than the points.
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
        The greater, the more a row looks positive, shape (n,).
    positive
        The positive class; None is the greater label of two.
    confidence
        Of the interval around the area.

    Returns
    -------
    RocPoints
        One point for each different score, and (0, 0).

    Examples
    --------
    >>> roc = roc_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> roc.false_alarms
    array([0. , 0. , 0. , 0.5, 0.5, 1. ])
    >>> roc.thresholds
    array([inf, 0.9, 0.8, 0.7, 0.6, 0.5])
    """
    truth = positives("roc_points", y_true, positive)
    values = scores_of("roc_points", score, len(truth))
    false_alarms, hits, thresholds = roc_curve(truth, values, drop_intermediate=False)
    area = area_of(truth, values, confidence, "logit")
    return RocPoints(false_alarms, hits, thresholds, area, float(truth.mean()))


def precision_recall_points(
    y_true: ArrayLike, score: ArrayLike, *, positive: Any = None
) -> PrecisionRecallPoints:
    """Return precision and recall at every threshold.

    Parameters
    ----------
    y_true
        Labels of two classes, shape (n,).
    score
        The greater, the more a row looks positive, shape (n,).
    positive
        The positive class; None is the greater label of two.

    Returns
    -------
    PrecisionRecallPoints
        One point for each different score, and the end (1, 0).

    Examples
    --------
    >>> found = precision_recall_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> found.precision.round(2)
    array([0.6 , 0.75, 0.67, 1.  , 1.  , 1.  ])
    >>> round(found.average_precision, 4)
    0.9167
    """
    truth = positives("precision_recall_points", y_true, positive)
    values = scores_of("precision_recall_points", score, len(truth))
    precision, recall, thresholds = precision_recall_curve(truth, values)
    average = float(-np.sum(np.diff(recall) * precision[:-1]))
    return PrecisionRecallPoints(precision, recall, thresholds, average)
