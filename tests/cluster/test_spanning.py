"""Minimum spanning trees: SciPy's lengths."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial import Delaunay
from scipy.spatial.distance import pdist, squareform

from gramian import _native, get_num_threads, set_num_threads
from gramian.cluster.spanning import spanning_tree


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 3), (300, 1), (500, 3), (400, 12)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_edge_lengths_match_scipy(n, d, dtype):
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


def prims_tree(X, core=None):
    edges = np.empty((len(X) - 1, 3))
    _native.rows_spanning_tree(X, np.empty(0) if core is None else core, edges)
    return edges


@pytest.mark.parametrize("change", ["none", "rounded", "equal", "far", "one row far", "scaled"])
@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_the_kd_tree_and_all_pairs_give_the_same_lengths(d, change):
    rng = np.random.default_rng(d)
    X = rng.normal(size=(2500, d))
    if change == "rounded":
        X = np.round(X, 1)
    elif change == "equal":
        X[:] = 1.0
    elif change == "far":
        X += 1e6
    elif change == "one row far":
        X[7] = 1e9
    elif change == "scaled":
        X *= 2.0**200
    for rows in (X, X.astype(np.float32)) if change != "scaled" else (X,):
        for core in (None, rng.uniform(0, 0.5, size=len(X))):
            edges, prims = spanning_tree(rows, core), prims_tree(rows, core)
            np.testing.assert_allclose(np.sort(edges[:, 2]), np.sort(prims[:, 2]), rtol=1e-12)
            pairs = edges[:, :2].astype(int)
            assert (
                connected_components(csr_array((np.ones(len(pairs)), pairs.T), shape=(2500,) * 2))[
                    0
                ]
                == 1
            )


def test_the_edges_are_the_same_for_any_number_of_threads():
    X = np.round(np.random.default_rng(3).normal(size=(4000, 3)), 1)
    before = get_num_threads()
    found = []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            found.append((spanning_tree(X), prims_tree(X)))
    finally:
        set_num_threads(before)
    for edges, prims in found[1:]:
        np.testing.assert_array_equal(edges, found[0][0])
        np.testing.assert_array_equal(prims, found[0][1])
