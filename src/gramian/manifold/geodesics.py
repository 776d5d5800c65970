"""Distances along the edges of a graph."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from gramian import _native
from gramian.base.types import Floats


def geodesic_distances(graph: Any) -> Floats:
    """Return the lengths of the shortest paths between all vertices; infinity if there is none.

    By Dijkstra's algorithm from each vertex, on several threads and without the GIL.

    Parameters
    ----------
    graph
        CSR (n, n) of the lengths >= 0 of edges, which can be used in both directions. A
        stored 0 is an edge.

    Examples
    --------
    >>> path = sp.csr_array([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]])
    >>> geodesic_distances(path)
    array([[0., 1., 3.],
           [1., 0., 2.],
           [3., 2., 0.]])
    """
    edges = sp.coo_array(graph)
    n = edges.shape[0]
    origins = np.concatenate([edges.row, edges.col])
    order = np.argsort(origins, kind="stable")
    targets = np.concatenate([edges.col, edges.row])[order].astype(np.int32)
    lengths = np.concatenate([edges.data, edges.data])[order].astype(np.float64)
    offsets = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(origins, minlength=n), out=offsets[1:])
    out = np.empty((n, n))
    _native.shortest_paths(offsets, targets, lengths, out)
    return out
