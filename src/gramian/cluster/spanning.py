"""Minimum spanning trees of rows."""

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Matrix


def spanning_tree(
    X: Matrix, core: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """Return the edges (row, row, length) of a minimum spanning tree of the rows.

    Lengths are Euclidean distances, or with `core` mutual reachability distances,
    max(core_i, core_j, distance).
    """
    edges = np.empty((len(X) - 1, 3))
    _native.rows_spanning_tree(X, np.empty(0) if core is None else core, edges)
    return edges
