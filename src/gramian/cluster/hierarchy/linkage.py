"""The tree of clusters under each linkage, in SciPy's format."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import squareform

from gramian import _native
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import params
from gramian.base.inputs.gate import check_finite, check_fit, check_size
from gramian.base.kinds import Estimator
from gramian.base.types import Matrix, Table
from gramian.cluster.dissimilarities import (
    Dissimilarities,
    dissimilarity_matrix,
    is_euclidean,
)
from gramian.cluster.spanning import spanning_tree
from gramian.neighbors.structures.lp_space import LpSpace, MetricField
from gramian.neighbors.structures.search import ExhaustiveSearch, TreeSearch, choose_method

LinkageName: TypeAlias = Literal[
    "single", "complete", "average", "weighted", "ward", "centroid", "median", "medoid"
]
METHODS = get_args(LinkageName)
REDUCIBLE = ("complete", "average", "weighted")
OF_POINTS = ("ward", "centroid", "median")  # defined by squared Euclidean distances

# Number of features above which a tree is computed faster from all distances.
_MANY_FEATURES = {"single": 200, "complete": 40, "average": 40, "weighted": 40, "ward": 120}
_MOST_ROWS = 20_000  # their distances take 3.2 GB


class Tree(NamedTuple):
    """A tree of clusters, with the medoids of its merges for medoid linkage."""

    Z: Dissimilarities
    medoids: npt.NDArray[np.int32] | None = None


@params
class _Linkage(Estimator):
    """Parameters of `linkage`, for validation."""

    method: LinkageName = "single"
    metric: MetricField = "euclidean"
    metric_params: dict[str, Any] | None = None


_Linkage.__name__ = "linkage"  # the name in error messages


def linkage(
    X: Table,
    method: str = "single",
    metric: object = "euclidean",
    *,
    metric_params: Mapping[str, Any] | None = None,
) -> Dissimilarities:
    r"""Join the two nearest clusters repeatedly, from single rows to one cluster.

    The linkage defines the distance of clusters A and B:

    ===========  ==============================================================
    single       least :math:`d(x, y)` for x in A, y in B
    complete     greatest :math:`d(x, y)`
    average      mean of :math:`d(x, y)` over all pairs (UPGMA)
    weighted     mean of the dissimilarities of the two parts of A (WPGMA)
    ward         :math:`\sqrt{2 |A| |B| / (|A| + |B|)}` times the distance of the means
    centroid     distance of the means (UPGMC)
    median       distance of the midpoints of the midpoints of the parts (WPGMC)
    medoid       :math:`d` of the medoids, the rows of minimum summed dissimilarity
    ===========  ==============================================================

    The tree is that of the naive O(n^3) algorithm; if several pairs are nearest, one of them is
    joined. The time is O(n^2 d): single linkage uses a minimum spanning tree, complete to Ward use
    chains of nearest neighbours (Murtagh 1983), the last three, whose heights may fall, use lists
    of nearest neighbours (Muellner, arXiv:1109.2378). Single linkage of few features is faster, by
    Boruvka's algorithm on a k-d tree. Memory is O(n d) for single, Ward, centroid and median
    linkage of Euclidean rows, else O(n^2).

    Parameters
    ----------
    X : array of shape (n, d), or of shape (n (n - 1) / 2,)
        The rows; or the dissimilarities of all pairs, as ``scipy.spatial.distance.pdist`` returns
        them; or, with ``metric="precomputed"``, a square matrix of them.
    method : str, default="single"
        The linkage, a name from the table.
    metric : str or function, default="euclidean"
        The dissimilarity of two rows. Ward, centroid and median linkage need the Euclidean one.
    metric_params : dict, optional
        Further parameters of the metric.

    Returns
    -------
    Z : array of shape (n - 1, 4)
        Row i joins clusters ``Z[i, 0] < Z[i, 1]`` at the height ``Z[i, 2]`` to cluster n + i, which
        has ``Z[i, 3]`` rows; clusters below n are the rows. See `Dendrogram`.

    Examples
    --------
    >>> from gramian.cluster import linkage
    >>> linkage([[0.0], [1.0], [5.0]], "complete")
    array([[0., 1., 1., 2.],
           [2., 3., 5., 3.]])
    """
    checker = _Linkage(method, metric, None if metric_params is None else dict(metric_params))
    if np.ndim(X) == 1:
        return tree_of_matrix(_square(np.asarray(X)), method).Z
    table = check_fit(checker, X)
    check_linkage("linkage", method, metric, metric_params)
    return tree_of_rows(checker, table, method, metric, metric_params).Z


def check_linkage(owner: str, method: str, metric: object, parameters: Any = None) -> None:
    """Raise if the linkage requires Euclidean distances and the metric is another."""
    precomputed = isinstance(metric, str) and metric == "precomputed"
    if method in OF_POINTS and not precomputed and not is_euclidean(metric, parameters):
        raise ParameterError(
            f"{owner}: {method!r} linkage requires Euclidean distances; got metric="
            f"{metric!r}. Use 'average', 'complete', 'single' or 'medoid' linkage with it."
        )


def tree_of_rows(
    estimator: Estimator, X: Matrix, method: str, metric: object, parameters: Any = None
) -> Tree:
    """Return the tree of checked rows."""
    owner = type(estimator).__name__
    n, d = X.shape
    if not is_euclidean(metric, parameters):
        return tree_of_matrix(dissimilarity_matrix(owner, X, metric, parameters), method)
    check_size(estimator, "X", X)
    Z = np.empty((n - 1, 4))
    low_memory = n > _MOST_ROWS or d <= _MANY_FEATURES.get(method, 0)
    if method == "single" and low_memory:
        _native.tree_of_edges(spanning_tree(X), Z)
    elif method == "ward" and n > 1 and low_memory:
        _native.ward_linkage(X, _nearest(X), Z)
    elif method in REDUCIBLE and n > 1 and low_memory:
        _native.rows_linkage(X, _nearest(X), method, Z)
    elif method in ("centroid", "median"):
        _native.center_linkage(X, method, Z)
    else:
        return tree_of_matrix(dissimilarity_matrix(owner, X, "euclidean"), method)
    return Tree(Z)


def tree_of_matrix(D: Dissimilarities, method: str) -> Tree:
    """Return the tree of a dissimilarity matrix, which is overwritten."""
    n = len(D)
    Z = np.empty((n - 1, 4))
    if method == "single":
        edges = np.empty((n - 1, 3))
        _native.matrix_spanning_tree(D, edges)
        _native.tree_of_edges(edges, Z)
    elif method == "medoid":
        medoids = np.empty(n - 1, np.int32)
        _native.medoid_linkage(D, Z, medoids)
        return Tree(Z, medoids)
    else:
        _native.matrix_linkage(D, method, Z)
    return Tree(Z)


def _nearest(X: Matrix) -> npt.NDArray[np.int64]:
    """Return the nearest other row of each row."""
    search: TreeSearch | ExhaustiveSearch
    chosen, tree = choose_method(X, 2, 2.0, "auto", 30)
    if chosen == "kd_tree":
        assert tree is not None
        search = TreeSearch(X, tree, LpSpace(2.0))
    else:
        search = ExhaustiveSearch(X, LpSpace(2.0))
    return np.ascontiguousarray(search.nearest(None, 1)[1][:, 0])


def _square(condensed: npt.NDArray[Any]) -> Dissimilarities:
    """Return the square matrix of pairwise dissimilarities in SciPy's condensed form."""
    try:
        values = np.ascontiguousarray(condensed, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"linkage: X must contain numbers; {error}.") from None
    check_finite("linkage", "X", values)
    n = round((1 + np.sqrt(1 + 8 * len(values))) / 2)
    if n * (n - 1) // 2 != len(values) or not len(values):
        raise DataError(
            "linkage: a one-dimensional X must contain the dissimilarities of all pairs of n rows, "
            f"n (n - 1) / 2 numbers; got {len(values)}. Pass rows as an array of shape (n, d)."
        )
    if values.min() < 0:
        raise DataError(
            f"linkage: dissimilarities must be >= 0; got {values.min():g}. Pass distances, not "
            "similarities."
        )
    D: Dissimilarities = squareform(values, checks=False)
    return D
