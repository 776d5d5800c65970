import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.graph import (
    Graph,
    cut_weight,
    isoperimetric_ratio,
    recursive_partition,
    sparsity,
    sweep_cut,
)
from gramian.textbook.graphs import best_cut
from tests.graph.graphs import PATH, TRIANGLES, graphs


def test_worked_number_t44_sweeps_cut_the_middle_edge_and_the_bridge():
    path = sweep_cut(PATH, objective="ratio")
    assert (path.value, path.cut, np.bincount(path.labels).tolist()) == (0.5, 1.0, [2, 2])
    assert sweep_cut(PATH).value == 0.25
    bridge = sweep_cut(TRIANGLES, objective="ratio")
    assert (bridge.cut, bridge.value) == (1.0, pytest.approx(1 / 3))


@pytest.mark.slow
@given(graph=graphs())
def test_every_cut_of_the_sweep_has_the_weight_it_reports(graph):
    for objective, value in (("sparsity", sparsity), ("ratio", isoperimetric_ratio)):
        found = sweep_cut(graph, objective=objective)
        for count in range(1, graph.n_vertices):
            labels = np.ones(graph.n_vertices)
            labels[found.order[:count]] = 0
            assert found.cuts[count - 1] == pytest.approx(cut_weight(graph, labels), abs=1e-10)
            assert found.values[count - 1] == pytest.approx(value(graph, labels), abs=1e-9)
        assert found.value == found.values.min() == pytest.approx(value(graph, found.labels))
        assert found.value >= best_cut(graph, objective).value - 1e-10


def test_a_sweep_finds_a_component():
    graph = Graph.from_edges([[0, 1], [2, 3], [3, 4]], [1.0, 0.1, 0.3])
    found = sweep_cut(graph)
    assert found.value == 0
    assert (found.labels == found.labels[0]).tolist() == [True, True, False, False, False]


def test_a_given_vector_orders_the_sweep():
    assert sweep_cut(PATH, [0, 2, 1, 3]).order.tolist() == [0, 2, 1, 3]


def chain_of_cliques(k, size=4):
    within = [[c * size + i, c * size + j] for c in range(k) for i in range(size) for j in range(i)]
    between = [[c * size + size - 1, (c + 1) * size] for c in range(k - 1)]
    return Graph.from_edges(within + between, [1.0] * len(within) + [0.1] * len(between))


@pytest.mark.parametrize("k", [1, 2, 4, 16])
def test_a_recursive_partition_has_k_parts_and_finds_cliques(k):
    graph = chain_of_cliques(4)
    labels = recursive_partition(graph, k)
    assert len(set(labels)) == k
    assert labels[np.unique(labels, return_index=True)[1]].tolist() == list(range(k))
    if k == 4:
        assert_allclose(labels, np.repeat([0, 1, 2, 3], 4))


def test_bad_requests_are_refused():
    with pytest.raises(ParameterError, match="objective"):
        sweep_cut(PATH, objective="cut")
    with pytest.raises(DataError, match="4 finite numbers"):
        sweep_cut(PATH, [1.0, np.nan, 2.0, 3.0])
    with pytest.raises(DataError, match="two vertices"):
        sweep_cut(Graph([[0.0]]))
    with pytest.raises(DataError, match="k must be between"):
        recursive_partition(PATH, 5)
