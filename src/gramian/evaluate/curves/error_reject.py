"""The error-reject curve: error rate against the proportion of rejected rows.

Rejecting the rows whose largest posterior is below 1 - lambda is optimal for a reject option of
cost lambda. Each lambda gives a point: the proportion of rejected rows and the error rate among the
others. Reference: Chow, IEEE Trans.
Information Theory 16, 1970.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.decision.risk import check_probabilities


class ErrorRejectPoints(NamedTuple):
    """Points of an error-reject curve, from no rejected row to almost all rejected."""

    # lambda, descending; rows with 1 - max posterior <= lambda are accepted
    reject_costs: Floats
    rejected: Floats  # proportion of rejected rows
    errors: Floats  # error rate among the accepted rows


def error_reject_points(
    y_true: ArrayLike, proba: ArrayLike, classes: ArrayLike | None = None
) -> ErrorRejectPoints:
    """Return the error rate among accepted rows against the proportion of rejected rows.

    Parameters
    ----------
    y_true
        True classes, shape (n,).
    proba
        Posterior probabilities, shape (n, classes).
    classes
        Classes in the order of the columns; None uses the sorted labels of `y_true`.

    Returns
    -------
    ErrorRejectPoints
        One point for each distinct largest posterior.

    Examples
    --------
    >>> proba = [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.45, 0.55]]
    >>> found = error_reject_points([0, 1, 1, 1], proba)
    >>> found.rejected
    array([0.  , 0.25, 0.5 , 0.75])
    >>> found.errors
    array([0.25      , 0.33333333, 0.        , 0.        ])
    """
    labels, P = np.asarray(y_true), check_probabilities("error_reject_points", proba)
    names = np.unique(labels) if classes is None else np.asarray(classes)
    if labels.shape != (len(P),) or names.shape != (P.shape[1],):
        raise DataError(
            f"error_reject_points: proba of shape {P.shape} needs as many labels as rows and as "
            f"many classes as columns; got shapes {labels.shape} and {names.shape}. Pass "
            "classes if y_true lacks one."
        )
    risk = 1 - P.max(axis=1)
    wrong = names[P.argmax(axis=1)] != labels
    order = np.argsort(risk, kind="stable")
    last = np.flatnonzero(np.diff(risk[order], append=np.inf))  # last row of each group of equals
    answered = last + 1
    errors = np.cumsum(wrong[order])[last] / answered
    return ErrorRejectPoints(risk[order][last][::-1], 1 - answered[::-1] / len(P), errors[::-1])
