"""The line, the slabs, the space partition and the cells agree with an exhaustive search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian import (
    KDTree,
    VoronoiSlabs,
    cell_half_spaces,
    in_voronoi_cell,
    most_voronoi_vertices,
    voronoi_edges,
)

EIGHTHS = st.integers(-16, 16).map(lambda v: v / 8)


def planar(most):
    return arrays(np.float64, st.tuples(st.integers(1, most), st.just(2)), elements=EIGHTHS)


def is_nearest(points, queries, indices):
    least, _ = KDTree(points).query(queries)
    chosen = np.linalg.norm(queries - points[indices], axis=1)
    np.testing.assert_allclose(chosen, least[:, 0], rtol=1e-9, atol=1e-12)


@given(planar(9), arrays(np.float64, (12, 2), elements=EIGHTHS))
def test_slabs_find_the_nearest_point_on_a_lattice(points, queries):
    """Ties, equal points, points on a line and vertical edges included."""
    is_nearest(points, queries, VoronoiSlabs(points).locate_all(queries))


def test_slabs_find_the_nearest_of_many_points(rng):
    points, queries = rng.normal(size=(40, 2)), 2 * rng.normal(size=(500, 2))
    slabs = VoronoiSlabs(points)
    is_nearest(points, queries, slabs.locate_all(queries))
    assert len(slabs.slabs) == len(slabs.breaks) + 1
    assert max(map(len, slabs.slabs)) < len(points)


def test_points_on_edges_are_equally_near_to_both_sites(rng):
    points = rng.normal(size=(15, 2))
    for edge in voronoi_edges(points):
        start, end = np.clip([edge.start, edge.end], -5, 5)
        at = edge.middle + (start + end) / 2 * edge.along
        away = np.linalg.norm(points - at, axis=1)
        assert away[edge.below] == pytest.approx(away[edge.above])
        assert away[edge.below] == pytest.approx(away.min())


@given(st.integers(1, 8), st.integers(1, 7), st.integers(0, 2**32 - 1))
def test_a_cell_holds_what_is_nearest_in_any_dimension(n, d, seed):
    rng = np.random.default_rng(seed)
    points, queries = rng.normal(size=(n, d)), rng.normal(size=(20, d))
    cells = np.array([in_voronoi_cell(points, i, queries) for i in range(n)])
    nearest = KDTree(points).query(queries, return_distance=False)[:, 0]
    np.testing.assert_array_equal(cells.sum(axis=0), 1)
    np.testing.assert_array_equal(cells.argmax(axis=0), nearest)
    A, b = cell_half_spaces(points, 0)
    assert (A @ points[0] <= b).all()


def test_cells_of_points_that_are_not_there():
    with pytest.raises(ValueError, match="index of one of the 2 points"):
        in_voronoi_cell([[0.0], [1.0]], 2, [[0.0]])
    with pytest.raises(ValueError, match="1 columns"):
        in_voronoi_cell([[0.0], [1.0]], 0, [[0.0, 1.0]])


def test_the_bound_in_few_dimensions_and_its_growth():
    assert [most_voronoi_vertices(n, 1) for n in (1, 2, 9)] == [0, 1, 8]
    assert [most_voronoi_vertices(n, 2) for n in (2, 3, 10)] == [0, 1, 15]  # 2n - 5
    assert most_voronoi_vertices(10, 3) == 10 * 7 // 2 - 1
    for d in range(1, 8):
        slope = np.log2(most_voronoi_vertices(2**21, d) / most_voronoi_vertices(2**20, d))
        assert slope == pytest.approx(np.ceil(d / 2), abs=0.01)
    with pytest.raises(ValueError, match="at least 1"):
        most_voronoi_vertices(0, 2)
