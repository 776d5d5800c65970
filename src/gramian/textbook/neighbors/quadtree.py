"""The textbook quad-tree of points in the plane, for study, traces and plots.

Finkel and Bentley, Quad Trees, Acta Informatica 4, 1974; Samet, The Design and Analysis of Spatial
Data Structures, 1990 (the region form, which divides squares at their centres).
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from numbers import Integral

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import check_count, check_points, check_query
from gramian.neighbors.structures.radius_results import Indices
from gramian.textbook.neighbors.trace import Best, QueryResult, Step


@dataclass
class Square:
    """A square of the plane: a leaf with points, or divided at its centre into four."""

    number: int  # in order of creation; the root is 0
    depth: int
    low: Floats  # corners
    high: Floats
    rows: Indices  # a leaf's points; empty if divided
    children: "tuple[Square, ...]" = ()  # lower left, lower right, upper left, upper right

    @property
    def center(self) -> Floats:
        """The point at which the square is divided."""
        return np.asarray(self.low / 2 + self.high / 2)


class QuadTree:
    """The textbook quad-tree: a square with too many points is divided into four.

    The root is the smallest square around all points. A square with more than `leaf_size` points is
    divided at its centre; points on the dividing lines go to the upper or right square. The depth
    is about log2 of the side of the root over the smallest distance of two points, not log2 n:
    close points need small squares. `locate` descends with two comparisons per level. `query`
    visits squares in order of distance and stops when none can contain a nearer point; `within`
    visits those that overlap a box.

    Plain Python, to show how it works; use `KDTree` for speed and in more than two dimensions.

    Parameters
    ----------
    X : array of shape (n, 2)
        The points.
    leaf_size : int, default=1
        Maximum number of points in a leaf; equal points share a leaf.
    max_depth : int, default=32
        Squares of this depth are not divided.

    Attributes
    ----------
    nodes : list of Square
        All squares; the root is the first.

    Examples
    --------
    >>> from gramian.textbook.neighbors import QuadTree
    >>> tree = QuadTree([[0, 0], [1, 5], [4, 1], [6, 6]])
    >>> len(tree.leaves), tree.depth
    (4, 1)
    >>> tree.locate([5, 2]).rows.tolist()
    [2]
    >>> result = tree.query([5, 2])
    >>> int(result.indices[0]), result.n_points, result.n_boxes
    (2, 2, 3)
    >>> tree.within([0, 0], [4, 5]).tolist()
    [0, 1, 2]
    """

    def __init__(self, X: npt.ArrayLike, *, leaf_size: int = 1, max_depth: int = 32) -> None:
        self.data = check_points("QuadTree", X)
        if self.data.shape[1] != 2:
            raise DataError(
                f"QuadTree: points must have 2 columns; got {self.data.shape[1]}. Use KDTree for "
                "more dimensions."
            )
        for name, number, least in (("leaf_size", leaf_size, 1), ("max_depth", max_depth, 0)):
            if not isinstance(number, Integral) or isinstance(number, bool) or number < least:
                raise ParameterError(
                    f"QuadTree: {name} must be an integer >= {least}; got {number!r}."
                )
        low: Floats = self.data.min(axis=0)
        side = float(np.ptp(self.data, axis=0).max())
        self.nodes = [Square(0, 0, low, low + side, np.arange(len(self.data)))]
        for square in self.nodes:  # the list grows during the iteration
            points = self.data[square.rows]
            if (
                len(points) > leaf_size
                and square.depth < max_depth
                and np.ptp(points, axis=0).any()
            ):
                self._divide(square)

    def _divide(self, square: Square) -> None:
        """Assign the points of a square to its four quarters."""
        center = square.center
        quarter = _quarters(self.data[square.rows], center)
        square.children = tuple(
            Square(
                len(self.nodes) + k,
                square.depth + 1,
                np.where([k & 1, k >> 1], center, square.low),
                np.where([k & 1, k >> 1], square.high, center),
                square.rows[quarter == k],
            )
            for k in range(4)
        )
        self.nodes.extend(square.children)
        square.rows = square.rows[:0]

    @property
    def depth(self) -> int:
        """Depth of the deepest square; the root's is 0."""
        return max(square.depth for square in self.nodes)

    @property
    def leaves(self) -> list[Square]:
        """The squares that are not divided."""
        return [square for square in self.nodes if not square.children]

    def locate(self, q: npt.ArrayLike) -> Square:
        """Return the leaf that contains a point of the plane, with two comparisons per level.

        Parameters
        ----------
        q : array of shape (2,)
            The point; outside the root, the nearest leaf is returned.

        Returns
        -------
        leaf : Square
        """
        point = check_query("QuadTree", q, 2)
        square = self.nodes[0]
        while square.children:
            square = square.children[int(_quarters(point[None], square.center)[0])]
        return square

    def query(self, q: npt.ArrayLike, k: int = 1) -> QueryResult:
        """Find the k nearest points of one query, with the steps of the search.

        Parameters
        ----------
        q : array of shape (2,)
            The query.
        k : int, default=1
            Number of neighbours.

        Returns
        -------
        result : QueryResult
            ``distances``, ``indices``, numbers of computed distances (``n_points``) and visited
            boxes (``n_boxes``), and the ``trace`` of steps.
        """
        point = check_query("QuadTree", q, 2)
        best, trace = Best(check_count("QuadTree", k, len(self.data))), list[Step]()
        order = count()  # among equally near squares the first one
        squares = [(_distance(point, self.nodes[0]), next(order), self.nodes[0])]
        while squares:
            distance, _, square = heappop(squares)
            near = distance < best.radius
            trace.append(Step(square.number, "enter" if near else "skip", distance, best.radius))
            if not near:
                break  # the other squares are not nearer
            best.measure(np.linalg.norm(self.data[square.rows] - point, axis=1), square.rows)
            for child in square.children:
                heappush(squares, (_distance(point, child), next(order), child))
        return best.result(trace)

    def within(self, low: npt.ArrayLike, high: npt.ArrayLike) -> Indices:
        """Return the points in a closed box.

        Parameters
        ----------
        low, high : arrays of shape (2,)
            The corners of the box.

        Returns
        -------
        indices : array
            In ascending order.
        """
        lower, upper = check_query("QuadTree", low, 2), check_query("QuadTree", high, 2)
        found, squares = [np.empty(0, dtype=np.int64)], [self.nodes[0]]
        while squares:
            square = squares.pop()
            if (square.high < lower).any() or (square.low > upper).any():
                continue
            points = self.data[square.rows]
            found.append(square.rows[((lower <= points) & (points <= upper)).all(axis=1)])
            squares += square.children
        return np.sort(np.concatenate(found))


def _quarters(points: Floats, center: Floats) -> Indices:
    """Return the quarter of each point: 1 if right of the centre, plus 2 if above it."""
    return np.asarray((points >= center) @ [1, 2], dtype=np.int64)


def _distance(q: Floats, square: Square) -> float:
    outside = np.maximum(np.maximum(square.low - q, q - square.high), 0.0)
    return float(np.linalg.norm(outside))
