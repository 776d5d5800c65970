"""Trees that respect a graph."""

import numpy as np
import pytest
import scipy.sparse as sp

from gramian.cluster.hierarchy.connectivity import connected_tree
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
