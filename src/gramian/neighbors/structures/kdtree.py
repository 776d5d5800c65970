"""The k-d tree: construction, and queries by number of neighbours and by radius.

Friedman, Bentley and Finkel, An Algorithm for Finding Best Matches in Logarithmic Expected Time,
ACM TOMS 3(3), 1977; the (1 + eps)-approximation is that of Arya and Mount, SODA 1993.
"""

from numbers import Integral, Real
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_array

from gramian import _native
from gramian.base.conversions import translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_finite
from gramian.base.types import Matrix
from gramian.neighbors.structures.lp_space import NORMS, lp_space
from gramian.neighbors.structures.radius_results import Indices, NeighborLists, split

Tree: TypeAlias = tuple[Any, ...]  # the arrays of cpp/core/kdtree/search.hpp without X

MAX_ROWS = 2**31 - 1


def build_tree(X: Matrix, leaf_size: int) -> Tree:
    """Build the tree of the rows of X.

    A node is divided at the median of its widest feature. A leaf contains at most `leaf_size` rows,
    or two if `leaf_size` is 1, in up to four dimensions; in more, where boxes exclude fewer points,
    five times `leaf_size`.
    """
    n, d = X.shape
    if n > MAX_ROWS:
        raise DataError(f"k-d tree: at most {MAX_ROWS} rows can be indexed; got {n}.")
    leaf_size = min(leaf_size, n)  # a larger leaf_size also means one leaf
    levels, capacity = _native.kdtree_shape(n, leaf_size if d <= 4 else 5 * leaf_size)
    leaves = 2**levels
    tree = (
        np.empty(n, np.int32),  # order
        np.empty((leaves, d, capacity), np.float32),  # points
        np.empty(leaves, np.float32),  # spread
        np.empty((leaves, d, 4), np.float32),  # boxes
        np.empty(leaves, np.int32),  # feature
        np.empty(leaves, X.dtype),  # value
        np.empty(2 * leaves, np.int32),  # first
    )
    _native.kdtree_build(_with_rows(X, tree))
    return tree


class Visits(NamedTuple):
    """Counts of the boxes and points that a batch of queries visited."""

    boxes: int
    points: int


def tree_nearest(
    X: Matrix,
    tree: Tree,
    queries: Matrix,
    k: int,
    p: float,
    eps: float = 0.0,
    *,
    best_first: bool = False,
) -> tuple[Matrix, Indices, Visits]:
    """Return distances and indices of the k nearest rows, by (distance, index), and visits."""
    distances = np.empty((len(queries), k), X.dtype)
    indices = np.empty((len(queries), k), np.int64)
    visits = _native.kdtree_nearest(
        _with_rows(X, tree), queries, p, eps, best_first, distances, indices
    )
    return distances, indices, Visits(*visits)


def tree_count(X: Matrix, tree: Tree, queries: Matrix, radii: npt.ArrayLike, p: float) -> Indices:
    """Return the number of rows within the radius of each query."""
    counts = np.empty(len(queries), np.int64)
    _native.kdtree_count(_with_rows(X, tree), queries, p, _one_each(radii, len(queries)), counts)
    return counts


def tree_within(
    X: Matrix,
    tree: Tree,
    queries: Matrix,
    radii: npt.ArrayLike,
    p: float,
    *,
    sort: bool,
) -> NeighborLists:
    """Return the rows within the radius of each query."""
    radii = _one_each(radii, len(queries))
    counts = tree_count(X, tree, queries, radii, p)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    indices = np.empty(offsets[-1], np.int64)
    distances = np.empty(offsets[-1], X.dtype)
    _native.kdtree_within(_with_rows(X, tree), queries, p, radii, offsets, sort, distances, indices)
    return NeighborLists(offsets, indices, distances)


def _with_rows(X: Matrix, tree: Tree) -> Any:
    return (X, *tree)


def _one_each(radii: npt.ArrayLike, n: int) -> npt.NDArray[np.float64]:
    return np.ascontiguousarray(np.broadcast_to(np.asarray(radii, dtype=np.float64), n))


