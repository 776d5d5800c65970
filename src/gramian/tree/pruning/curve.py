"""What pruning gives back."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats


@dataclass(frozen=True, eq=False)
class PruningCurve:
    """Errors of the trees met on the way from the grown one to the root alone.

    Parameters
    ----------
    n_leaves : int array
        Leaves of each tree, falling.
    train_error : float array
        Share of the training weight that each tree gets wrong; the mean squared error for numbers.
    estimated_error : float array
        What the method takes for the error on new rows: held-out, cross-validated or pessimistic.
    chosen : int
        Which of the trees was taken.
    standard_error : float array or None
        Of the estimate, where it is known.
    alpha : float array or None
        The price of a leaf at which each tree is the cheapest, for cost-complexity.
    """

    n_leaves: npt.NDArray[np.intp]
    train_error: Floats
    estimated_error: Floats
    chosen: int
    standard_error: Floats | None = None
    alpha: Floats | None = None


class Pruned(NamedTuple):
    """A smaller tree and how it was chosen."""

    estimator: Any
    curve: PruningCurve
