"""Trees that respect a graph."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.base.errors import DataError, ParameterError
from gramian.cluster.hierarchy.connectivity import (
    check_connectivity,
    connected_tree,
    join_components,
)
from gramian.cluster.hierarchy.linkage import linkage


def path(n):
    return sp.csr_array(sp.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1], shape=(n, n)))


@pytest.mark.parametrize("method", ["ward", "complete", "average", "single"])
def test_along_a_path_clusters_are_intervals(method):
    X = np.random.default_rng(0).normal(size=(30, 2))
    members = {i: {i} for i in range(30)}
    for i, (a, b) in enumerate(connected_tree("test", X, path(30), method, "euclidean")[:, :2]):
        members[30 + i] = own = members[int(a)] | members[int(b)]
        assert max(own) - min(own) == len(own) - 1


def test_single_linkage_on_a_line_needs_only_its_path():
    X = np.sort(np.random.default_rng(1).normal(size=(20, 1)), axis=0)
    np.testing.assert_allclose(
        connected_tree("test", X, path(20), "single", "euclidean"), linkage(X, "single")
    )


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_a_graph_of_few_edges_needs_no_matrix_of_all_distances(metric):
    n = 3000
    X = np.random.default_rng(0).normal(size=(n, 2))
    graph = path(n)
    graph[n // 2, n // 2 - 1] = graph[n // 2 - 1, n // 2] = 0
    graph.eliminate_zeros()
    tracemalloc.start()
    try:
        with pytest.warns(UserWarning, match="connected components .* is 2"):
            joined, count = join_components("test", X, graph, metric)
        connected_tree("test", X, joined, "average", metric)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 2
    assert peak < n * n * 8 / 2


def test_components_are_joined_by_their_nearest_rows():
    X = np.array([[0.0], [1.0], [5.0], [3.0]])
    graph = sp.csr_array(np.kron(np.eye(2), [[0.0, 1.0], [1.0, 0.0]]))
    with pytest.warns(UserWarning, match="nearest rows of every pair"):
        joined, _ = join_components("test", X, graph, "euclidean")
    assert joined.toarray()[1].tolist() == [1.0, 0.0, 0.0, 1.0]


def test_given_dissimilarities_are_checked():
    with pytest.raises(DataError, match="test: precomputed dissimilarities must be symmetric"):
        check_connectivity(
            "test", path(2), np.array([[0.0, 1.0], [2.0, 0.0]]), "single", "precomputed"
        )


def test_wards_centroids_need_rows():
    with pytest.raises(ParameterError, match="linkage='ward' with connectivity needs rows"):
        check_connectivity("test", path(2), 1.0 - np.eye(2), "ward", "precomputed")
