"""Costs of a partition of the vertices: the weight of its cut, and the balance of its parts."""

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.graph.graph import Graph, Labels, check_labels


def cut_weight(graph: Graph, labels: npt.ArrayLike) -> float:
    """Return the total weight of the edges between different parts.

    For two parts, with y = +1 in one and -1 in the other, it equals y^T L y / 4.

    Parameters
    ----------
    graph
        The graph.
    labels
        The part of each vertex.

    Examples
    --------
    >>> from gramian.graph import Graph, cut_weight
    >>> path = Graph.from_edges([[0, 1], [1, 2], [2, 3]])
    >>> cut_weight(path, [0, 0, 1, 1]), cut_weight(path, [0, 1, 2, 0])
    (1.0, 3.0)
    """
    return _cut(graph, check_labels("cut_weight", graph, labels))


def part_masses(graph: Graph, labels: npt.ArrayLike) -> Floats:
    """Return the total mass of each part, in the order of the sorted labels.

    Parameters
    ----------
    graph
        The graph.
    labels
        The part of each vertex.

    Examples
    --------
    >>> from gramian.graph import Graph, part_masses
    >>> part_masses(Graph.from_edges([[0, 1], [1, 2]], masses="degree"), [1, 0, 0])
    array([3., 1.])
    """
    parts = check_labels("part_masses", graph, labels)
    return np.bincount(parts, graph.masses).astype(np.float64)


def sparsity(graph: Graph, labels: npt.ArrayLike) -> float:
    """Return the weight of the cut divided by the product of the masses of all parts.

    Infinite if a part has mass 0.

    Parameters
    ----------
    graph
        The graph.
    labels
        The part of each vertex; at least two parts.

    Examples
    --------
    >>> from gramian.graph import Graph, sparsity
    >>> sparsity(Graph.from_edges([[0, 1], [1, 2], [2, 3]]), [0, 0, 1, 1])
    0.25
    """
    parts = _two_or_more("sparsity", check_labels("sparsity", graph, labels))
    return _ratio(_cut(graph, parts), float(np.prod(np.bincount(parts, graph.masses))))


def isoperimetric_ratio(graph: Graph, labels: npt.ArrayLike) -> float:
    """Return the weight of the cut divided by the smallest mass of a part.

    With masses "unit" it is the edge expansion of a bipartition, with "degree" its conductance.
    Infinity where a part has mass 0.

    Parameters
    ----------
    graph
        The graph.
    labels
        The part of each vertex; at least two parts.

    Examples
    --------
    >>> from gramian.graph import Graph, isoperimetric_ratio
    >>> isoperimetric_ratio(Graph.from_edges([[0, 1], [1, 2], [2, 3]]), [0, 0, 1, 1])
    0.5
    """
    owner = "isoperimetric_ratio"
    parts = _two_or_more(owner, check_labels(owner, graph, labels))
    return _ratio(_cut(graph, parts), float(np.bincount(parts, graph.masses).min()))


def _cut(graph: Graph, parts: Labels) -> float:
    matrix = graph.weights.tocoo()
    rows, columns = matrix.coords
    return float(matrix.data[parts[rows] != parts[columns]].sum() / 2)


def _ratio(weight: float, mass: float) -> float:
    return weight / mass if mass > 0 else float("inf")


def _two_or_more(owner: str, parts: Labels) -> Labels:
    if parts.max() == 0:
        raise DataError(f"{owner}: labels must contain at least two parts; got one.")
    return parts
