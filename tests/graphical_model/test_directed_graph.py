"""Directed acyclic graphs."""

import pytest

from gramian.graphical_model import DirectedGraph

FAMILY = {"d": ["b", "c"], "b": ["a"], "c": ["a"], "a": [], "e": []}


def test_parents_come_before_children():
    graph = DirectedGraph(FAMILY)
    place = {node: i for i, node in enumerate(graph.nodes)}
    assert sorted(graph.nodes) == list("abcde")
    assert all(place[p] < place[c] for p, c in graph.edges)
    assert len(graph.edges) == 4
    assert graph.children("a") == ("b", "c")
    assert graph.ancestors(["d"]) == {"a", "b", "c"}


def test_cycles_are_named():
    with pytest.raises(ValueError, match=r"no cycle; got 'a' -> 'b' -> 'c' -> 'a'\. Remove"):
        DirectedGraph({"a": ["c"], "b": ["a"], "c": ["b"], "z": []})


def test_unknown_and_repeated_parents():
    with pytest.raises(ValueError, match="'x', which is not a node"):
        DirectedGraph({"a": ["x"]})
    with pytest.raises(ValueError, match="has a parent twice"):
        DirectedGraph({"a": ["b", "b"], "b": []})
    with pytest.raises(ValueError, match="at least one node"):
        DirectedGraph({})
