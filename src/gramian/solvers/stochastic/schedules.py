"""Learning rates that fall with time: epsilon_t for the update t = 1, 2, ...

Pass one as the `step` of a solver; any function of t is allowed. The sum of a 1/t-like schedule
diverges and the sum of its squares converges, the condition of Robbins and Monro (1951).
"""

import math
from dataclasses import dataclass

from gramian.base.fields import Count, Fraction, Positive, check_params


@dataclass(frozen=True)
class InverseTime:
    """epsilon_t = step / (1 + (t - 1) / half): half the first rate after `half` updates.

    Examples
    --------
    >>> InverseTime(1.0, half=10)(11)
    0.5
    """

    step: Positive
    half: Positive = 1.0

    def __post_init__(self) -> None:
        check_params(self)

    def __call__(self, t: int) -> float:
        """Return the rate of update t."""
        return self.step / (1 + (t - 1) / self.half)


@dataclass(frozen=True)
class InverseRoot:
    """epsilon_t = step / sqrt(t), the rate of the subgradient method.

    Examples
    --------
    >>> InverseRoot(1.0)(4)
    0.5
    """

    step: Positive

    def __post_init__(self) -> None:
        check_params(self)

    def __call__(self, t: int) -> float:
        """Return the rate of update t."""
        return self.step / math.sqrt(t)


@dataclass(frozen=True)
class Staircase:
    """Piecewise constant decay, epsilon_t = step * factor^floor((t - 1) / every).

    ``every=1`` is exponential decay.

    Examples
    --------
    >>> [Staircase(1.0, every=2, factor=0.1)(t) for t in (1, 2, 3)]
    [1.0, 1.0, 0.1]
    """

    step: Positive
    every: Count = 1
    factor: Fraction = 0.5

    def __post_init__(self) -> None:
        check_params(self)

    def __call__(self, t: int) -> float:
        """Return the rate of update t."""
        return self.step * float(self.factor ** ((t - 1) // self.every))
