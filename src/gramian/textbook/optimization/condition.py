"""The condition number of a Hessian, and its effect on gradient descent."""

from typing import NamedTuple

import numpy as np

from gramian.base.types import Floats
from gramian.objectives.problem import Problem


class Condition(NamedTuple):
    """The condition of a Hessian, and the convergence of gradient descent.

    Attributes
    ----------
    number
        kappa = largest / smallest; infinite if the smallest is not positive.
    largest, smallest
        The extreme eigenvalues of the Hessian.
    step_limit
        2 / largest: gradient descent with a fixed step at or above it does not converge.
    best_step
        2 / (largest + smallest), the fixed step of the fastest convergence.
    rate
        (kappa - 1) / (kappa + 1): with that step the error decreases by this factor per iteration.
    """

    number: float
    largest: float
    smallest: float
    step_limit: float
    best_step: float
    rate: float


def condition(problem: Problem, x: Floats | None = None) -> Condition:
    """Return the condition number of the Hessian at x, with the resulting step sizes and rate.

    Parameters
    ----------
    problem
        A problem with a Hessian.
    x
        The point; zeros by default.

    Examples
    --------
    >>> from gramian.objectives import Function
    >>> round_bowl = Function(lambda x: 2 * x[0] ** 2 + x[1] ** 2, size=2)
    >>> narrow_bowl = Function(lambda x: 10 * x[0] ** 2 + x[1] ** 2, size=2)
    >>> [round(condition(f).step_limit, 4) for f in (round_bowl, narrow_bowl)]
    [0.5, 0.1]
    >>> [round(condition(f).number, 4) for f in (round_bowl, narrow_bowl)]
    [2.0, 10.0]
    """
    values = np.linalg.eigvalsh(problem.hessian(problem.start(x)))
    smallest, largest = float(values[0]), float(values[-1])
    number = largest / smallest if smallest > 0 else float("inf")
    rate = (largest - smallest) / (largest + smallest) if smallest > 0 else 1.0
    return Condition(
        number, largest, smallest, 2 / largest, 2 / (largest + max(smallest, 0.0)), rate
    )
