r"""Empirical risk, and its minimiser in a list of hypotheses.

    R_n(h) = 1/n sum_i L(h(x_i), y_i),        h* = argmin_h R_n(h).

Reference: Vapnik, The Nature of Statistical Learning Theory, 2000, section 1.5.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats, Table

Loss = Callable[[NDArray[Any], NDArray[Any]], ArrayLike]


class LeastRisk(NamedTuple):
    """The hypothesis with the smallest empirical risk."""

    best: int  # index; the first among ties
    risks: Floats  # risks of all hypotheses


def zero_one(predicted: NDArray[Any], y: NDArray[Any]) -> Floats:
    """Return 1 for each wrong prediction and 0 for each correct one.

    Parameters
    ----------
    predicted, y
        Predictions and targets.

    Examples
    --------
    >>> zero_one(np.array([1, 2]), np.array([1, 3]))
    array([0., 1.])
    """
    return np.asarray(np.asarray(predicted) != np.asarray(y), dtype=np.float64)


def empirical_risk(predicted: ArrayLike, y: ArrayLike, loss: Loss = zero_one) -> float:
    """Return the mean loss.

    Parameters
    ----------
    predicted, y
        Predictions and targets, shape (n,).
    loss
        Function of predictions and targets that returns one number per row.

    Returns
    -------
    risk
        The mean loss.

    Examples
    --------
    >>> empirical_risk([1, 2, 3, 4], [1, 2, 3, 5])
    0.25
    >>> empirical_risk([1.0, 2.0], [1.0, 4.0], lambda h, y: (h - y) ** 2)
    2.0
    """
    guess, truth = np.asarray(predicted), np.asarray(y)
    losses = np.asarray(loss(guess, truth), dtype=np.float64)
    if truth.ndim != 1 or len(truth) == 0 or not guess.shape == truth.shape == losses.shape:
        raise DataError(
            "empirical_risk: predictions, targets and losses must have one entry per row; "
            f"got shapes {guess.shape}, {truth.shape} and {losses.shape}."
        )
    return float(losses.mean())


def least_empirical_risk(
    hypotheses: Sequence[Callable[[Any], ArrayLike]],
    X: Table,
    y: ArrayLike,
    loss: Loss = zero_one,
) -> LeastRisk:
    """Return the hypothesis with the smallest mean loss.

    Parameters
    ----------
    hypotheses
        Functions from rows to predictions, such as a model's ``predict``.
    X, y
        Rows and targets.
    loss
        Function of predictions and targets that returns one number per row.

    Returns
    -------
    LeastRisk
        Index of the best, and the risks of all.

    Examples
    --------
    >>> x, y = np.array([0.1, 0.4, 0.6, 0.9]), np.array([0, 0, 0, 1])
    >>> steps = [lambda x, t=t: x > t for t in (0.3, 0.5, 0.8)]
    >>> least_empirical_risk(steps, x, y)
    LeastRisk(best=2, risks=array([0.5 , 0.25, 0.  ]))
    """
    if not hypotheses:
        raise ParameterError("least_empirical_risk: pass at least one hypothesis.")
    risks = np.array([empirical_risk(h(X), y, loss) for h in hypotheses])
    return LeastRisk(int(risks.argmin()), risks)