class KDTree:
    """k-d tree for fast neighbour searches under any l_p norm, p >= 1.

    Every node contains a set of points and their tight bounding box; it is divided at the median of
    the feature in which the box is widest, down to the leaves, so the depth is about
    log2(n / leaf_size) for any data. A search visits a box only if its distance to the query,
    max(low - q, q - high, 0) in each feature, is below the distance r of the k-th best point so
    far; with ``eps > 0`` only if it is below r / (1 + eps).

    The results are those of an exhaustive search in float64, sorted by distance, then by index.
    Building costs O(d n log n), a query about O(d log n) for few features; beyond about twenty the
    boxes exclude few points. Duplicate points are allowed.

    Parameters
    ----------
    X : array of shape (n, d)
        The points. float32 stays float32. They are not copied, so do not modify them.
    leaf_size : int, default=40
        Maximum number of points in a leaf, where 1 means 2; five times `leaf_size` in more than
        four dimensions.
    metric : str, default="minkowski"
        "minkowski", "euclidean" ("l2"), "manhattan" ("l1", "cityblock") or "chebyshev" ("linf").
    p : float, default=2
        The order of the Minkowski metric, 1 <= p <= inf.

    Attributes
    ----------
    data : array of shape (n, d)
        The points.

    Examples
    --------
    >>> from gramian.neighbors import KDTree
    >>> tree = KDTree([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
    >>> distances, indices = tree.query([[3.0, 3.0]], k=2)
    >>> distances
    array([[1.        , 4.24264069]])
    >>> indices
    array([[1, 0]])
    >>> tree.query_radius([[3.0, 3.0]], r=4.5, count_only=True)
    array([2])
    """

    valid_metrics = ("minkowski", "p", *NORMS)

    def __init__(
        self, X: npt.ArrayLike, leaf_size: int = 40, metric: str = "minkowski", p: float = 2
    ) -> None:
        if leaf_size < 1:
            raise ParameterError(f"KDTree: leaf_size must be an integer >= 1; got {leaf_size!r}.")
        space = lp_space("KDTree", metric, p, None) if metric in self.valid_metrics else None
        if space is None:
            raise ParameterError(
                f"KDTree: metric must be one of {', '.join(map(repr, self.valid_metrics))}; "
                f"got {metric!r}."
            )
        self.data = _points("X", X)
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = space.p
        self._tree = build_tree(self.data, leaf_size)
        self._visits = Visits(0, 0)

    def query(
        self,
        X: npt.ArrayLike,
        k: int = 1,
        return_distance: bool = True,
        dualtree: bool = False,
        breadth_first: bool = False,
        sort_results: bool = True,
        *,
        eps: float = 0.0,
        order: Literal["leaf_first", "best_first"] = "leaf_first",
    ) -> Any:
        """Find the k nearest points of each query.

        Parameters
        ----------
        X : array of shape (m, d)
            The queries.
        k : int, default=1
            Number of neighbours, at most n.
        return_distance : bool, default=True
            Whether to return the distances too.
        dualtree, breadth_first : bool, default=False
            Ignored; present for scikit-learn compatibility.
        eps : float, default=0
            Boxes farther than r / (1 + eps) are skipped, r being the k-th best distance so far.
            The distance of the k-th point returned is then at most 1 + eps times the true one.
        sort_results : bool, default=True
            Ignored, results are always sorted; present for scikit-learn compatibility.
        order : "leaf_first" or "best_first", default="leaf_first"
            Order in which boxes are visited: from the query's own leaf outwards, or always the
            nearest box first, with a heap, which visits the fewest boxes but takes longer. The
            results are the same if eps is 0.

        Returns
        -------
        distances : array of shape (m, k)
            Only if return_distance is true.
        indices : array of shape (m, k)
        """
        queries = self._queries(X)
        if not isinstance(k, Integral) or not 1 <= k <= len(self.data):
            raise ParameterError(
                "KDTree: k must be between 1 and the number of points, "
                f"{len(self.data)}; got {k!r}."
            )
        if not isinstance(eps, Real) or not eps >= 0:
            raise ParameterError(f"KDTree: eps must be a number >= 0; got {eps!r}.")
        if order not in ("leaf_first", "best_first"):
            raise ParameterError(
                f"KDTree: order must be one of 'leaf_first', 'best_first'; got {order!r}."
            )
        distances, indices, self._visits = tree_nearest(
            self.data,
            self._tree,
            queries,
            int(k),
            self.p,
            float(eps),
            best_first=order == "best_first",
        )
        return (distances, indices) if return_distance else indices

    def query_radius(
        self,
        X: npt.ArrayLike,
        r: npt.ArrayLike,
        return_distance: bool = False,
        count_only: bool = False,
        sort_results: bool = False,
    ) -> Any:
        """Find the points within a distance r of each query.

        Parameters
        ----------
        X : array of shape (m, d)
            The queries.
        r : float or array of shape (m,)
            Radius, one for all queries or one per query; points at distance r are included.
        return_distance : bool, default=False
            Whether to return the distances too.
        count_only : bool, default=False
            Whether to return only the number of points.
        sort_results : bool, default=False
            Whether to sort by distance, then by index; the default is the order of the tree.

        Returns
        -------
        counts : array of shape (m,)
            Number of points within the radius; if count_only.
        indices : array of m arrays
            Indices of the points; with return_distance a tuple of indices and distances.
        """
        queries = self._queries(X)
        if np.shape(r) not in ((), (len(queries),)):
            raise ParameterError(
                f"KDTree: r must be a number or contain one radius for each of the {len(queries)} "
                f"queries; got shape {np.shape(r)}."
            )
        if np.asarray(r).dtype.kind not in "iuf" or not np.all(np.asarray(r) >= 0):
            raise ParameterError(
                f"KDTree: r must be a number >= 0, or one for each query; got {r!r}."
            )
        if count_only:
            return tree_count(self.data, self._tree, queries, r, self.p)
        found = tree_within(self.data, self._tree, queries, r, self.p, sort=sort_results)
        indices = split(found.indices, found.offsets)
        return (indices, split(found.distances, found.offsets)) if return_distance else indices

    def visits(self) -> Visits:
        """Return the numbers of boxes and points, with padding, that the last `query` visited."""
        return self._visits

    def _queries(self, X: npt.ArrayLike) -> Matrix:
        queries = _points("X", X, self.data.dtype)
        if queries.shape[1] != self.data.shape[1]:
            raise DataError(
                f"KDTree: X has {queries.shape[1]} features, but the tree has "
                f"{self.data.shape[1]}; pass the columns it was built from."
            )
        return queries


def _points(name: str, X: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Matrix:
    dtypes = [np.float64, np.float32] if dtype is None else dtype
    points: Matrix = translated(
        "KDTree", name, lambda: check_array(X, dtype=dtypes, order="C", ensure_all_finite=False)
    )
    check_finite("KDTree", name, points)
    return points
