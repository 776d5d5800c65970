r"""The likelihood-ratio test between two states.

Action 1 has the smaller conditional risk if and only if

    P(x | w_1) / P(x | w_2)  >  Theta = P(w_2) / P(w_1) * (l_12 - l_22) / (l_21 - l_11),

with l_ik the cost of action i in state k. For independent observations the ratios multiply, so
their logarithms are summed and compared with log Theta. Reference: Duda, Hart and Stork, Pattern
Classification, 2001, section 2.2.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.decision.risk import check_costs, check_probabilities


class RatioTest(NamedTuple):
    """The result of a likelihood-ratio test."""

    log_ratio: float  # sum of log p(x | first) - log p(x | second)
    log_threshold: float
    chooses_first: bool


def likelihood_ratio_threshold(priors: ArrayLike, costs: ArrayLike | None = None) -> float:
    """Return Theta, the likelihood ratio above which the first action is better.

    Parameters
    ----------
    priors
        Probabilities of the two states.
    costs
        ``costs[i, k]`` is the cost of action i in state k, shape (2, 2); a mistake must cost more
        than the correct action. None means 1 for a mistake.

    Returns
    -------
    threshold
        Theta; infinite if the first state is impossible.

    Examples
    --------
    >>> round(likelihood_ratio_threshold([0.1, 0.9], [[0, 1], [5, 0]]), 12)
    1.8
    """
    owner = "likelihood_ratio_threshold"
    prior = check_probabilities(owner, np.atleast_2d(priors), name="priors")[0]
    table = check_costs(owner, 1.0 - np.eye(2) if costs is None else costs, len(prior))
    if table.shape != (2, 2):
        raise DataError(
            f"{owner}: there must be two states and two actions; got costs of shape {table.shape}. "
            "Use conditional_risk for more."
        )
    false_alarm, miss = table[0, 1] - table[1, 1], table[1, 0] - table[0, 0]
    if false_alarm <= 0 or miss <= 0:
        raise DataError(
            f"{owner}: a mistake must cost more than the correct action in each state; got costs "
            f"{table.tolist()!r}. Otherwise one action is always best."
        )
    if prior[0] == 0:
        return np.inf
    return float(prior[1] / prior[0] * false_alarm / miss)


def likelihood_ratio_test(
    observations: ArrayLike,
    first: Callable[[ArrayLike], ArrayLike],
    second: Callable[[ArrayLike], ArrayLike],
    *,
    priors: ArrayLike = (0.5, 0.5),
    costs: ArrayLike | None = None,
) -> RatioTest:
    """Decide between two known distributions from independent observations.

    Parameters
    ----------
    observations
        One or more independent observations of the same state.
    first, second
        Log densities of the two states, such as ``scipy.stats.norm(1).logpdf``.
    priors
        Probabilities of the two states.
    costs
        ``costs[i, k]`` is the cost of action i in state k, shape (2, 2). None means 1 for a
        mistake.

    Returns
    -------
    RatioTest
        The logarithms of ratio and threshold, and whether the first state is chosen.

    Examples
    --------
    >>> from scipy.stats import norm
    >>> likelihood_ratio_test([0.4, 0.9], norm(1).logpdf, norm(0).logpdf).chooses_first
    True
    >>> likelihood_ratio_test(
    ...     [0.4, 0.9], norm(1).logpdf, norm(0).logpdf, priors=[0.3, 0.7]
    ... ).chooses_first
    False
    """
    x = np.atleast_1d(np.asarray(observations))
    logs = [np.asarray(density(x), dtype=np.float64) for density in (first, second)]
    if np.isnan(logs).any() or len(x) == 0:
        raise DataError(
            "likelihood_ratio_test: every observation must have two log densities that are not "
            "NaN; check for observations outside the domain of the distributions."
        )
    if any(np.isneginf(logs[0]).ravel()) and any(np.isneginf(logs[1]).ravel()):
        raise DataError(
            "likelihood_ratio_test: the observations are impossible under both distributions."
        )
    threshold = likelihood_ratio_threshold(priors, costs)
    with np.errstate(divide="ignore"):
        log_threshold = float(np.log(threshold))
    log_ratio = float(logs[0].sum() - logs[1].sum())
    return RatioTest(log_ratio, log_threshold, log_ratio > log_threshold)
