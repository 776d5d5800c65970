"""Point location by a binary space partition, in any few dimensions.

The planes are bisectors of pairs of points, so a leaf lies within one Voronoi cell. Fuchs, Kedem
and Naylor, On Visible Surface Generation by a Priori Tree Structures, SIGGRAPH 1980, for the tree.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import block_diag

from gramian.base.errors import DataError
from gramian.neighbors.balls import Indices
from gramian.neighbors.plain import Floats, check_points, check_query
from gramian.neighbors.voronoi import cell_half_spaces

MOST_POINTS = 50  # every node asks a linear program about its points, and there are many nodes


@dataclass
class Part:
    """A convex region: all of one cell (``site``), or divided by the plane normal.x = offset."""

    depth: int
    site: int | None = None
    normal: Floats | None = None
    offset: float = 0.0
    children: "tuple[Part, Part] | None" = None  # normal.x <= offset, and >


class BSPTree:
    """Finds the nearest point by the sides of planes, in three to five dimensions, for few points.

    The root is all of space. A node is divided by the bisector of the two of its points that
    leaves the other points most evenly on both sides; on a side remain the points whose Voronoi
    cells reach into it, which linear programs tell:

        is there x with A x <= b (the cell) and x on this side of all planes above?

    A node with one point left is a leaf. A query goes down, one product with a normal a level:
    O(d log n) where the divisions are even. The tree can be large, because planes cut cells to
    pieces: that is why one uses it for few points and few dimensions, and a k-d tree otherwise.

    Parameters
    ----------
    points : array of shape (n, d)
        At most 50.

    Attributes
    ----------
    root : Part
        The tree.
    n_leaves : int
        How many pieces the cells were cut into.
    depth : int
        The most planes that a query meets.

    Examples
    --------
    >>> from gramian.neighbors import BSPTree
    >>> tree = BSPTree([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]])
    >>> tree.locate([0.2, 1.5, 0.3])
    2
    """

    def __init__(self, points: npt.ArrayLike) -> None:
        self.data = check_points("BSPTree", points)
        if len(self.data) > MOST_POINTS:
            raise DataError(
                f"BSPTree: points must be at most {MOST_POINTS}; got {len(self.data)}. "
                "Use KDTree for more."
            )
        _, first = np.unique(self.data, axis=0, return_index=True)
        first.sort()  # of equal points the first has the cell
        self.n_leaves = self.depth = 0
        self.root = Part(0)
        nothing = np.empty((0, self.data.shape[1])), np.empty(0)
        waiting = [(self.root, first.astype(np.int64), *nothing)]
        while waiting:
            part, sites, normals, offsets = waiting.pop()
            self.depth = max(self.depth, part.depth)
            if len(sites) == 1:
                part.site = int(sites[0])
                self.n_leaves += 1
                continue
            normal, offset = self._most_even_bisector(sites)
            part.normal, part.offset = normal, offset
            part.children = (Part(part.depth + 1), Part(part.depth + 1))
            for child, sign in zip(part.children, (1.0, -1.0), strict=True):
                side = np.vstack([normals, sign * normal]), np.append(offsets, sign * offset)
                waiting.append((child, self._reaching(sites, *side), *side))

    def _most_even_bisector(self, sites: Indices) -> tuple[Floats, float]:
        """Return the bisector of two of the sites with the fewest sites on its fuller side."""
        points = self.data[sites]
        best, fewest = (0, 1), np.inf
        for a in range(len(sites)):
            for b in range(a + 1, len(sites)):
                normal, offset = _bisector(points[a], points[b])
                below = int(np.count_nonzero(points @ normal <= offset))
                fuller = max(below, len(sites) - below)
                if fuller < fewest:
                    best, fewest = (a, b), fuller
        return _bisector(points[best[0]], points[best[1]])

    def _reaching(self, sites: Indices, normals: Floats, offsets: Floats) -> Indices:
        """Return the sites whose cells have points inside a convex region.

        The program seeks for each cell the widest margin w by which a point can keep to all
        half-spaces, of the cell and of the region: a cell that only touches the region has none.
        The cells share nothing, so all are asked in one block-diagonal program.
        """
        inside = np.all(self.data[sites] @ normals.T < offsets, axis=1)  # the site itself is
        if len(sites) == 2:  # whose bisector is the last plane
            nearer: Indices = sites[self.data[sites] @ normals[-1] < offsets[-1]]
            return nearer
        doubtful = np.flatnonzero(~inside)
        if not len(doubtful):
            return sites
        d, scale = self.data.shape[1], float(np.ptp(self.data, axis=0).max())
        blocks, bounds = [], []
        for own in doubtful:
            A, b = cell_half_spaces(self.data[sites], int(own))
            others = np.arange(len(sites)) != own
            A, b = np.vstack([A[others], normals]), np.append(b[others], offsets)
            lengths = np.linalg.norm(A, axis=1)
            blocks.append(np.column_stack([A / lengths[:, None], np.ones(len(A))]))
            bounds.append(b / lengths)
        found = linprog(
            np.tile(np.append(np.zeros(d), -1.0), len(doubtful)),
            A_ub=block_diag(blocks, format="csr"),
            b_ub=np.concatenate(bounds),
            bounds=([(None, None)] * d + [(None, scale)]) * len(doubtful),
        )
        margins = found.x.reshape(len(doubtful), d + 1)[:, -1]
        inside[doubtful] = margins > 1e-9 * scale
        reaching: Indices = sites[inside]
        return reaching

    def locate(self, q: npt.ArrayLike) -> int:
        """Return the index of the point nearest to a query.

        Parameters
        ----------
        q : array of shape (d,)

        Returns
        -------
        index : int
            On a border, of either side.
        """
        point = check_query("BSPTree", q, self.data.shape[1])
        part = self.root
        while part.children is not None:
            assert part.normal is not None
            part = part.children[int(part.normal @ point > part.offset)]
        assert part.site is not None
        return part.site

    def locate_all(self, queries: npt.ArrayLike) -> Indices:
        """Return the index of the nearest point for each of several queries.

        Parameters
        ----------
        queries : array of shape (m, d)

        Returns
        -------
        indices : array of shape (m,)
        """
        rows = check_points("BSPTree", queries, self.data.shape[1])
        return np.array([self.locate(q) for q in rows], dtype=np.int64)


def _bisector(a: Floats, b: Floats) -> tuple[Floats, float]:
    """Return the plane of the points as near to a as to b; a lies where normal.x < offset."""
    normal = b - a
    return normal, float(normal @ (a / 2 + b / 2))
