r"""Area under the ROC curve with DeLong's variance.

The area is the probability that a positive row scores above a negative one, ties counting half:

    A = 1/(m n) sum_i sum_j psi(x_i, y_j),   psi = 1, 1/2 or 0 as x_i >, =, < y_j.

With the structural components V_i = mean_j psi(x_i, y_j) and W_j = mean_i psi(x_i, y_j),

    var A = var(V) / m + var(W) / n.

Both come from ranks, in O((m + n) log(m + n)). The interval A +- z sd(A) of the paper is too short
for few rows or areas near 1; on the scale of logit A = log(A / (1 - A)), where the deviation is
sd(A) / (A (1 - A)), it keeps its level (simulated in the tests) and stays inside (0, 1).

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
from gramian.evaluate.curves.binary_targets import Truth, check_scores, positives

Scale = Literal["logit", "area"]


@dataclass(frozen=True)
class Area:
    """Area under a ROC curve with its confidence interval.

    Attributes
    ----------
    auc
        The area.
    standard_error
        Square root of DeLong's variance; NaN with one row of a class.
    low, high
        Limits of the interval; NaN with one row of a class.
    confidence
        Confidence level, for many rows.
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

    If the scores separate the classes perfectly, the variance is 0 and the normal interval would be
    a point. Then min(m, n) disjoint pairs of rows are independent trials that all succeeded, and
    the interval is that of Clopper and Pearson for them: wide, but valid.

    Parameters
    ----------
    y_true, score, positive
        As for `roc_points`.
    confidence
        Confidence level.
    scale
        Scale on which the interval is symmetric: ``"logit"``, or ``"area"`` for the interval of the
        paper, clipped at 0 and 1. Simulated with normal scores, 95% intervals on the scale of the
        area contained the truth in 95.3% of samples with 100 + 100 rows and area 0.71, in 93.2%
        with 20 + 20 rows, and in 86.2% with 15 + 15 rows and area 0.92; logit intervals in 95.7,
        95.4 and 96.2%.

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
    values = check_scores("auc_interval", score, len(truth))
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
        half_width = ((1 - confidence) / 2) ** (1 / min(m, n))
        low, high = (half_width, 1.0) if auc == 1 else (0.0, 1 - half_width)
        return Area(auc, 0.0, low, high, confidence)
    if min(m, n) == 1:
        return Area(auc, np.nan, np.nan, np.nan, confidence)
    error = float(np.sqrt(V.var(ddof=1) / m + W.var(ddof=1) / n))
    half_width = float(stats.norm.isf((1 - confidence) / 2)) * error
    if scale == "area":
        return Area(auc, error, max(auc - half_width, 0.0), min(auc + half_width, 1.0), confidence)
    half_width /= auc * (1 - auc)
    low, high = special.expit(special.logit(auc) + np.array([-half_width, half_width]))
    return Area(auc, error, float(low), float(high), confidence)


def structural_components(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the proportion of the other class that each score is above (V) or below (W)."""
    m, n = len(x), len(y)
    ranks = stats.rankdata(np.concatenate([x, y]))
    V = (ranks[:m] - stats.rankdata(x)) / n
    W = 1 - (ranks[m:] - stats.rankdata(y)) / m
    return V, W
