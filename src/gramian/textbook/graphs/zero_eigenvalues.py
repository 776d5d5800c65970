"""Connected components from the spectrum of the Laplacian."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from gramian.base.runtime.lapack import eigvalsh
from gramian.graph.graph import Graph


class ZeroEigenvalues(NamedTuple):
    """Number of eigenvalues 0 of L, and vectors that span their eigenspace."""

    n_zeros: int
    indicators: sp.csr_array


def zero_eigenvalues(graph: Graph, *, tol: float | None = None) -> ZeroEigenvalues:
    """Count the zero eigenvalues of L: the number of connected components.

    All eigenvalues are computed, which takes O(n^3); ``graph.components()`` finds the same number
    by graph search.

    Parameters
    ----------
    graph
        The graph.
    tol
        Eigenvalues up to tol times the largest count as 0; None means n times the machine epsilon.

    Returns
    -------
    zeros
        The count, and the indicator vectors of the components, shape (n, components).

    Examples
    --------
    >>> from gramian.graph import Graph
    >>> from gramian.textbook.graphs import zero_eigenvalues
    >>> zeros = zero_eigenvalues(Graph.from_edges([[0, 2], [1, 3]]))
    >>> zeros.n_zeros, zeros.indicators.toarray().tolist()
    (2, [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    """
    values = eigvalsh(graph.laplacian().toarray())
    relative = graph.n_vertices * np.finfo(np.float64).eps if tol is None else tol
    count = int((values <= relative * max(float(values[-1]), 0.0)).sum())
    parts, labels = graph.components()
    places = (np.arange(graph.n_vertices), labels)
    indicators = sp.csr_array((np.ones(graph.n_vertices), places), shape=(graph.n_vertices, parts))
    return ZeroEigenvalues(count, indicators)
