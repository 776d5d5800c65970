r"""Area under the ROC curve with DeLong's variance.

The area is the chance that a positive row scores above a negative one, ties counting half:

    A = 1/(m n) sum_i sum_j psi(x_i, y_j),   psi = 1, 1/2 or 0 as x_i >, =, < y_j.

With the structural components V_i = mean_j psi(x_i, y_j) and W_j = mean_i psi(x_i, y_j),

    var A = var(V) / m + var(W) / n.

Both come from ranks, in O((m + n) log(m + n)). References: DeLong, DeLong and Clarke-Pearson,
Biometrics 44, 1988; ranks: Sun and Xu, IEEE Signal Processing Letters 21, 2014.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gramian.base.errors import ParameterError
from gramian.evaluate.binary import Truth, positives, scores_of

Floats = NDArray[np.float64]


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
    y_true: ArrayLike, score: ArrayLike, *, positive: Any = None, confidence: float = 0.95
) -> Area:
    """Return the area under the ROC curve with DeLong's interval, cut at 0 and 1.

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

    Returns
    -------
    Area
        The area, its standard error and interval.

    Examples
    --------
    >>> area = auc_interval([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> round(area.auc, 4), round(area.low, 3), area.high
    (0.8333, 0.371, 1.0)
    """
    truth = positives("auc_interval", y_true, positive)
    values = scores_of("auc_interval", score, len(truth))
    return area_of(truth, values, confidence)


def area_of(truth: Truth, score: Floats, confidence: float) -> Area:
    """Return the area of checked truth and scores."""
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
    return Area(auc, error, max(auc - reach, 0.0), min(auc + reach, 1.0), confidence)


def structural_components(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return, for every score, the share of the other class that it is above (V) or below (W)."""
    m, n = len(x), len(y)
    ranks = stats.rankdata(np.concatenate([x, y]))
    V = (ranks[:m] - stats.rankdata(x)) / n
    W = 1 - (ranks[m:] - stats.rankdata(y)) / m
    return V, W
