"""Minimum spanning trees: SciPy's lengths."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial import Delaunay
from scipy.spatial.distance import pdist, squareform

from gramian.cluster.spanning import spanning_tree


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 3), (300, 1), (500, 3), (400, 12)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_lengths_are_scipys(n, d, dtype):
    X = np.random.default_rng(n).normal(size=(n, d)).astype(dtype)
    edges = spanning_tree(X)
    theirs = minimum_spanning_tree(squareform(pdist(X))).data if n > 1 else []
    np.testing.assert_allclose(np.sort(edges[:, 2]), np.sort(theirs), rtol=1e-12)


def test_mutual_reachability():
    rng = np.random.default_rng(0)
    X, core = rng.normal(size=(400, 3)), rng.uniform(0, 1, size=400)
    D = np.maximum(squareform(pdist(X)), np.maximum(core[:, None], core))
    np.fill_diagonal(D, 0)
    edges = spanning_tree(X, core)
    np.testing.assert_allclose(np.sort(edges[:, 2]), np.sort(minimum_spanning_tree(D).data))
    pairs = edges[:, :2].astype(int)
    np.testing.assert_allclose(D[pairs[:, 0], pairs[:, 1]], edges[:, 2])


def test_equal_rows_make_a_tree_too():
    X = np.repeat(np.arange(5.0), 40)[:, None]
    edges = spanning_tree(X)
    assert np.sort(edges[:, 2]).tolist() == [0.0] * 195 + [1.0] * 4


def test_blocks_of_many_rows_are_put_together():
    X = np.random.default_rng(1).normal(size=(9000, 2))
    lengths = np.sort(spanning_tree(X)[:, 2])
    edges = Delaunay(X).simplices[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    pairs = np.unique(np.sort(edges, axis=1), axis=0)  # the tree is part of the triangulation
    sizes = np.linalg.norm(X[pairs[:, 0]] - X[pairs[:, 1]], axis=1)
    graph = csr_array((sizes, pairs.T), shape=(9000, 9000))
    np.testing.assert_allclose(lengths, np.sort(minimum_spanning_tree(graph).data), rtol=1e-12)
