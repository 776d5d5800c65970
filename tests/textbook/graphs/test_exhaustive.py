from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from gramian.base.errors import DataError, ParameterError
from gramian.graph import Graph, cut_weight, isoperimetric_ratio, sparsity
from gramian.textbook.graphs import best_cut
from tests.graph.graphs import PATH, TRIANGLES, graphs


@given(graph=graphs(most=6))
@settings(max_examples=30)
def test_no_bipartition_is_better(graph):
    every = [(0, *rest) for rest in product((0, 1), repeat=graph.n_vertices - 1) if any(rest)]
    for objective, value in (("sparsity", sparsity), ("ratio", isoperimetric_ratio)):
        found = best_cut(graph, objective)
        assert found.value == pytest.approx(min(value(graph, labels) for labels in every))
        assert value(graph, found.labels) == pytest.approx(found.value)
    most = max(cut_weight(graph, labels) for labels in every)
    assert best_cut(graph, "max_cut").value == pytest.approx(most)


def test_a_bisection_is_balanced_first():
    star = Graph.from_edges([[0, 1], [0, 2], [0, 3], [0, 4], [0, 5]])
    found = best_cut(star, "bisection")
    assert np.bincount(found.labels).tolist() == [3, 3]
    assert found.value == 3
    assert best_cut(TRIANGLES, "bisection").value == 1


def test_large_graphs_and_unknown_objectives_are_refused():
    with pytest.raises(DataError, match="between 2 and 20"):
        best_cut(Graph(np.zeros((21, 21))))
    with pytest.raises(ParameterError, match="objective"):
        best_cut(PATH, "cut")
