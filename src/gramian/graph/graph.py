"""Weighted undirected graphs."""

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from gramian.base.errors import DataError
from gramian.base.types import Floats, RowNumbers, Table

Labels = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
Masses = Literal["unit", "degree"] | npt.ArrayLike


class Graph:
    r"""A weighted undirected graph on n vertices, with masses.

    The weights are a symmetric matrix A without negative entries. With the degrees D, the
    Laplacian is :math:`L = D - A`: its rows sum to 0, and for every vector y

    .. math:: y^T L y = \sum_{i < j} a_{ij} (y_i - y_j)^2 \ge 0

    Self-loops cross no cut and are dropped. Reference: Chung, Spectral Graph Theory, 1997.

    Parameters
    ----------
    weights
        Symmetric matrix (n, n), dense or sparse; 0 means no edge.
    masses
        The mass of each vertex, for balanced cuts: "unit", "degree" for the normalised cut, or n
        positive numbers. With "degree" a vertex without edges has mass 0.

    Attributes
    ----------
    weights : CSR array of shape (n, n)
        Both directions of every edge.
    masses : array of shape (n,)
        The masses.
    degrees : array of shape (n,)
        Sums of the weights at each vertex, the diagonal of L.

    Examples
    --------
    >>> from gramian.graph import Graph
    >>> path = Graph.from_edges([[0, 1], [1, 2]])
    >>> path.laplacian().toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    """

    weights: sp.csr_array
    masses: Floats
    degrees: Floats

    def __init__(self, weights: Any, masses: Masses = "unit") -> None:
        self.weights = check_adjacency("Graph", weights)
        self.degrees = np.asarray(self.weights.sum(axis=1), dtype=np.float64)
        self.masses = _check_masses(masses, self.degrees)

    @classmethod
    def from_edges(
        cls,
        edges: npt.ArrayLike,
        weights: Table = None,
        *,
        n_vertices: int | None = None,
        masses: Masses = "unit",
    ) -> Self:
        """Create a graph from a list of edges; weights of repeated edges are added.

        Parameters
        ----------
        edges
            Pairs of vertices, shape (m, 2).
        weights
            One weight per edge; None for 1.
        n_vertices
            Number of vertices; None for one more than the largest index in edges.
        masses
            See `Graph`.

        Examples
        --------
        >>> Graph.from_edges([[0, 1], [1, 2]], [2.0, 0.5]).degrees
        array([2. , 2.5, 0.5])
        """
        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise DataError(
                f"Graph: edges must be pairs of vertex indices, shape (m, 2); got shape "
                f"{pairs.shape} of {pairs.dtype}."
            )
        n = int(pairs.max(initial=-1)) + 1 if n_vertices is None else n_vertices
        if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
            raise DataError(
                f"Graph: edges must join vertices 0 to {n - 1}; got {pairs.min()} to "
                f"{pairs.max()}. Increase n_vertices."
            )
        values = np.ones(len(pairs)) if weights is None else _numbers("Graph", "weights", weights)
        if values.shape != (len(pairs),):
            raise DataError(
                f"Graph: weights must contain one number for each of {len(pairs)} edges; got shape "
                f"{values.shape}."
            )
        ends = np.concatenate([pairs, pairs[:, ::-1]]).T
        both = sp.coo_array((np.concatenate([values, values]), (ends[0], ends[1])), shape=(n, n))
        return cls(both, masses)

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return int(self.weights.shape[0])

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return int(self.weights.nnz // 2)

    def edges(self) -> tuple[RowNumbers, Floats]:
        """Return the edges, each once with the lower vertex first, and their weights.

        Examples
        --------
        >>> Graph.from_edges([[2, 1], [0, 1]]).edges()[0].tolist()
        [[0, 1], [1, 2]]
        """
        upper = sp.coo_array(sp.triu(self.weights, 1))
        rows, columns = upper.coords
        order = np.lexsort((columns, rows))
        pairs = np.stack([rows, columns], axis=1)[order].astype(np.intp)
        return pairs, np.asarray(upper.data[order])

    def laplacian(self, *, normalized: bool = False) -> sp.csr_array:
        """Return L = D - A, or M^(-1/2) L M^(-1/2) with the masses M.

        Parameters
        ----------
        normalized
            Whether to scale by the masses; with those of "degree" this is the symmetric normalised
            Laplacian I - D^(-1/2) A D^(-1/2), whose eigenvalues lie between 0 and 2.
        """
        matrix = sp.csr_array(sp.diags_array(self.degrees) - self.weights)
        if normalized:
            root = 1 / np.sqrt(self.positive_masses())
            scale = sp.diags_array(root)
            matrix = sp.csr_array(scale @ matrix @ scale)
        return matrix

    def positive_masses(self) -> Floats:
        """Return the masses with 0 replaced by 1, for vertices without edges."""
        return np.where(self.masses > 0, self.masses, 1.0)

    def components(self) -> tuple[int, Labels]:
        """Return the number of connected components, and the component of each vertex.

        Examples
        --------
        >>> Graph.from_edges([[0, 2], [1, 3]]).components()[1].tolist()
        [0, 1, 0, 1]
        """
        count, labels = connected_components(self.weights, directed=False)
        return int(count), labels.astype(np.int32)

    def subgraph(self, vertices: npt.ArrayLike) -> "Graph":
        """Return the induced subgraph of the given vertices."""
        chosen = np.asarray(vertices)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        inner = self.weights[chosen][:, chosen]
        part = Graph(inner)
        part.masses = self.masses[chosen]
        return part

    def with_masses(self, masses: Masses) -> "Graph":
        """Return the same graph with other masses."""
        return Graph(self.weights, masses)

    def __repr__(self) -> str:
        return f"Graph({self.n_vertices} vertices, {self.n_edges} edges)"


def check_adjacency(owner: str, weights: Table, *, name: str = "weights") -> sp.csr_array:
    """Return weights as CSR without diagonal and zeros; raise unless they are an adjacency."""
    matrix = sp.csr_array(weights) if sp.issparse(weights) else _dense(owner, name, weights)
    matrix = sp.csr_array(matrix, dtype=np.float64)
    if matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise DataError(
            f"{owner}: {name} must be a square matrix of at least one vertex; got shape "
            f"{matrix.shape}."
        )
    matrix.sum_duplicates()
    check_weight_values(owner, name, matrix.data)
    asymmetry = float(np.abs((matrix - matrix.T).data).max(initial=0.0))
    largest = float(matrix.data.max(initial=0.0))
    if asymmetry > 1e-10 * largest:
        raise DataError(
            f"{owner}: {name} must be symmetric; two of its entries (i, j) and (j, i) differ by "
            f"{asymmetry:.3g}. Pass ({name} + {name}.T) / 2."
        )
    if asymmetry > 0:
        matrix = sp.csr_array((matrix + matrix.T) / 2)
    if matrix.diagonal().any():
        matrix = sp.csr_array(matrix - sp.diags_array(matrix.diagonal()))
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def check_weight_values(owner: str, name: str, values: Floats) -> None:
    """Raise unless weights are finite, not negative, and their sums stay finite."""
    if not np.isfinite(values).all():
        raise DataError(
            f"{owner}: {name} contains NaN or infinity; omit the edge, or give it a weight."
        )
    if values.size and values.min() < 0:
        raise DataError(
            f"{owner}: Negative values in data: {name} must be similarities >= 0; the smallest is "
            f"{values.min():.3g}. Turn distances d into similarities, for example exp(-d^2)."
        )
    if values.size and float(values.max()) > 1e150:
        raise DataError(
            f"{owner}: {name} must be at most 1e150, so that sums stay finite; got "
            f"{values.max():.3g}. Divide {name} by a constant."
        )


def _dense(owner: str, name: str, weights: Any) -> npt.NDArray[np.float64]:
    matrix = _numbers(owner, name, weights)
    if matrix.ndim != 2:
        raise DataError(f"{owner}: {name} must be a matrix; got {matrix.ndim} dimensions.")
    return matrix


def _numbers(owner: str, name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{owner}: {name} must contain numbers; {error}.") from None


def _check_masses(masses: Masses, degrees: Floats) -> Floats:
    if isinstance(masses, str):
        if masses not in ("unit", "degree"):
            raise DataError(
                f"Graph: masses must be 'unit', 'degree' or {len(degrees)} numbers; got {masses!r}."
            )
        return np.ones(len(degrees)) if masses == "unit" else degrees.copy()
    values = _numbers("Graph", "masses", masses).copy()
    if values.shape != degrees.shape:
        raise DataError(
            f"Graph: masses must contain {len(degrees)} numbers, one per vertex; got shape "
            f"{values.shape}."
        )
    if not (np.isfinite(values).all() and (values > 0).all()):
        raise DataError("Graph: masses must be positive and finite; remove vertices of mass 0.")
    return values


def check_labels(owner: str, graph: Graph, labels: npt.ArrayLike | Sequence[Any]) -> Labels:
    """Return the part of each vertex as 0, 1, ...; raise if the length is wrong."""
    array = np.asarray(labels)
    if array.shape != (graph.n_vertices,):
        raise DataError(
            f"{owner}: labels must contain the part of each of {graph.n_vertices} vertices; got "
            f"shape {array.shape}."
        )
    return np.unique(array, return_inverse=True)[1].astype(np.int32)
