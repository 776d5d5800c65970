"""Location in slabs of a Voronoi diagram finds the nearest point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.neighbors import KDTree
from gramian.textbook.neighbors import VoronoiSlabs, voronoi_edges

EIGHTHS = st.integers(-16, 16).map(lambda v: v / 8)


def planar(most):
    return arrays(np.float64, st.tuples(st.integers(1, most), st.just(2)), elements=EIGHTHS)


def assert_nearest(points, queries, indices):
    least, _ = KDTree(points).query(queries)
    chosen = np.linalg.norm(queries - points[indices], axis=1)
    np.testing.assert_allclose(chosen, least[:, 0], rtol=1e-9, atol=1e-12)


@given(planar(9), arrays(np.float64, (12, 2), elements=EIGHTHS))
def test_slabs_find_the_nearest_point_on_a_lattice(points, queries):
    """Ties, equal points, points on a line and vertical edges included."""
    assert_nearest(points, queries, VoronoiSlabs(points).locate_all(queries))


def test_slabs_find_the_nearest_of_many_points(rng):
    points, queries = rng.normal(size=(40, 2)), 2 * rng.normal(size=(500, 2))
    slabs = VoronoiSlabs(points)
    assert_nearest(points, queries, slabs.locate_all(queries))
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
