"""Choice of the eigen-solver with the lowest predicted cost on a graph."""

from typing import Literal, NamedTuple

import numpy as np
from scipy.sparse.csgraph import breadth_first_order

from gramian.graph.eigenproblem import Eigenproblem

Solver = Literal["dense", "chebyshev", "arpack", "lobpcg"]

_DENSE = 256  # vertices up to which LAPACK is the fastest
_FACTORED = 1000  # vertices for each eigenpair: a factor costs as much as about 100 products


class Shape(NamedTuple):
    """Depth and width of the largest component, by breadth-first search from one of its ends."""

    depth: int  # levels of a breadth-first search
    width: int  # vertices of the widest level


def choose_solver(problem: Eigenproblem, k: int) -> Solver:
    """Return the solver with the lowest predicted cost for k eigenpairs.

    A matrix is diagonalised if it is small or most of its eigenpairs are wanted. A dense one is
    factorised (Lanczos on the shifted inverse, which needs few iterations whatever the eigenvalues
    are) unless it is so large that the filter's products cost less. A sparse one is factorised
    (ARPACK on the shifted inverse) if it is long and narrow: the factor of a graph with levels of w
    vertices costs about w^3, while a polynomial filter needs a degree in proportion to the depth
    of the graph.
    """
    if problem.n <= _DENSE or 3 * k >= problem.n:
        return "dense"
    if not problem.sparse:
        return "arpack" if problem.n <= _FACTORED * k else "chebyshev"
    shape = shape_of(problem)
    return (
        "arpack"
        if _inverse_cost(problem, k, shape) < _filter_cost(problem, k, shape)
        else ("chebyshev")
    )


def shape_of(problem: Eigenproblem) -> Shape:
    """Return the depth and width of the largest component, from a peripheral vertex."""
    start = int(np.argmax(problem.components == np.bincount(problem.components).argmax()))
    order, _ = breadth_first_order(problem.similarity, start, directed=False)
    order, before = breadth_first_order(problem.similarity, int(order[-1]), directed=False)
    place = np.empty(problem.n, dtype=np.int64)
    place[order] = np.arange(len(order))
    parents = place[before[order[1:]]]  # ascending, as the search visits
    begin, end, depth, width = 0, 1, 1, 1
    while end < len(order):
        begin, end = end, 1 + int(np.searchsorted(parents, end))
        depth, width = depth + 1, max(width, end - begin)
    return Shape(depth, width)


def _filter_cost(problem: Eigenproblem, k: int, shape: Shape) -> float:
    """Estimate the operations of the filter: products of the graph with blocks."""
    products = 30 + 6 * shape.depth
    return float(products * 1.5 * k * (2.0 * problem.similarity.nnz + 10.0 * problem.n))


def _inverse_cost(problem: Eigenproblem, k: int, shape: Shape) -> float:
    """Estimate the operations of a factorisation and its solves, weighted by two."""
    fill = 3.0 * problem.similarity.nnz + 4 * problem.n * np.log2(problem.n) + shape.width**2
    factor = 10 * fill + shape.width**3
    return float(2 * (factor + (3 * k + 20) * 4 * fill))
