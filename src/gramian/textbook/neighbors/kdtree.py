"""The textbook k-d tree, for study, traces and plots; use `KDTree` for speed.

Friedman, Bentley and Finkel, ACM TOMS 3(3), 1977; Bentley, CACM 18(9), 1975 (points in nodes);
Arya and Mount, SODA 1993 (the approximation).
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from numbers import Integral
from typing import Literal

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import (
    check_choice,
    check_count,
    check_points,
    check_query,
)
from gramian.neighbors.structures.radius_results import Indices
from gramian.textbook.neighbors.trace import Best, QueryResult, Step


@dataclass
class Node:
    """A box of space: a leaf with points, or divided at ``x[feature] = value``."""

    number: int  # in order of creation; the root is 0
    depth: int
    low: Floats  # corners of the box; infinite where it is unbounded
    high: Floats
    rows: Indices  # the points of a leaf, or the point stored at an inner node
    feature: int | None = None
    value: float = np.nan
    children: "tuple[Node, Node] | None" = None  # x[feature] <= value, and > value


class TextbookKDTree:
    """The textbook k-d tree, with its variants and a trace of every query.

    A node is a box of space. It is divided at a value of one feature; points with that value go
    to the lower side. A query compares its distance to a box, the length of
    max(low - q, 0, q - high), with the distance r of the k-th best point so far, and visits the box
    only if it is less than r / (1 + eps). A node whose points are all equal is not divided.

    Plain Python, to show how the search saves work; `KDTree` gives the same distances about a
    thousand times faster.

    Parameters
    ----------
    X : array of shape (n, d)
        The points.
    feature : "widest", "rotate" or "random", default="widest"
        The feature to divide at: the one with the largest spread in the node, cyclic by depth, or
        random. Features that are constant in the node are skipped.
    value : "median", "middle" or "alternate", default="median"
        Where to divide: at the median point (depth floor(log2 n) if there are no ties), at the
        middle of the points' spread, or at the median on odd levels and the middle on even ones,
        the root being level 1.
    store : "leaves" or "nodes", default="leaves"
        Whether inner nodes only divide, or store the point they divide at.
    leaf_size : int, default=1
        Maximum number of points in a leaf.
    smallest_leaf : int, default=1
        A node is not divided if a side would have fewer points than this; with 1, trees that store
        points in nodes may have empty sides.
    n_leaves : int, default=None
        Maximum number of leaves; the fullest leaves are divided first. None means no limit.
    p : float, default=2
        The order of the norm, 1 <= p <= inf.
    random_state : int, RandomState, Generator or None, default=None
        Seed or generator for the features if feature="random".

    Attributes
    ----------
    nodes : list of Node
        All nodes; the root is the first.

    Examples
    --------
    >>> from gramian.textbook.neighbors import TextbookKDTree
    >>> tree = TextbookKDTree([[0, 0], [1, 5], [4, 1], [6, 6]])
    >>> tree.depth
    2
    >>> result = tree.query([1, 4])
    >>> int(result.indices[0]), result.n_points, result.n_boxes
    (1, 2, 5)
    """

    def __init__(
        self,
        X: npt.ArrayLike,
        *,
        feature: Literal["widest", "rotate", "random"] = "widest",
        value: Literal["median", "middle", "alternate"] = "median",
        store: Literal["leaves", "nodes"] = "leaves",
        leaf_size: int = 1,
        smallest_leaf: int = 1,
        n_leaves: int | None = None,
        p: float = 2,
        random_state: object = None,
    ) -> None:
        self.data = check_points("TextbookKDTree", X)
        check_choice("TextbookKDTree", "feature", feature, ("widest", "rotate", "random"))
        check_choice("TextbookKDTree", "value", value, ("median", "middle", "alternate"))
        check_choice("TextbookKDTree", "store", store, ("leaves", "nodes"))
        counts = {"leaf_size": leaf_size, "smallest_leaf": smallest_leaf}
        if n_leaves is not None:
            counts["n_leaves"] = n_leaves
        for name, number in counts.items():
            if not isinstance(number, Integral) or number < 1:
                raise ParameterError(
                    f"TextbookKDTree: {name} must be an integer >= 1; got {number!r}."
                )
        if not p >= 1:
            raise ParameterError(f"TextbookKDTree: p must be in [1, inf]; got {p!r}.")
        self.feature, self.value, self.store = feature, value, store
        self.leaf_size, self.smallest_leaf, self.p = leaf_size, smallest_leaf, p
        self._draw = stream(seed_of(random_state))

        n, d = self.data.shape
        self.nodes = [Node(0, 0, np.full(d, -np.inf), np.full(d, np.inf), np.arange(n))]
        fullest = [(-n, 0)]
        leaves = 1
        while fullest and (n_leaves is None or leaves < n_leaves):
            node = self.nodes[heappop(fullest)[1]]
            if len(node.rows) > leaf_size and self._divide(node) and node.children:
                leaves += 1
                for child in node.children:
                    self.nodes.append(child)
                    heappush(fullest, (-len(child.rows), child.number))

    # --- building --------------------------------------------------------------------------------

    def _divide(self, node: Node) -> bool:
        """Divide a leaf unless its points are equal or a side would be too small."""
        feature = self._choose_feature(node)
        if feature is None:
            return False
        x = self.data[node.rows, feature]
        level = node.depth + 1
        at_median = self.value == "median" or (self.value == "alternate" and level % 2 == 1)
        stored = np.zeros(len(x), dtype=bool)
        if self.store == "nodes":
            # The median point, or that nearest to the middle.
            order = np.argsort(x, kind="stable")
            middle = (x.min() + x.max()) / 2
            chosen = order[len(x) // 2] if at_median else np.argmin(np.abs(x - middle))
            value = float(x[chosen])
            stored[chosen] = True
        else:
            value = float(np.sort(x)[(len(x) - 1) // 2] if at_median else (x.min() + x.max()) / 2)
            if not value < x.max():  # ties at the top: divide below them
                value = float(x[x < x.max()].max())
        lower, upper = (x <= value) & ~stored, (x > value) & ~stored
        enough = self.smallest_leaf if self.store == "leaves" or self.smallest_leaf > 1 else 0
        if min(lower.sum(), upper.sum()) < enough:
            return False
        left_high, right_low = node.high.copy(), node.low.copy()
        left_high[feature] = right_low[feature] = value
        number, rows = len(self.nodes), node.rows
        node.children = (
            Node(number, level, node.low, left_high, rows[lower]),
            Node(number + 1, level, right_low, node.high, rows[upper]),
        )
        node.feature, node.value, node.rows = feature, value, rows[stored]
        return True

    def _choose_feature(self, node: Node) -> int | None:
        points = self.data[node.rows]
        spread = np.ptp(points, axis=0)
        useful = np.flatnonzero(spread > 0)
        if not len(useful):
            return None
        if self.feature == "widest":
            return int(np.argmax(spread))
        if self.feature == "random":
            return int(self._draw.choice(useful))
        d = len(spread)
        return int(min(useful, key=lambda f: (f - node.depth) % d))

    @property
    def depth(self) -> int:
        """Depth of the deepest node; the root's is 0."""
        return max(node.depth for node in self.nodes)

    @property
    def leaves(self) -> list[Node]:
        """The nodes that are not divided."""
        return [node for node in self.nodes if node.children is None]

    # --- querying --------------------------------------------------------------------------------

    def query(
        self,
        q: npt.ArrayLike,
        k: int = 1,
        method: Literal["best_first", "overlap", "greedy"] = "best_first",
        eps: float = 0.0,
    ) -> QueryResult:
        """Find the k nearest points of one query, with the steps of the search.

        Parameters
        ----------
        q : array of shape (d,)
            The query.
        k : int, default=1
            Number of neighbours.
        method : "best_first", "overlap" or "greedy", default="best_first"
            "best_first" visits boxes by distance, from a min-heap. "overlap" visits the query's
            leaf, then on the way up every box that overlaps the ball of the k-th best point.
            "greedy" visits only that leaf and may miss the nearest point or find fewer than k.
        eps : float, default=0
            Boxes at distance r / (1 + eps) or more are skipped; the distances found are at most
            1 + eps times the true ones.

        Returns
        -------
        result : QueryResult
            ``distances``, ``indices``, numbers of computed distances (``n_points``) and visited
            boxes (``n_boxes``), and the ``trace`` of steps.
        """
        check_choice("TextbookKDTree", "method", method, ("best_first", "overlap", "greedy"))
        if not eps >= 0:
            raise ParameterError(f"TextbookKDTree: eps must be a number >= 0; got {eps!r}.")
        point = check_query("TextbookKDTree", q, self.data.shape[1])
        search = {
            "best_first": self._best_first,
            "overlap": self._overlap,
            "greedy": self._greedy,
        }[method]
        best, trace = Best(check_count("TextbookKDTree", k, len(self.data))), list[Step]()
        search(point, best, trace, 1 + eps)
        return best.result(trace)

    def _best_first(self, q: Floats, best: Best, trace: list[Step], stretch: float) -> None:
        """Visit boxes in order of distance until none can contain a nearer point."""
        order = count()  # among equally near boxes the first one
        boxes = [(0.0, next(order), self.nodes[0])]
        while boxes:
            distance, _, node = heappop(boxes)
            if not self._enter(node, distance, q, best, trace, stretch):
                break  # the other boxes are not nearer
            for child in node.children or ():
                heappush(boxes, (self._box_distance(q, child), next(order), child))

    def _overlap(self, q: Floats, best: Best, trace: list[Step], stretch: float) -> None:
        """Visit the query's leaf, then on the way up every box that overlaps the ball."""
        boxes = [self.nodes[0]]
        while boxes:
            node = boxes.pop()
            entered = self._enter(node, self._box_distance(q, node), q, best, trace, stretch)
            if entered and node.children is not None:
                near, far = self._near_and_far(q, node)
                boxes += [far, near]

    def _greedy(self, q: Floats, best: Best, trace: list[Step], stretch: float) -> None:
        """Descend to the query's leaf and stop."""
        node: Node | None = self.nodes[0]
        while node is not None:
            self._enter(node, 0.0, q, best, trace, stretch)
            node = self._near_and_far(q, node)[0] if node.children else None

    def _enter(
        self,
        node: Node,
        distance: float,
        q: Floats,
        best: Best,
        trace: list[Step],
        stretch: float,
    ) -> bool:
        """Compute the distances to the points of a node, unless its box is too far."""
        near = distance < best.radius / stretch
        trace.append(Step(node.number, "enter" if near else "skip", distance, best.radius))
        if near:
            apart = np.abs(self.data[node.rows] - q)
            best.measure(self._norm(apart), node.rows)
        return near

    def _near_and_far(self, q: Floats, node: Node) -> tuple[Node, Node]:
        assert node.children is not None
        assert node.feature is not None
        lower, upper = node.children
        return (lower, upper) if q[node.feature] <= node.value else (upper, lower)

    def _box_distance(self, q: Floats, node: Node) -> float:
        outside = np.maximum(np.maximum(node.low - q, q - node.high), 0.0)
        return float(self._norm(outside[None])[0])

    def _norm(self, differences: Floats) -> Floats:
        lengths: Floats = np.linalg.norm(differences, ord=self.p, axis=1)
        return lengths

    def greedy_failures(self, queries: npt.ArrayLike) -> float:
        """Return the fraction of queries whose nearest point is not in their own leaf.

        Parameters
        ----------
        queries : array of shape (m, d)

        Returns
        -------
        fraction : float
        """
        points = check_points("TextbookKDTree", queries)
        missed = [
            not np.array_equal(self.query(q, method="greedy").distances, self.query(q).distances)
            for q in points
        ]
        return float(np.mean(missed))
