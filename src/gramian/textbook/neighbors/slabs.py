"""Point location in a planar Voronoi diagram by slabs.

Dobkin and Lipton, Multidimensional Searching Problems, SIAM J. Computing 5(2), 1976.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import check_points, check_query
from gramian.neighbors.structures.radius_results import Indices


@dataclass(frozen=True)
class Edge:
    """The edge between two cells: the points ``middle + t * along``, start <= t <= end."""

    below: int  # the site on the lower side; the left one if the edge is vertical
    above: int
    middle: Floats  # midpoint of the two sites
    along: Floats  # a unit vector that points right, or up
    start: float  # -inf and inf for unbounded edges
    end: float

    @property
    def vertical(self) -> bool:
        """Return whether the edge is vertical."""
        return bool(self.along[0] == 0)

    def x_range(self) -> tuple[float, float]:
        """Return the x of the left and right ends of the edge."""
        if self.vertical:
            return float(self.middle[0]), float(self.middle[0])
        left, right = (self.middle[0] + t * self.along[0] for t in (self.start, self.end))
        return float(left), float(right)

    def height(self, x: float) -> float:
        """Return the y of the edge at an x."""
        slope = self.along[1] / self.along[0]
        return float(self.middle[1] + slope * (x - self.middle[0]))


def voronoi_edges(points: npt.ArrayLike) -> list[Edge]:
    """Return the edges of the Voronoi diagram of points of the plane.

    The edge of two sites is the part of their bisector that is no nearer to a third one. Every
    other site restricts the bisector to a half-line, and the edge is their intersection: O(n) for a
    pair, O(n^3) for all. Among equal points the first is the site.

    Parameters
    ----------
    points : array of shape (n, 2)

    Returns
    -------
    edges : list of Edge

    Examples
    --------
    >>> from gramian.textbook.neighbors import voronoi_edges
    >>> [(edge.below, edge.above) for edge in voronoi_edges([[0, 0], [0, 2], [0, 6]])]
    [(0, 1), (1, 2)]
    """
    sites = check_points("voronoi_edges", points, columns=2)
    _, first = np.unique(sites, axis=0, return_index=True)
    first.sort()
    edges = []
    for place, i in enumerate(first):
        for j in first[place + 1 :]:
            # The lower of the two sites; the direction along the bisector points right.
            low, high = (i, j) if tuple(sites[i][::-1]) < tuple(sites[j][::-1]) else (j, i)
            apart = sites[high] - sites[low]
            along = np.array([apart[1], -apart[0]]) / np.hypot(*apart)
            if apart[1] == 0:
                along = -along  # a vertical edge points up
            middle = sites[low] / 2 + sites[high] / 2
            # |x - p_k|^2 >= |x - p_low|^2 at x = middle + t along is slope t <= room.
            others = sites - sites[low]
            slope = others @ along
            room = np.einsum("kt,kt->k", others, (sites + sites[low]) / 2 - middle)
            parallel = np.abs(slope) <= 1e-12 * np.hypot(*others.T)
            parallel[[low, high]] = True
            excluded = parallel & (room < 0)
            excluded[[low, high]] = False
            with np.errstate(divide="ignore", invalid="ignore"):
                limit = room / slope
            start = np.max(limit, where=(slope < 0) & ~parallel, initial=-np.inf)
            end = np.min(limit, where=(slope > 0) & ~parallel, initial=np.inf)
            if start < end and not excluded.any():
                edges.append(Edge(int(low), int(high), middle, along, float(start), float(end)))
    return edges


class VoronoiSlabs:
    """Nearest-point location in the plane in O(log n), by slabs of the Voronoi diagram.

    Vertical lines through all vertices of the diagram cut the plane into slabs. Inside a slab edges
    do not cross, so they are ordered from bottom to top, and between two of them lies one cell. A
    query is two binary searches: for its slab by x, and for its position among the edges by y. The
    drawback is memory: n slabs of up to n edges.

    Plain Python for small n, for study and plots; use `KDTree` for speed.

    Parameters
    ----------
    points : array of shape (n, 2)

    Attributes
    ----------
    edges : list of Edge
        The edges of the diagram.
    breaks : list of float
        The x of the lines between slabs, ascending.
    slabs : list of list of Edge
        The edges of each slab from bottom to top; there is one slab more than breaks.

    Examples
    --------
    >>> from gramian.textbook.neighbors import VoronoiSlabs
    >>> where = VoronoiSlabs([[0, 0], [4, 0], [0, 4]])
    >>> [where.locate(q) for q in ([1, 1], [3, 1], [1, 3])]
    [0, 1, 2]
    """

    def __init__(self, points: npt.ArrayLike) -> None:
        self.data = check_points("VoronoiSlabs", points, columns=2)
        self.edges = voronoi_edges(self.data)
        # Edges that meet have the same vertex up to rounding.
        self._blur = 1e-9 * float(np.ptp(self.data, axis=0).max())
        self.breaks: list[float] = []
        for x in sorted(x for edge in self.edges for x in edge.x_range() if np.isfinite(x)):
            if not self.breaks or x > self.breaks[-1] + self._blur:
                self.breaks.append(x)
        self.slabs: list[list[Edge]] = []
        self._alone: list[int] = []  # the site of a slab without edges
        rims = [-np.inf, *self.breaks, np.inf]
        for left, right in pairwise(rims):
            inside = _between(left, right)
            here = [edge for edge in self.edges if self._spans(edge, left, right)]
            self.slabs.append(sorted(here, key=_height_at(inside)))
            on_the_line = self.data - [inside, self.data[0, 1]]
            self._alone.append(int(np.argmin((on_the_line**2).sum(axis=1))))

    def _spans(self, edge: Edge, left: float, right: float) -> bool:
        begin, end = edge.x_range()
        return not edge.vertical and begin <= left + self._blur and right <= end + self._blur

    def locate(self, q: npt.ArrayLike) -> int:
        """Return the index of the point nearest to a query.

        Parameters
        ----------
        q : array of shape (2,)

        Returns
        -------
        index : int
            For a query on an edge, the index of either of the two nearest points.
        """
        x, y = check_query("VoronoiSlabs", q, 2).tolist()
        slab = bisect_left(self.breaks, x)
        edges = self.slabs[slab]
        if not edges:
            return self._alone[slab]
        place = bisect_left(edges, y, key=_height_at(x))  # edges below the query
        return edges[place - 1].above if place else edges[0].below

    def locate_all(self, queries: npt.ArrayLike) -> Indices:
        """Return the index of the nearest point for each of several queries.

        Parameters
        ----------
        queries : array of shape (m, 2)

        Returns
        -------
        indices : array of shape (m,)
        """
        rows = check_points("VoronoiSlabs", queries, columns=2)
        return np.array([self.locate(q) for q in rows], dtype=np.int64)


def _height_at(x: float) -> Callable[[Edge], float]:
    return lambda edge: edge.height(x)


def _between(left: float, right: float) -> float:
    """Return an x inside a slab."""
    if np.isinf(left) and np.isinf(right):
        return 0.0
    if np.isinf(left):
        return right - 1.0
    return left + 1.0 if np.isinf(right) else left / 2 + right / 2
