r"""Cheeger's inequality: bounds on the best cut and on the sweep cut.

For the isoperimetric ratio :math:`\phi = cut / \min(mass_1, mass_2)`, and the smallest ratio of a
sweep along the Fiedler vector,

.. math:: \lambda_2 / 2 \le \phi^* \le \phi_{sweep} \le \sqrt{2 \lambda_2 \max_i L_{ii} / M_{ii}}

Other cuts may exceed the upper bound. The inequality does not hold for cut / (mass_1 mass_2), whose
optimum is at least :math:`\lambda_2 / (mass_1 + mass_2)`. Reference: Chung, Spectral Graph Theory,
1997, chapter 2.
"""

from typing import Any, NamedTuple

import numpy as np

from gramian.graph.eigenpairs import EigenSolver
from gramian.graph.fiedler import check_two_vertices, fiedler_pair
from gramian.graph.graph import Graph


class CheegerBounds(NamedTuple):
    """Bounds on the isoperimetric ratio of the best cut, and a lower bound on its sparsity.

    ``upper`` also bounds the ratio of the sweep cut.
    """

    eigenvalue: float
    lower: float
    upper: float
    sparsity_lower: float


def cheeger_bounds(
    graph: Graph, *, solver: EigenSolver = "auto", tol: float = 1e-8, random_state: Any = None
) -> CheegerBounds:
    """Return bounds on the best cut from the second eigenvalue.

    ``lower`` <= the best isoperimetric ratio <= that of ``sweep_cut(objective="ratio")`` <=
    ``upper``, and ``sparsity_lower`` <= the best sparsity. Other cuts may exceed ``upper``.

    Parameters
    ----------
    graph
        At least two vertices, of positive masses.
    solver, tol, random_state
        As for `laplacian_eigenpairs`.

    Examples
    --------
    >>> from gramian.graph import Graph
    >>> from gramian.textbook.graphs import cheeger_bounds
    >>> bounds = cheeger_bounds(Graph.from_edges([[0, 1], [1, 2], [2, 3]]))
    >>> round(bounds.lower, 3), round(bounds.upper, 4), round(bounds.sparsity_lower, 3)
    (0.293, 1.5307, 0.146)
    """
    check_two_vertices("cheeger_bounds", graph)
    pair = fiedler_pair(graph, solver=solver, tol=tol, random_state=random_state)
    masses = graph.positive_masses()
    steepest = float((graph.degrees / masses).max())
    return CheegerBounds(
        pair.value,
        pair.value / 2,
        float(np.sqrt(2 * pair.value) * np.sqrt(steepest)),  # their product may underflow
        pair.value / float(masses.sum()),
    )
