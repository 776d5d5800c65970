import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.base.errors import DataError
from gramian.graph import Graph, cut_weight, isoperimetric_ratio, part_masses, sparsity
from tests.graph.graphs import PATH, graphs


@given(graph=graphs(connected=False), seed=st.integers(0, 2**32 - 1))
def test_the_cut_of_two_parts_is_a_quarter_of_the_quadratic_form(graph, seed):
    y = np.random.default_rng(seed).choice([-1, 1], graph.n_vertices)
    assert cut_weight(graph, y) == pytest.approx(y @ (graph.laplacian() @ y) / 4, abs=1e-10)


@given(graph=graphs(), seed=st.integers(0, 2**32 - 1))
def test_a_multiway_cut_is_half_the_sum_of_the_cuts_of_its_parts(graph, seed):
    labels = np.random.default_rng(seed).integers(3, size=graph.n_vertices)
    alone = sum(cut_weight(graph, labels == part) for part in range(3))
    assert cut_weight(graph, labels) == pytest.approx(alone / 2, abs=1e-10)


def test_sparsity_divides_by_the_product_and_the_ratio_by_the_lesser_mass():
    graph = PATH.with_masses([1, 2, 3, 4])
    assert part_masses(graph, [0, 0, 0, 1]).tolist() == [6, 4]
    assert sparsity(graph, [0, 0, 0, 1]) == pytest.approx(1 / 24)
    assert isoperimetric_ratio(graph, [0, 0, 0, 1]) == pytest.approx(1 / 4)
    assert sparsity(graph, [0, 0, 1, 2]) == pytest.approx(2 / (3 * 3 * 4))


def test_a_part_without_mass_is_infinitely_unbalanced():
    graph = Graph.from_edges([[0, 1]], n_vertices=3, masses="degree")
    assert sparsity(graph, [0, 0, 1]) == np.inf


def test_labels_must_be_one_for_each_vertex_and_of_two_parts():
    with pytest.raises(DataError, match="4 vertices"):
        cut_weight(PATH, [0, 1])
    with pytest.raises(DataError, match="two parts"):
        sparsity(PATH, [0, 0, 0, 0])
