"""The result of pruning: a smaller tree and its pruning curve."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats


@dataclass(frozen=True, eq=False)
class PruningCurve:
    """Errors of the subtrees between the full tree and the root.

    Parameters
    ----------
    n_leaves : int array
        Number of leaves of each subtree, decreasing.
    train_error : float array
        Training error: the misclassified proportion of the weight, or the mean squared error.
    estimated_error : float array
        Estimated error on new rows: held-out, cross-validated or pessimistic.
    chosen : int
        Index of the subtree chosen.
    standard_error : float array or None
        Standard error of the estimate, if known.
    alpha : float array or None
        Smallest cost per leaf for which each subtree is optimal, for cost-complexity pruning.
    """

    n_leaves: npt.NDArray[np.intp]
    train_error: Floats
    estimated_error: Floats
    chosen: int
    standard_error: Floats | None = None
    alpha: Floats | None = None


class Pruned(NamedTuple):
    """A pruned estimator and its pruning curve."""

    estimator: Any
    curve: PruningCurve
