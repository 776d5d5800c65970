"""Point location by a binary space partition, in a few dimensions.

The planes are bisectors of pairs of points, so a leaf lies within one Voronoi cell. Fuchs, Kedem
and Naylor, On Visible Surface Generation by a Priori Tree Structures, SIGGRAPH 1980, for the tree.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csr_array

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import check_points, check_query
from gramian.neighbors.structures.radius_results import Indices

MOST_POINTS = 50  # more points would make the tree too large
PROGRAM_SIZE = 50  # number of feasibility tests in one linear program


@dataclass
class Part:
    """A convex region: part of one cell (``site``), or divided by the plane normal.x = offset."""

    depth: int
    site: int | None = None
    normal: Floats | None = None
    offset: float = 0.0
    children: "tuple[Part, Part] | None" = None  # normal.x <= offset, and >


class Side(NamedTuple):
    """A part to be divided: the intersection of the half-spaces normals.x < offsets."""

    part: Part
    sites: Indices
    normals: Floats
    offsets: Floats


class BSPTree:
    """Nearest-point location by a tree of planes, in three to five dimensions, for few points.

    The root is the whole space. A node is divided by the bisector of two of its points that divides
    the other points most evenly. Each side keeps the points whose Voronoi cells intersect it, which
    linear programs decide:

        is there an x with A x <= b (the cell) on this side of all planes above?

    A node with one point left is a leaf. A query descends the tree with one product per level: O(d
    log n) if the divisions are even. The tree can be large, because planes cut cells into pieces:
    50 random points give about 2000 leaves in three dimensions, which take seconds to find, and 20
    points give nearly as many in four. Use it only for few points and dimensions, to study it, and
    `KDTree` otherwise.

    Parameters
    ----------
    points : array of shape (n, d)
        At most 50.

    Attributes
    ----------
    root : Part
        The tree.
    n_leaves : int
        Number of pieces that the cells were cut into.
    depth : int
        Largest number of planes tested in a query.

    Examples
    --------
    >>> from gramian.textbook.neighbors import BSPTree
    >>> tree = BSPTree([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]])
    >>> tree.locate([0.2, 1.5, 0.3])
    2
    """

    def __init__(self, points: npt.ArrayLike) -> None:
        self.data = check_points("BSPTree", points)
        if len(self.data) > MOST_POINTS:
            raise DataError(
                f"BSPTree: there must be at most {MOST_POINTS} points; got {len(self.data)}. "
                "Use KDTree for more."
            )
        _, first = np.unique(self.data, axis=0, return_index=True)
        first.sort()  # among equal points the first has the cell
        d = self.data.shape[1]
        self.n_leaves = self.depth = 0
        self.root = Part(0)
        level = [Side(self.root, first.astype(np.int64), np.empty((0, d)), np.empty(0))]
        while level:  # all parts of one depth
            self.depth = level[0].part.depth
            level = self._filter_sites([side for here in level for side in self._divide(here)])

    def _divide(self, here: "Side") -> "list[Side]":
        """Divide a part by a plane, unless it is a leaf; return its sides with candidate sites."""
        part, sites, normals, offsets = here
        if len(sites) == 1:
            part.site = int(sites[0])
            self.n_leaves += 1
            return []
        part.normal, part.offset = normal, offset = self._most_even_bisector(sites)
        part.children = (Part(part.depth + 1), Part(part.depth + 1))
        return [
            Side(
                child,
                sites,
                np.vstack([normals, sign * normal]),
                np.append(offsets, sign * offset),
            )
            for child, sign in zip(part.children, (1.0, -1.0), strict=True)
        ]

    def _most_even_bisector(self, sites: Indices) -> tuple[Floats, float]:
        """Return the bisector of two sites that divides the other sites most evenly."""
        points = self.data[sites]
        a, b = np.triu_indices(len(sites), 1)
        normals, offsets = _bisectors(points[a], points[b])
        below = np.count_nonzero(points @ normals.T <= offsets, axis=0)
        best = int(np.argmin(np.maximum(below, len(sites) - below)))
        return normals[best], float(offsets[best])

    def _filter_sites(self, sides: "list[Side]") -> "list[Side]":
        """Return the sides with only the sites whose cells intersect them.

        Sites that lie in a side need no test; if there are two sites, their bisector is the last
        plane and separates them; the others are tested, many at a time.
        """
        kept = [np.all(self.data[s.sites] @ s.normals.T < s.offsets, axis=1) for s in sides]
        doubtful = [
            (number, place)
            for number, side in enumerate(sides)
            if len(side.sites) > 2
            for place in np.flatnonzero(~kept[number]).tolist()
        ]
        for start in range(0, len(doubtful), PROGRAM_SIZE):
            some = doubtful[start : start + PROGRAM_SIZE]
            reach = self._intersects([(sides[number], place) for number, place in some])
            for (number, place), inside in zip(some, reach, strict=True):
                kept[number][place] = inside
        for number, side in enumerate(sides):
            if len(side.sites) == 2:
                kept[number] = self.data[side.sites] @ side.normals[-1] < side.offsets[-1]
        return [
            side._replace(sites=side.sites[keep]) for side, keep in zip(sides, kept, strict=True)
        ]

    def _intersects(self, asked: "list[tuple[Side, int]]") -> npt.NDArray[np.bool_]:
        """Return whether the cell intersects the side, for pairs of a side and one of its sites.

        For each pair the program maximises the margin w by which a point satisfies all half-spaces,
        of the cell and of the side: a cell that only touches the side has none. The pairs are
        independent, so all are solved in one block-diagonal program.
        """
        d, scale = self.data.shape[1], float(np.ptp(self.data, axis=0).max())
        rows, bounds, pair = [], [], []
        for number, (side, place) in enumerate(asked):
            own, others = side.sites[place], np.delete(side.sites, place)
            A, b = _bisectors(self.data[own], self.data[others])
            A, b = np.vstack([A, side.normals]), np.append(b, side.offsets)
            lengths = np.linalg.norm(A, axis=1)
            rows.append(np.column_stack([A / lengths[:, None], np.ones(len(A))]))
            bounds.append(b / lengths)
            pair.append(np.full(len(A), number))
        values, n_unknowns = np.vstack(rows), d + 1
        columns = np.concatenate(pair)[:, None] * n_unknowns + np.arange(n_unknowns)
        starts = np.arange(0, values.size + 1, n_unknowns)
        found = linprog(
            np.tile(np.append(np.zeros(d), -1.0), len(asked)),
            A_ub=csr_array((values.ravel(), columns.ravel(), starts)),
            b_ub=np.concatenate(bounds),
            bounds=[*[(-np.inf, np.inf)] * d, (-np.inf, scale)] * len(asked),
        )
        assert found.x is not None, "a margin far enough below 0 satisfies all constraints"
        margins = found.x.reshape(len(asked), n_unknowns)[:, -1]
        return np.asarray(margins > 1e-9 * scale)

    def locate(self, q: npt.ArrayLike) -> int:
        """Return the index of the point nearest to a query.

        Parameters
        ----------
        q : array of shape (d,)

        Returns
        -------
        index : int
            For a query on a boundary, either of the two nearest points.
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


def _bisectors(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the bisecting planes of pairs a, b; a lies where normal.x < offset."""
    normals = b - a
    return normals, np.einsum("kt,kt->k", normals, a / 2 + b / 2)
