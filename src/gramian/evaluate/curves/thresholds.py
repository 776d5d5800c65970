r"""Choosing a point of a ROC curve: by costs, or with a limit on the false-alarm rate.

With prior pi of the positive class, cost a of a false alarm and b of a miss, the expected cost is

    (1 - pi) a FPR + pi b (1 - TPR),

smallest where TPR - c FPR is largest, c = (1 - pi) a / (pi b): the point touched by a line of slope
c. For calibrated probabilities that is the threshold a / (a + b) (Elkan, IJCAI 2001).
"""

from typing import NamedTuple

import numpy as np

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.evaluate.curves.roc import RocPoints


class OperatingPoint(NamedTuple):
    """A threshold and its rates on the data of the curve."""

    threshold: float  # predict positive if the score is at least this
    hit_rate: float
    false_alarm_rate: float
    expected_cost: float  # NaN if no costs were given


class CostPoints(NamedTuple):
    """Expected cost at every threshold."""

    thresholds: Floats
    costs: Floats


def expected_cost_points(
    roc: RocPoints, *, false_alarm: float, miss: float, prior: float | None = None
) -> CostPoints:
    """Return the expected cost per row at every threshold.

    Parameters
    ----------
    roc
        Points from `roc_points`, computed on held-out rows.
    false_alarm, miss
        Costs of predicting a negative row positive, and a positive row negative.
    prior
        Proportion of positive rows in deployment; None uses the proportion in the data.

    Returns
    -------
    CostPoints
        Thresholds as in `roc`, and costs.

    Examples
    --------
    >>> from gramian.evaluate import roc_points
    >>> roc = roc_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> expected_cost_points(roc, false_alarm=1, miss=5, prior=0.5).costs.round(2)
    array([2.5 , 1.67, 0.83, 1.08, 0.25, 0.5 ])
    """
    pi = roc.prevalence if prior is None else prior
    if not 0 < pi < 1:
        raise ParameterError(
            f"expected_cost_points: prior must be between 0 and 1, both excluded; got {pi!r}."
        )
    if not (false_alarm >= 0 and miss >= 0 and 0 < false_alarm + miss < np.inf):
        raise ParameterError(
            "expected_cost_points: false_alarm and miss must be finite costs >= 0, not both 0; "
            f"got {false_alarm!r} and {miss!r}."
        )
    costs = (1 - pi) * false_alarm * roc.false_alarms + pi * miss * (1 - roc.hits)
    return CostPoints(roc.thresholds, costs)


def threshold_for_costs(
    roc: RocPoints, *, false_alarm: float = 1.0, miss: float = 1.0, prior: float | None = None
) -> OperatingPoint:
    """Return the threshold with the smallest expected cost.

    Parameters
    ----------
    roc, false_alarm, miss, prior
        As for `expected_cost_points`.

    Returns
    -------
    OperatingPoint
        The best point; among ties, the one with the fewest false alarms.

    Examples
    --------
    >>> from gramian.evaluate import roc_points
    >>> roc = roc_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> threshold_for_costs(roc, miss=5).threshold
    0.6
    >>> threshold_for_costs(roc, false_alarm=5).threshold
    0.8
    """
    costs = expected_cost_points(roc, false_alarm=false_alarm, miss=miss, prior=prior).costs
    at = int(np.flatnonzero(costs <= costs.min() + 1e-12 * (false_alarm + miss))[0])
    return _point(roc, at, float(costs[at]))


def threshold_for_limit(roc: RocPoints, limit: float) -> OperatingPoint:
    """Return the threshold with the highest hit rate at a limited false-alarm rate.

    Parameters
    ----------
    roc
        Points from `roc_points`, computed on held-out rows.
    limit
        Maximum false-alarm rate.

    Returns
    -------
    OperatingPoint
        The best point; among ties, the one with the fewest false alarms.

    Examples
    --------
    >>> from gramian.evaluate import roc_points
    >>> roc = roc_points([1, 1, 1, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.5])
    >>> threshold_for_limit(roc, 0.1).hit_rate
    0.6666666666666666
    """
    if not 0 <= limit <= 1:
        raise ParameterError(
            f"threshold_for_limit: limit must be a rate from 0 to 1; got {limit!r}."
        )
    allowed = roc.false_alarms <= limit  # (0, 0) always is
    return _point(roc, int(np.argmax(np.where(allowed, roc.hits, -1.0))), float("nan"))


def _point(roc: RocPoints, at: int, cost: float) -> OperatingPoint:
    return OperatingPoint(
        float(roc.thresholds[at]), float(roc.hits[at]), float(roc.false_alarms[at]), cost
    )
