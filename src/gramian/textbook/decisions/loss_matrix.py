"""Costs of decisions: one row per action, one column per true class."""

from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


class LossMatrix:
    """The cost of each action for each true class.

    ``costs[i, k]`` is the cost of action i if the true class is k. Actions need not be classes: a
    row of equal costs is a rejection. With class probabilities p, the risk of action i is sum_k
    costs[i, k] p_k.

    Parameters
    ----------
    costs
        Array of shape (actions, classes).

    Examples
    --------
    >>> costs = LossMatrix([[0, 10], [1, 0]])        # missing class 1 is ten times worse
    >>> costs.risk([[0.8, 0.2]])
    array([[2. , 0.8]])
    >>> costs.value(truth=[1, 0], action=[0, 0])
    array([10.,  0.])
    """

    def __init__(self, costs: npt.ArrayLike) -> None:
        self.costs = np.array(costs, dtype=float)
        if self.costs.ndim != 2 or self.costs.size == 0 or not np.isfinite(self.costs).all():
            raise DataError(
                "LossMatrix: costs must be finite numbers of shape (actions, classes); "
                f"got shape {self.costs.shape}."
            )

    @classmethod
    def symmetric(cls, classes: int, cost: float = 1.0) -> "LossMatrix":
        """Return the matrix with 0 for the correct class and `cost` for any other.

        Examples
        --------
        >>> LossMatrix.symmetric(2).costs
        array([[0., 1.],
               [1., 0.]])
        """
        return cls(cost * (1 - np.eye(classes)))

    def value(self, truth: Any, action: Any) -> Floats:
        """Return the cost of each action, given the indices of the true classes."""
        return np.asarray(self.costs[np.asarray(action), np.asarray(truth)])

    def risk(self, probabilities: npt.ArrayLike) -> Floats:
        """Return the expected cost of every action, shape (rows, actions)."""
        return np.asarray(np.asarray(probabilities, dtype=float) @ self.costs.T)
