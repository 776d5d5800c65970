"""Conditional means of a joint table: the best possible regression function."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


class ConditionalMean(NamedTuple):
    """E[Y | X = x] for each x, and the irreducible risk."""

    mean: Floats  # h(x) = E[Y | X = x]; NaN if P(X = x) = 0
    variance: Floats  # Var[Y | X = x]; NaN if P(X = x) = 0
    risk: float  # E (Y - h(X))^2 = E Var[Y | X]


def conditional_mean(joint: npt.ArrayLike, values: npt.ArrayLike) -> ConditionalMean:
    """Return the ideal regressor h(x) = E[Y | X = x] of a known joint distribution.

    Among all functions of x it minimises the expected squared error E (Y - h(X))^2; the remaining
    error, E Var[Y | X], is the noise of the problem.

    Parameters
    ----------
    joint
        P(X = x_i, Y = y_j), shape (values of X, values of Y). Counts are allowed: the table is
        divided by its sum.
    values
        The values y_j, shape (values of Y,).

    Returns
    -------
    ConditionalMean
        ``mean`` and ``variance``, shape (values of X,), and ``risk``.

    Examples
    --------
    >>> h = conditional_mean([[0.1, 0.3], [0.4, 0.2]], [0, 1])
    >>> h.mean
    array([0.75      , 0.33333333])
    """
    table, y = np.asarray(joint, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or y.shape != table.shape[1:]:
        raise DataError(
            "conditional_mean: joint must have one column for each of values; "
            f"got shapes {table.shape} and {y.shape}."
        )
    if not (np.isfinite(table).all() and (table >= 0).all() and table.any()):
        raise DataError(
            "conditional_mean: joint must contain probabilities or counts, none negative, not all "
            "zero."
        )
    table = table / table.sum()
    marginal: Floats = table.sum(axis=1)
    with np.errstate(invalid="ignore"):  # 0 / 0 where P(X = x) = 0
        conditional = table / marginal[:, None]  # P(Y = y | X = x)
    mean = conditional @ y
    variance: Floats = (conditional * (y - mean[:, None]) ** 2).sum(axis=1)
    possible = marginal > 0
    return ConditionalMean(mean, variance, float(marginal[possible] @ variance[possible]))
