r"""Learners over a list of hypotheses: consistent, or with the smallest training error.

The training error of h is the fraction of rows with h(x) != y; its risk R(h) is the probability of
h(x) != y. A consistent learner returns any h whose training error is 0, if there is one.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Table

Hypothesis = Callable[[Any], npt.ArrayLike]


class Chosen(NamedTuple):
    """The hypothesis that a learner chose.

    Attributes
    ----------
    position
        Its position in the list; None if no hypothesis was found.
    hypothesis
        The hypothesis itself, or None.
    error
        Its training error; if none is consistent, the lowest training error.
    """

    position: int | None
    hypothesis: Hypothesis | None
    error: float


def empirical_error(hypothesis: Hypothesis, X: Table, y: npt.ArrayLike) -> float:
    """Return the fraction of rows that a hypothesis misclassifies.

    Parameters
    ----------
    hypothesis
        Function that returns a label for every row.
    X, y
        Rows and their labels.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0, 4.0])
    >>> empirical_error(lambda x: x > 1.5, x, [False, True, True, False])
    0.25
    """
    labels = np.asarray(y)
    predicted = np.asarray(hypothesis(X))
    if labels.ndim != 1 or predicted.shape != labels.shape or not len(labels):
        raise DataError(
            "empirical_error: y must be one-dimensional, with at least one row, and the hypothesis "
            f"must return as many labels; got shapes {labels.shape} and {predicted.shape}."
        )
    return float(np.mean(predicted != labels))


def consistent_hypothesis(hypotheses: Sequence[Hypothesis], X: Table, y: npt.ArrayLike) -> Chosen:
    """Return the first hypothesis without training errors, if any.

    Parameters
    ----------
    hypotheses
        Functions that return a label for every row.
    X, y
        Rows and their labels.

    Returns
    -------
    chosen
        A `Chosen`; its position is None if the class is not realisable on these rows.

    Examples
    --------
    >>> thresholds = [lambda x, t=t: x > t for t in (0.5, 1.5, 2.5)]
    >>> consistent_hypothesis(thresholds, np.array([1.0, 2.0]), [False, True]).position
    1
    >>> consistent_hypothesis(thresholds, np.array([1.0, 2.0]), [True, False])
    Chosen(position=None, hypothesis=None, error=0.5)
    """
    best = least_error_hypothesis(hypotheses, X, y)
    return best if best.error == 0 else Chosen(None, None, best.error)


def least_error_hypothesis(hypotheses: Sequence[Hypothesis], X: Table, y: npt.ArrayLike) -> Chosen:
    """Return the first hypothesis with the smallest training error.

    Parameters
    ----------
    hypotheses
        Functions that return a label for every row.
    X, y
        Rows and their labels.

    Examples
    --------
    >>> thresholds = [lambda x, t=t: x > t for t in (0.5, 1.5, 2.5)]
    >>> x = np.array([1.0, 2.0, 3.0])
    >>> least_error_hypothesis(thresholds, x, [False, False, True]).position
    2
    """
    if not hasattr(hypotheses, "__len__") or not len(hypotheses):
        raise DataError(
            "least_error_hypothesis: hypotheses must be a list of functions, at least one; got "
            f"{hypotheses!r}."
        )
    errors = [empirical_error(h, X, y) for h in hypotheses]
    index = int(np.argmin(errors))
    return Chosen(index, hypotheses[index], errors[index])
