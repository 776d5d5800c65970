"""The choice of a search structure, by the dimension, the number of rows and the query."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.types import Matrix
from gramian.neighbors.lsh_neighbors import LSHNeighbors
from gramian.neighbors.nearest_neighbors import NearestNeighbors
from gramian.neighbors.structures.input_checks import check_count, check_points
from gramian.neighbors.structures.radius_results import Indices
from gramian.textbook.neighbors.bsp import BSPTree
from gramian.textbook.neighbors.slabs import VoronoiSlabs
from gramian.textbook.neighbors.sorted_line import SortedLine

Structure: TypeAlias = Literal["line", "voronoi", "bsp", "kd_tree", "brute", "lsh"]

# Maximum number of rows for the diagrams, which take about a second to build in Python.
_MAX_VORONOI_ROWS = 50
_MAX_BSP_ROWS = 10
_MAX_BSP_DIMENSIONS = 5


@dataclass(frozen=True)
class StructureChoice:
    """A search structure for nearest neighbours.

    Attributes
    ----------
    name
        "line", "voronoi", "bsp", "kd_tree", "brute" (exhaustive) or "lsh" (hashing).
    structure
        The structure, built on the rows.
    reason
        The reason for the choice.
    exact
        Whether it always finds the nearest rows.
    """

    name: Structure
    structure: Any
    reason: str
    exact: bool
    n_neighbors: int
    rows: Matrix

    def kneighbors(self, queries: npt.ArrayLike) -> tuple[Matrix, Indices]:
        """Return distances and indices of the k nearest rows of each query, nearest first."""
        at = check_points("StructureChoice", queries, columns=self.rows.shape[1])
        k = self.n_neighbors
        if isinstance(self.structure, SortedLine):
            found = [self.structure.query(q, k) for q in at[:, 0]]
            return np.array([d for d, _ in found]), np.array([i for _, i in found])
        if isinstance(self.structure, VoronoiSlabs | BSPTree):
            nearest = self.structure.locate_all(at)
            return np.linalg.norm(at - self.rows[nearest], axis=1)[:, None], nearest[:, None]
        distances, indices = self.structure.kneighbors(at, k)
        return distances, indices


def choose_structure(
    X: npt.ArrayLike, n_neighbors: int = 1, *, exact: bool = True, random_state: Any = None
) -> StructureChoice:
    """Choose a suitable search structure for the rows and the query.

    =========================================  ==========================================
    one column                                 sorted line: binary search
    one neighbour in the plane, few rows       Voronoi cells in slabs: two binary searches
    one neighbour, up to 5 columns, few rows   binary space partition of the Voronoi cells
    boxes that rule out most rows              k-d tree, measured on a sample of the rows
    otherwise, nearly all neighbours suffice   hashing of near rows, to a recall of 95%
    otherwise                                  exhaustive search
    =========================================  ==========================================

    The diagrams are plain Python for few rows, for study and plots. `NearestNeighbors` with
    algorithm="auto" chooses by the same measurement between the k-d tree and the exhaustive search,
    which are always exact, and reports the choice in ``algorithm_``. In many dimensions, projecting
    the rows first (`gramian.decomposition.PCA`, `gramian.random_projection`) keeps most neighbours
    at a lower cost.

    Parameters
    ----------
    X
        The rows, (n, d).
    n_neighbors
        k of the queries.
    exact
        Whether every neighbour must be found; False allows hashing.
    random_state
        Seed for the hash functions.

    Returns
    -------
    StructureChoice
        The built structure, its name and the reason.

    Examples
    --------
    >>> from gramian.textbook.neighbors import choose_structure
    >>> choice = choose_structure([[5.0], [1.0], [9.0], [2.0]], n_neighbors=2)
    >>> choice.name, choice.kneighbors([[4.0]])[1].tolist()
    ('line', [[0, 3]])
    >>> choose_structure([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]).name
    'voronoi'
    """
    rows = check_points("choose_structure", X, name="X")
    n, d = rows.shape
    k = check_count("choose_structure", n_neighbors, n)

    def choice(name: Structure, structure: Any, reason: str, exact: bool = True) -> StructureChoice:
        return StructureChoice(name, structure, reason, exact, k, rows)

    if d == 1:
        return choice("line", SortedLine(rows[:, 0]), "one column: sorting and binary search")
    if k == 1 and d == 2 and n <= _MAX_VORONOI_ROWS:
        reason = f"one neighbour among {n} rows in the plane: two binary searches"
        return choice("voronoi", VoronoiSlabs(rows), reason)
    if k == 1 and d <= _MAX_BSP_DIMENSIONS and n <= _MAX_BSP_ROWS:
        reason = f"one neighbour among {n} rows of {d} columns: a few plane tests per query"
        return choice("bsp", BSPTree(rows), reason)
    search = NearestNeighbors(n_neighbors=k).fit(rows)
    if search.algorithm_ == "kd_tree":
        return choice("kd_tree", search, f"boxes exclude most of {n} rows in {d} columns")
    if not exact:
        hashed = LSHNeighbors(n_neighbors=k, random_state=random_state).fit(rows)
        if hashed.algorithm_ == "lsh":
            reason = (
                f"boxes exclude few rows in {d} columns; {hashed.n_candidates_:.0f} of {n} "
                f"rows compared contain {100 * hashed.recall_:.0f}% of the neighbours"
            )
            return choice("lsh", hashed, reason, exact=False)
    return choice("brute", search, f"comparing all {n} rows of {d} features is cheapest")
