"""Binary space partitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gramian.neighbors import KDTree
from gramian.textbook.neighbors import BSPTree


def assert_nearest(points, queries, indices):
    least, _ = KDTree(points).query(queries)
    chosen = np.linalg.norm(queries - points[indices], axis=1)
    np.testing.assert_allclose(chosen, least[:, 0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("n", "d"), [(1, 3), (2, 5), (7, 3), (5, 4), (5, 5)])
def test_a_space_partition_finds_the_nearest_point(rng, n, d):
    points, queries = rng.normal(size=(n, d)), 2 * rng.normal(size=(300, d))
    tree = BSPTree(points)
    assert_nearest(points, queries, tree.locate_all(queries))
    assert tree.n_leaves >= n
    assert tree.depth < n


@settings(max_examples=15)
@given(arrays(np.float64, st.tuples(st.integers(1, 5), st.just(3)), elements=st.integers(0, 2)))
def test_a_space_partition_of_a_lattice(points):
    queries = np.random.default_rng(0).uniform(-1, 3, size=(50, 3))
    assert_nearest(points, queries, BSPTree(points).locate_all(queries))


def test_a_large_space_partition_is_refused():
    with pytest.raises(ValueError, match="at most 50"):
        BSPTree(np.zeros((51, 3)))
