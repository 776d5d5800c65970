"""Minimum spanning trees of rows."""

import numpy as np
import numpy.typing as npt

from gramian import _native
from gramian.base.types import Matrix
from gramian.neighbors.structures.kdtree import build_tree

_FEW_FEATURES = 5  # features up to which a k-d tree of many rows is faster than all pairs
_MANY_ROWS = 2000
_LEAF_SIZE = 40


def spanning_tree(
    X: Matrix, core: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """Return the edges (row, row, length) of a minimum spanning tree of the rows.

    Lengths are Euclidean distances, or with `core` mutual reachability distances,
    max(core_i, core_j, distance).
    """
    edges = np.empty((len(X) - 1, 3))
    cores = np.empty(0) if core is None else core
    if X.shape[1] <= _FEW_FEATURES and len(X) >= _MANY_ROWS:
        _native.kdtree_spanning_tree((X, *build_tree(X, _LEAF_SIZE)), cores, edges)
    else:
        _native.rows_spanning_tree(X, cores, edges)
    return edges
