"""Voronoi cells: membership in any dimension, and the largest number of vertices.

The cell of a point p_i is the intersection of the half-spaces nearer to it than to each other
point,

    {x : (p_j - p_i).x <= (|p_j|^2 - |p_i|^2) / 2 for all j}.

`gramian.plot.voronoi_cells` gives the cells of the plane as polygons; `scipy.spatial.Voronoi`
the vertices and ridges in a few dimensions.
"""

from math import comb

import numpy as np
import numpy.typing as npt

from gramian.base.errors import ParameterError
from gramian.base.types import Floats
from gramian.neighbors.structures.input_checks import check_points


def cell_half_spaces(points: npt.ArrayLike, i: int) -> tuple[Floats, Floats]:
    """Return the half-spaces A x <= b whose intersection is the Voronoi cell of point i.

    Parameters
    ----------
    points : array of shape (n, d)
    i : int
        The point.

    Returns
    -------
    A : array of shape (n, d)
        Row j is p_j - p_i, zero for j = i.
    b : array of shape (n,)

    Examples
    --------
    >>> from gramian.textbook.neighbors import cell_half_spaces
    >>> cell_half_spaces([[0.0], [4.0]], 0)
    (array([[0.],
           [4.]]), array([0., 8.]))
    """
    sites = check_points("cell_half_spaces", points)
    if not 0 <= i < len(sites):
        raise ParameterError(
            f"cell_half_spaces: i must be the index of one of the {len(sites)} points; got {i!r}."
        )
    A = sites - sites[i]
    return A, np.einsum("jt,jt->j", A, (sites + sites[i]) / 2)


def in_voronoi_cell(points: npt.ArrayLike, i: int, queries: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return which queries lie in the Voronoi cell of a point, by its half-spaces.

    A query on a boundary lies in all adjacent cells, up to rounding. One query costs O(n d), in any
    number of dimensions.

    Parameters
    ----------
    points : array of shape (n, d)
    i : int
        Index of the point that owns the cell.
    queries : array of shape (m, d)

    Returns
    -------
    inside : array of shape (m,)

    Examples
    --------
    >>> from gramian.textbook.neighbors import in_voronoi_cell
    >>> in_voronoi_cell([[0, 0, 0], [2, 0, 0]], 0, [[0.5, 7, 7], [1.5, 0, 0]])
    array([ True, False])
    """
    A, b = cell_half_spaces(points, i)
    rows = check_points("in_voronoi_cell", queries, A.shape[1])
    inside: npt.NDArray[np.bool_] = np.all(rows @ A.T <= b, axis=1)
    return inside


def most_voronoi_vertices(n: int, d: int) -> int:
    """Return the largest number of vertices that a Voronoi diagram of n points can have.

    The vertices are the lower facets of a polytope with n corners in d + 1 dimensions, which has at
    most as many facets as the cyclic polytope (McMullen 1970); at least one is an upper facet. The
    number grows as n^ceil(d/2): 2n - 5 in the plane, n(n - 3)/2 - 1 in space.

    Parameters
    ----------
    n : int
        Number of points.
    d : int
        Number of dimensions, at least 1.

    Returns
    -------
    vertices : int

    Examples
    --------
    >>> from gramian.textbook.neighbors import most_voronoi_vertices
    >>> [most_voronoi_vertices(100, d) for d in (1, 2, 3, 5)]
    [99, 195, 4849, 151999]
    """
    if n < 1 or d < 1:
        raise ParameterError(
            f"most_voronoi_vertices: n and d must be at least 1; got n={n!r}, d={d!r}."
        )
    if n <= d + 1:  # fewer points have no vertex; a simplex has one centre
        return int(n == d + 1)
    half, odd = divmod(d + 1, 2)
    facets = 2 * comb(n - half - 1, half) if odd else n * comb(n - half, half) // (n - half)
    return facets - 1
