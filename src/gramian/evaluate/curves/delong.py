r"""Area under the ROC curve with DeLong's variance.

The area is the chance that a positive row scores above a negative one, ties counting half:

    A = 1/(m n) sum_i sum_j psi(x_i, y_j),   psi = 1, 1/2 or 0 as x_i >, =, < y_j.

With the structural components V_i = mean_j psi(x_i, y_j) and W_j = mean_i psi(x_i, y_j),

    var A = var(V) / m + var(W) / n.

Both come from ranks, in O((m + n) log(m + n)). The interval A +- z sd(A) of the paper is too short
for few rows or areas near 1; on the scale of logit A = log(A / (1 - A)), where the deviation is
sd(A) / (A (1 - A)), it keeps its level (simulated in the tests) and never leaves (0, 1).

References: DeLong, DeLong and Clarke-Pearson, Biometrics 44, 1988; ranks: Sun and Xu, IEEE Signal
Processing Letters 21, 2014; logit: Qin and Hotilovac, Statistical Methods in Medical Research 17,
2008.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.evaluate.curves.binary_targets import Truth, positives, scores_of

Scale = Literal["logit", "area"]


@dataclass(frozen=True)
class Area:
    """Area under a ROC curve with its interval.

    Attributes
    ----------
    auc
        The area.
    standard_error
        Square root of DeLong's variance; NaN with one row of a class.
    low, high
        Ends of the interval; NaN with one row of a class.
    confidence
        Share of samples whose interval holds the truth, for many rows.
    """

    auc: float
    standard_error: float
    low: float
    high: float
    confidence: float


def auc_interval(
    y_true: ArrayLike,
    score: ArrayLike,
    *,
    positive: Any = None,
    confidence: float = 0.95,
    scale: Scale = "logit",
) -> Area:
    """Return the area under the ROC curve with an interval by DeLong's variance.

    Where the classes are separated without exception the variance is 0, and the normal interval
    would be a point. There the min(m, n) pairs that share no row are independent trials that all
    succeeded, and the interval is theirs, by Clopper and Pearson: wide, but true.

    Parameters
    ----------
    y_true
        Labels of two classes, shape (n,).
    score
        The greater, the more a row looks positive, shape (n,).
    positive
        The positive class; None is the greater label of two.
    confidence
        Share of samples whose interval should hold the truth.
    scale
        Where the interval is symmetric: ``"logit"``, or ``"area"`` for the interval of the paper,
        cut at 0 and 1. Simulated with normal scores, intervals of 95 % on the scale of the area
        held the truth in 95.3 % of samples with 100 + 100 rows and area 0.71, in 93.2 % with
        20 + 20 rows, and in 86.2 % with 15 + 15 rows and area 0.92; those by logit in 95.7, 95.4
        and 96.2 %.

    Returns
    -------
    Area
        The area, its standard error and interval.

    Examples
    --------
    >>> area = auc_interval([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> round(area.auc, 4), round(area.low, 3), round(area.high, 3)
    (0.8333, 0.152, 0.993)
    """
    truth = positives("auc_interval", y_true, positive)
    values = scores_of("auc_interval", score, len(truth))
    return area_of(truth, values, confidence, scale)


def area_of(truth: Truth, score: Floats, confidence: float, scale: Scale) -> Area:
    """Return the area of checked truth and scores."""
    if scale not in ("logit", "area"):
        raise ParameterError(f"auc_interval: scale must be one of 'logit', 'area'; got {scale!r}.")
    if not 0 < confidence < 1:
        raise ParameterError(
            f"auc_interval: confidence must be between 0 and 1, both excluded; got {confidence!r}."
        )
    V, W = structural_components(score[truth], score[~truth])
    auc = float(V.mean())
    m, n = len(V), len(W)
    if auc in (0.0, 1.0):
        reach = ((1 - confidence) / 2) ** (1 / min(m, n))
        low, high = (reach, 1.0) if auc == 1 else (0.0, 1 - reach)
        return Area(auc, 0.0, low, high, confidence)
    if min(m, n) == 1:
        return Area(auc, np.nan, np.nan, np.nan, confidence)
    error = float(np.sqrt(V.var(ddof=1) / m + W.var(ddof=1) / n))
    reach = float(stats.norm.isf((1 - confidence) / 2)) * error
    if scale == "area":
        return Area(auc, error, max(auc - reach, 0.0), min(auc + reach, 1.0), confidence)
    reach /= auc * (1 - auc)
    low, high = special.expit(special.logit(auc) + np.array([-reach, reach]))
    return Area(auc, error, float(low), float(high), confidence)


def structural_components(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return, for every score, the share of the other class that it is above (V) or below (W)."""
    m, n = len(x), len(y)
    ranks = stats.rankdata(np.concatenate([x, y]))
    V = (ranks[:m] - stats.rankdata(x)) / n
    W = 1 - (ranks[m:] - stats.rankdata(y)) / m
    return V, W
