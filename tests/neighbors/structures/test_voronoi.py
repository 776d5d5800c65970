"""Voronoi cells."""

import numpy as np
import pytest
from scipy.spatial import Voronoi

from gramian import (
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
