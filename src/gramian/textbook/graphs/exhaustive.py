"""Optimal cuts of small graphs by exhaustive search; the problems are NP-hard."""

from typing import Literal, NamedTuple

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.graph.graph import Graph, Labels

_MOST_VERTICES = 20  # 524 287 bipartitions
_BLOCK = 1 << 14

Objective = Literal["sparsity", "ratio", "bisection", "max_cut"]


class BestCut(NamedTuple):
    """An optimal bipartition and the value of its objective."""

    labels: Labels
    value: float


def best_cut(graph: Graph, objective: Objective = "sparsity") -> BestCut:
    """Find the optimal bipartition by exhaustive search over all 2^(n - 1) - 1.

    A reference for spectral cuts.

    Parameters
    ----------
    graph
        At most 20 vertices.
    objective
        "sparsity", the smallest weight divided by the product of the masses; "ratio", divided by
        the smaller mass (the Cheeger constant); "bisection", the smallest weight among the most
        balanced cuts; "max_cut", the largest weight.

    Returns
    -------
    best
        Labels, with vertex 0 in part 0, and the value.

    Examples
    --------
    >>> from gramian.graph import Graph
    >>> from gramian.textbook.graphs import best_cut
    >>> best_cut(Graph.from_edges([[0, 1], [1, 2], [2, 3]]), "ratio")
    BestCut(labels=array([0, 0, 1, 1], dtype=int32), value=0.5)
    """
    n = graph.n_vertices
    if objective not in ("sparsity", "ratio", "bisection", "max_cut"):
        raise ParameterError(
            "best_cut: objective must be one of 'sparsity', 'ratio', 'bisection', 'max_cut'; got "
            f"{objective!r}."
        )
    if not 2 <= n <= _MOST_VERTICES:
        raise DataError(
            "best_cut: the search is exhaustive, so the graph must have between 2 and "
            f"{_MOST_VERTICES} "
            f"vertices; got {n}. Use sweep_cut for more."
        )
    laplacian = graph.laplacian().toarray()
    best: tuple[float, float] = (np.inf, np.inf)
    code = 0
    for start in range(1, 1 << (n - 1), _BLOCK):
        codes = np.arange(start, min(start + _BLOCK, 1 << (n - 1)))
        inside = ((codes[:, None] >> np.arange(n - 1)) & 1).astype(np.float64)
        inside = np.hstack([np.zeros((len(codes), 1)), inside])  # vertex 0 is in part 0
        keys = _keys(inside, laplacian, graph.masses, objective)
        first = int(np.lexsort((keys[1], keys[0]))[0])
        found = float(keys[0][first]), float(keys[1][first])
        if found < best:
            best, code = found, int(codes[first])
    labels = np.append(0, (code >> np.arange(n - 1)) & 1).astype(np.int32)
    value = best[1] if objective == "bisection" else best[0]
    return BestCut(labels, -value if objective == "max_cut" else value)


def _keys(
    inside: Floats, laplacian: Floats, masses: Floats, objective: Objective
) -> tuple[Floats, Floats]:
    """Return the primary and secondary sort keys of each cut."""
    cuts: Floats = ((inside @ laplacian) * inside).sum(axis=1)
    cuts = np.maximum(cuts, 0.0)
    one = inside @ masses
    other = masses.sum() - one
    no_tie_break = np.zeros(len(cuts))
    if objective == "max_cut":
        return -cuts, no_tie_break
    if objective == "bisection":
        return np.round(np.abs(one - other) / max(masses.sum(), 1e-300), 12), cuts
    with np.errstate(divide="ignore", invalid="ignore"):
        values = cuts / (one * other if objective == "sparsity" else np.minimum(one, other))
    return np.where(np.minimum(one, other) > 0, values, np.inf), no_tie_break
