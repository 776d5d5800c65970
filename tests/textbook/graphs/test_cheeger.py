import numpy as np
import pytest
from hypothesis import given

from gramian.base.errors import DataError
from gramian.graph import Graph, isoperimetric_ratio, sweep_cut
from gramian.textbook.graphs import best_cut, cheeger_bounds
from tests.graph.graphs import PATH, graphs


def test_worked_number_t44_and_the_product_form_below_half_the_eigenvalue():
    bounds = cheeger_bounds(PATH)
    assert bounds.upper == pytest.approx(1.5307, abs=5e-5)
    assert bounds.lower == pytest.approx(0.293, abs=5e-4)
    assert best_cut(PATH, "sparsity").value == 0.25 < bounds.lower  # it bounds the ratio alone
    assert bounds.sparsity_lower == pytest.approx(0.146, abs=5e-4)


@given(graph=graphs())
def test_the_best_cut_and_the_sweep_lie_between_the_bounds(graph):
    bounds = cheeger_bounds(graph)
    best = best_cut(graph, "ratio").value
    sweep = sweep_cut(graph, objective="ratio").value
    assert bounds.lower - 1e-9 <= best <= sweep + 1e-9 <= bounds.upper + 2e-9
    assert bounds.sparsity_lower <= best_cut(graph, "sparsity").value + 1e-9


def test_the_upper_bound_is_for_the_sweep_cut_and_not_for_every_cut():
    n = 40
    path = Graph.from_edges([[i, i + 1] for i in range(n - 1)])
    upper = cheeger_bounds(path).upper
    assert sweep_cut(path, objective="ratio").value <= upper
    assert isoperimetric_ratio(path, np.arange(n) % 2) > upper
    assert isoperimetric_ratio(path, np.arange(n) == 0) > upper


def test_one_vertex_is_refused():
    with pytest.raises(DataError, match="cheeger_bounds: the graph must have at least two"):
        cheeger_bounds(Graph([[0.0]]))


def test_bounds_of_small_weights_keep_their_order():
    bounds = cheeger_bounds(Graph(np.array([[0.0, 1e-300], [1e-300, 0.0]])))
    assert bounds.lower == pytest.approx(1e-300, rel=1e-9, abs=0)
    assert bounds.upper == pytest.approx(2e-300, rel=1e-9, abs=0)
