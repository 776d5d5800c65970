"""The Fiedler pair, and bipartitions rounded from it."""

from typing import Any, Literal, NamedTuple

import numpy as np

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.graph.eigenpairs import EigenSolver, laplacian_eigenpairs, oriented
from gramian.graph.graph import Graph, Labels


class FiedlerPair(NamedTuple):
    """The second smallest eigenpair of L v = lambda M v, and its residual."""

    value: float
    vector: Floats
    residual: float


def fiedler_pair(
    graph: Graph, *, solver: EigenSolver = "auto", tol: float = 1e-8, random_state: Any = None
) -> FiedlerPair:
    """Return the second smallest eigenvalue of L v = lambda M v, and its eigenvector.

    The vector minimises v^T L v subject to v^T M v = 1 and 1^T M v = 0, the relaxation of a
    balanced cut. Its first entry of largest size is positive. The eigenvalue is 0 if and only if
    the graph is not connected; the vector then has one value on the component of largest mass and
    another one elsewhere.

    Parameters
    ----------
    graph
        At least two vertices.
    solver, tol, random_state
        See `laplacian_eigenpairs`.

    Examples
    --------
    >>> from gramian.graph import Graph, fiedler_pair
    >>> pair = fiedler_pair(Graph.from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> round(pair.value, 6), (pair.vector > 0).tolist()
    (0.585786, [True, True, False, False])
    """
    check_two_vertices("fiedler_pair", graph)
    pairs = laplacian_eigenpairs(graph, 2, solver=solver, tol=tol, random_state=random_state)
    vector = pairs.vectors[:, 1]
    if pairs.n_components > 1:
        vector = _indicator(graph, pairs.vectors[:, 0] != 0)
    vector = oriented(vector[:, None])[:, 0]
    return FiedlerPair(float(pairs.values[1]), vector, float(pairs.residuals[1]))


def bisect(
    graph: Graph,
    *,
    rounding: Literal["median", "mass", "sign"] = "median",
    solver: EigenSolver = "auto",
    tol: float = 1e-8,
    random_state: Any = None,
) -> Labels:
    """Cut a graph in two by rounding its Fiedler vector; `sweep_cut` finds the best such cut.

    The balanced bisection minimises v^T L v over vectors v of +1 and -1 whose sum is 0. Relaxed to
    real vectors, its solution is the Fiedler vector (`fiedler_pair`), which is rounded here.

    Parameters
    ----------
    graph
        At least two vertices.
    rounding
        "median" puts half of the vertices on each side, "mass" about half of the mass, "sign" cuts
        at 0.
    solver, tol, random_state
        As for `laplacian_eigenpairs`.

    Returns
    -------
    labels
        0 for the lower entries of the vector, 1 for the higher ones.

    Examples
    --------
    >>> from gramian.graph import Graph, bisect
    >>> bisect(Graph.from_edges([[0, 1], [1, 2], [2, 3]])).tolist()
    [1, 1, 0, 0]
    """
    if rounding not in ("median", "mass", "sign"):
        raise ParameterError(
            f"bisect: rounding must be one of 'median', 'mass', 'sign'; got {rounding!r}."
        )
    check_two_vertices("bisect", graph)
    vector = fiedler_pair(graph, solver=solver, tol=tol, random_state=random_state).vector
    if rounding == "sign":
        return (vector > 0).astype(np.int32)
    order = np.argsort(vector, kind="stable")
    low = graph.n_vertices // 2
    if rounding == "mass":
        below = np.cumsum(graph.masses[order])[:-1]
        low = 1 + int(np.abs(2 * below - graph.masses.sum()).argmin())
    labels = np.ones(graph.n_vertices, dtype=np.int32)
    labels[order[:low]] = 0
    return labels


def check_two_vertices(owner: str, graph: Graph) -> None:
    """Raise unless a graph has at least two vertices."""
    if graph.n_vertices < 2:
        raise DataError(f"{owner}: the graph must have at least two vertices; got one.")


def _indicator(graph: Graph, inside: Any) -> Floats:
    """Return the vector of two values, orthogonal to 1 and of length 1 in the norm of M."""
    masses = graph.positive_masses()
    one, other = masses[inside].sum(), masses[~inside].sum()
    vector = np.where(inside, np.sqrt(other / one), -np.sqrt(one / other))
    return np.asarray(vector / np.sqrt(one + other))
