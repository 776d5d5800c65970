"""Voronoi cells."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import Voronoi

from gramian.neighbors import KDTree
from gramian.textbook.neighbors import (
    cell_half_spaces,
    in_voronoi_cell,
    most_voronoi_vertices,
    voronoi_edges,
)


def test_edges_are_the_ridges_of_scipy(rng):
    points = rng.normal(size=(30, 2))
    edges, other = voronoi_edges(points), Voronoi(points)
    mine = {frozenset((edge.below, edge.above)) for edge in edges}
    assert mine == {frozenset(pair) for pair in other.ridge_points.tolist()}
    ends = [e.middle + t * e.along for e in edges for t in (e.start, e.end) if np.isfinite(t)]
    apart = np.linalg.norm(np.array(ends)[:, None] - other.vertices[None], axis=2)
    assert apart.min(axis=1).max() < 1e-6
    assert apart.min(axis=0).max() < 1e-6


@pytest.mark.parametrize(("n", "d"), [(5, 2), (30, 2), (12, 3), (9, 4)])
def test_no_diagram_has_more_vertices_than_the_bound(rng, n, d):
    assert len(Voronoi(rng.normal(size=(n, d))).vertices) <= most_voronoi_vertices(n, d)


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
