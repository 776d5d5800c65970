"""The sweep cut, and partitions into more parts by repeated sweeps."""

import heapq
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats, RowNumbers
from gramian.graph.eigenpairs import EigenSolver
from gramian.graph.fiedler import check_two_vertices, fiedler_pair
from gramian.graph.graph import Graph, Labels

SweepObjective = Literal["sparsity", "ratio"]


class SweepCut(NamedTuple):
    """The best of the n - 1 cuts along an order of the vertices.

    ``labels`` are 0 before the cut and 1 after it; ``value`` is the best objective and ``cut`` the
    weight of that cut; ``order`` sorts the vertices; ``values`` and ``cuts`` belong to the cuts
    after the first, second, ... vertex of the order.
    """

    labels: Labels
    value: float
    cut: float
    order: RowNumbers
    values: Floats
    cuts: Floats


def sweep_cut(
    graph: Graph,
    vector: npt.ArrayLike | None = None,
    *,
    objective: SweepObjective = "sparsity",
    solver: EigenSolver = "auto",
    tol: float = 1e-8,
    random_state: Any = None,
) -> SweepCut:
    """Try the n - 1 cuts along the Fiedler vector and keep the best one.

    Costs one sort and one pass over the edges.

    Parameters
    ----------
    graph
        At least two vertices.
    vector
        Vector by which to sort the vertices; None uses the Fiedler vector.
    objective
        "sparsity", the weight of the cut divided by the product of the two masses, or "ratio",
        divided by the smaller mass, for which Cheeger's bounds hold.
    solver, tol, random_state
        As for `laplacian_eigenpairs`.

    Examples
    --------
    >>> from gramian.graph import Graph, sweep_cut
    >>> best = sweep_cut(Graph.from_edges([[0, 1], [1, 2], [2, 3]]), objective="ratio")
    >>> best.value, best.cut, best.labels.tolist()
    (0.5, 1.0, [1, 1, 0, 0])
    """
    n = graph.n_vertices
    if objective not in ("sparsity", "ratio"):
        raise ParameterError(
            f"sweep_cut: objective must be one of 'sparsity', 'ratio'; got {objective!r}."
        )
    check_two_vertices("sweep_cut", graph)
    if vector is None:
        heights = fiedler_pair(graph, solver=solver, tol=tol, random_state=random_state).vector
    else:
        heights = np.asarray(vector, dtype=np.float64)
    if heights.shape != (n,) or not np.isfinite(heights).all():
        raise DataError(f"sweep_cut: vector must contain {n} finite numbers; got {heights.shape}.")
    order = np.argsort(heights, kind="stable")
    cuts = _cuts_along(graph, order)
    below = np.cumsum(graph.masses[order])[:-1]
    above = graph.masses.sum() - below
    lesser = np.minimum(below, above)
    with np.errstate(divide="ignore", invalid="ignore"):
        values = cuts / (below * above if objective == "sparsity" else lesser)
    values = np.where(lesser > 1e-14 * graph.masses.sum(), values, np.inf)
    best = int(values.argmin())
    labels = np.ones(n, dtype=np.int32)
    labels[order[: best + 1]] = 0
    return SweepCut(labels, float(values[best]), float(cuts[best]), order, values, cuts)


def recursive_partition(
    graph: Graph,
    k: int,
    *,
    objective: SweepObjective = "sparsity",
    solver: EigenSolver = "auto",
    tol: float = 1e-8,
    random_state: Any = None,
) -> Labels:
    """Divide a graph into k parts greedily: the part with the best sweep cut is split next.

    Parameters
    ----------
    graph
        At least k vertices.
    k
        Number of parts.
    objective
        Objective of the cuts; see `sweep_cut`.
    solver, tol, random_state
        As for `laplacian_eigenpairs`.

    Returns
    -------
    labels
        The part of each vertex, parts in the order of their first vertices.

    Examples
    --------
    >>> from gramian.graph import Graph, recursive_partition
    >>> edges = [[0, 1], [1, 2], [0, 2], [3, 4], [2, 3], [5, 6], [4, 5]]
    >>> recursive_partition(Graph.from_edges(edges), 2).tolist()
    [0, 0, 0, 1, 1, 1, 1]
    """
    n = graph.n_vertices
    if not 1 <= k <= n:
        raise DataError(
            f"recursive_partition: k must be between 1 and the number of vertices, {n}; got {k}."
        )
    how: dict[str, Any] = {
        "objective": objective, "solver": solver, "tol": tol, "random_state": random_state
    }  # fmt: skip
    labels = np.zeros(n, dtype=np.int32)
    splits: list[tuple[float, int, RowNumbers, RowNumbers]] = []

    def plan(vertices: RowNumbers) -> None:
        """Store the best split of a part."""
        if len(vertices) > 1:
            found = sweep_cut(graph.subgraph(vertices), **how)
            low, high = vertices[found.labels == 0], vertices[found.labels == 1]
            heapq.heappush(splits, (found.value, int(vertices[0]), low, high))

    plan(np.arange(n))
    for part in range(1, k):
        _, _, low, high = heapq.heappop(splits)
        labels[high] = part
        if part < k - 1:
            plan(low)
            plan(high)
    first = np.unique(labels, return_index=True)[1]
    rank = np.empty(k, dtype=np.int32)
    rank[np.argsort(first)] = np.arange(k, dtype=np.int32)
    return np.asarray(rank[labels])


def _cuts_along(graph: Graph, order: RowNumbers) -> Floats:
    """Return the weight of the cut after each vertex of an order but the last."""
    n = graph.n_vertices
    place = np.empty(n, dtype=np.intp)
    place[order] = np.arange(n)
    edges, weights = graph.edges()
    ends = place[edges]
    opens = np.bincount(ends.min(axis=1), weights, minlength=n)
    closes = np.bincount(ends.max(axis=1), weights, minlength=n)
    cuts = np.cumsum(opens - closes)[:-1]
    crossing = np.cumsum(
        np.bincount(ends.min(axis=1), minlength=n) - np.bincount(ends.max(axis=1), minlength=n)
    )[:-1]
    return np.where(crossing > 0, np.maximum(cuts, 0.0), 0.0)  # exactly 0 if no edge crosses
