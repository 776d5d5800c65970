"""Cost functionals: from the losses L_1..L_n of the rows to one number.

A functional is defined by weights: its value is sum_i omega_i L_i, and sum_i omega_i dL_i is its
(sub)gradient. For the mean and the weighted sum they are fixed; for the maximum they put all
weight on a worst row (Danskin's theorem), so they change with the losses.
"""

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats


class Functional(ABC):
    """Combine the losses of the rows into one number."""

    fixed: ClassVar[bool] = True  # the weights do not depend on the losses

    @abstractmethod
    def weights(self, losses: Floats) -> Floats:
        """Return omega with value = sum_i omega_i losses_i; fixed ones depend on n only."""

    def value(self, losses: npt.ArrayLike) -> float:
        """Return the combined loss."""
        losses = np.asarray(losses, dtype=float)
        return float(self.weights(losses) @ losses)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Mean(Functional):
    """The mean loss, (1/n) sum_i L_i.

    Examples
    --------
    >>> Mean().value([1.0, 2.0, 6.0])
    3.0
    """

    def weights(self, losses: Floats) -> Floats:
        """Return 1/n for every row."""
        return np.full(len(losses), 1 / len(losses))


class WeightedSum(Functional):
    """The weighted sum, sum_i omega_i L_i.

    Parameters
    ----------
    omega
        One weight >= 0 per row, or one number for all (1 gives the plain sum).

    Examples
    --------
    >>> WeightedSum([1.0, 0.0, 2.0]).value([1.0, 2.0, 6.0]), WeightedSum(1.0).value([1.0, 2.0])
    (13.0, 3.0)
    """

    def __init__(self, omega: npt.ArrayLike = 1.0) -> None:
        self.omega = np.array(omega, dtype=float)
        least, most = self.omega.min(initial=0), self.omega.max(initial=0)
        if self.omega.ndim > 1 or not (least >= 0 and most < np.inf):  # nor is NaN >= 0
            raise DataError("WeightedSum: omega must be finite numbers >= 0, one per row.")

    def weights(self, losses: Floats) -> Floats:
        """Return omega."""
        if self.omega.ndim == 1 and len(self.omega) != len(losses):
            raise DataError(
                f"WeightedSum: omega must have one weight per row; got {len(self.omega)} weights "
                f"for {len(losses)} rows."
            )
        return self.omega if self.omega.ndim else np.full(len(losses), float(self.omega))


class Max(Functional):
    """The largest loss, max_i L_i.

    Nonsmooth if two rows share it; the first of them is used.

    Examples
    --------
    >>> Max().value([1.0, 2.0, 6.0])
    6.0
    """

    fixed = False

    def weights(self, losses: Floats) -> Floats:
        """Return 1 for the first worst row, 0 for the others."""
        omega = np.zeros(len(losses))
        omega[np.argmax(losses)] = 1.0
        return omega

    def value(self, losses: npt.ArrayLike) -> float:
        """Return the largest loss itself: a sum would make 0 * inf of other infinite losses."""
        return float(np.max(losses))
