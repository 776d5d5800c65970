r"""Weak and strong learners, and bounds for boosting weak learners.

A learner is weak with edge g if its accuracy is at least 1/2 + g on every distribution of weights,
strong if it reaches 1 - epsilon. AdaBoost with errors err_t has a training error of at most

    prod_t 2 sqrt(err_t (1 - err_t))  <=  exp(-2 sum_t g_t^2),        g_t = 1/2 - err_t,

which goes to 0 if all errors are at most mu < 1/2. Reference: Freund and Schapire, Journal of
Computer and System Sciences 55, 1997.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.evaluate import clopper_pearson_interval
from gramian.textbook.learning_theory.argument_checks import ceiling, check_between, check_count


class LearnerStrength(NamedTuple):
    """The strength of a learner, estimated on test rows.

    Attributes
    ----------
    strength
        ``"strong"``, ``"weak"`` or ``"neither"``.
    accuracy
        Proportion of correctly classified test rows.
    accuracy_lower_limit
        Lower confidence limit of the true accuracy, which determines the strength.
    """

    strength: Literal["strong", "weak", "neither"]
    accuracy: float
    accuracy_lower_limit: float


def learner_strength(
    errors: int, n: int, *, edge: float = 0.01, epsilon: float = 0.1, confidence: float = 0.95
) -> LearnerStrength:
    """Return whether a binary learner is weak or strong, from its errors on n test rows.

    Parameters
    ----------
    errors
        Number of misclassified test rows.
    n
        Number of test rows.
    edge
        A weak learner has an accuracy of at least 1/2 + edge.
    epsilon
        A strong learner has an accuracy of at least 1 - epsilon.
    confidence
        Confidence level of the lower limit of the accuracy.

    Examples
    --------
    >>> learner_strength(400, 1000).strength, learner_strength(50, 1000).strength
    ('weak', 'strong')
    """
    check_between("learner_strength", "edge", edge, 0.0, 0.5)
    check_between("learner_strength", "epsilon", epsilon, 0.0, 0.5)
    # The lower limit of the accuracy is 1 minus the upper limit of the error.
    interval = clopper_pearson_interval(errors, n, confidence=confidence, side="upper")
    sure = 1 - interval.high
    if sure >= 1 - epsilon:
        return LearnerStrength("strong", 1 - errors / n, sure)
    return LearnerStrength("weak" if sure >= 0.5 + edge else "neither", 1 - errors / n, sure)


def boosting_bound(errors: ArrayLike) -> Floats:
    """Return the bound on AdaBoost's training error after each round.

    Parameters
    ----------
    errors
        Weighted errors of the learners, err_t, as in ``estimator_errors_``.

    Examples
    --------
    >>> boosting_bound([0.25, 0.25]).round(6)
    array([0.866025, 0.75    ])
    """
    rates = np.asarray(errors, dtype=float)
    if rates.ndim != 1 or not ((rates >= 0) & (rates <= 1)).all():  # NaN fails too
        raise DataError("boosting_bound: errors must be a list of numbers between 0 and 1.")
    return np.asarray(np.cumprod(2 * np.sqrt(rates * (1 - rates))))


def boosting_rounds(error: float, n: int) -> int:
    """Return the number of rounds after which AdaBoost has no training error, by the bound.

    Parameters
    ----------
    error
        Upper bound on the weighted error of every learner, mu < 1/2; above 0.
    n
        Training rows: a bound below 1 / n means no error.

    Examples
    --------
    >>> boosting_rounds(0.25, 1000)
    49
    """
    check_between("boosting_rounds", "error", error, 0.0, 0.5)
    n = check_count("boosting_rounds", "n", n)
    # The square of 2 sqrt(mu (1 - mu)) is 1 - (1 - 2 mu)^2, which is accurate near 1/2.
    square = math.log(4 * error * (1 - error))
    rate = square if error < 0.25 else math.log1p(-((1 - 2 * error) ** 2))
    rounds = 2 * math.log(n) / -rate
    return max(1, ceiling(math.nextafter(rounds, math.inf) + 1e-9))
