"""Neighbours in chunks: the same from the tree and from a graph."""

import numpy as np

from gramian.cluster.density import balls
from gramian.cluster.density.balls import radius_search


def test_tree_and_graph_agree(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 2))
    search = {"metric": "euclidean", "metric_params": None, "leaf_size": 30, "p": 2}
    monkeypatch.setattr(balls, "_CHUNK", 700)
    tree = radius_search("test", X, 0.4, 5, {**search, "algorithm": "kd_tree"})
    graph = radius_search("test", X, 0.4, 5, {**search, "algorithm": "brute"})
    np.testing.assert_array_equal(tree.counts(), graph.counts())
    wanted = np.arange(0, 300, 3)
    found = {}
    for kind, lists in (("tree", tree.lists(wanted)), ("graph", graph.lists(wanted))):
        found[kind] = {
            int(row): sorted(neighbors[start:stop].tolist())
            for rows, offsets, neighbors in lists
            for row, start, stop in zip(rows, offsets, offsets[1:], strict=False)
        }
    assert found["tree"] == found["graph"]
    assert list(found["graph"]) == wanted.tolist()
