import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

from gramian.base.errors import DataError, ParameterError
from gramian.graph import Graph, bisect, fiedler_pair
from tests.graph.graphs import PATH, TRIANGLES, graphs


def test_worked_number_t44_two_triangles_joined_by_an_edge():
    pair = fiedler_pair(TRIANGLES)
    assert pair.value == pytest.approx(0.438447, abs=5e-7)
    assert len(set(np.sign(pair.vector[:3]))) == 1
    assert_allclose(pair.vector[:3][::-1], -pair.vector[3:], atol=1e-9)


@given(graph=graphs(connected=False))
def test_the_vector_is_a_unit_eigenvector_orthogonal_to_the_constant(graph):
    pair = fiedler_pair(graph)
    M = graph.positive_masses()
    assert_allclose(graph.laplacian() @ pair.vector, pair.value * M * pair.vector, atol=1e-8)
    assert M @ pair.vector == pytest.approx(0, abs=1e-8)
    assert M @ pair.vector**2 == pytest.approx(1)
    assert (pair.value > 1e-10) == (graph.components()[0] == 1)


def test_of_a_disconnected_graph_the_vector_shows_a_component():
    graph = Graph.from_edges([[0, 1], [1, 2], [3, 4]])
    pair = fiedler_pair(graph)
    assert pair.value == 0
    assert len(set(pair.vector[:3])) == len(set(pair.vector[3:])) == 1


@pytest.mark.parametrize("rounding", ["median", "mass", "sign"])
def test_rounding_cuts_the_bridge(rounding):
    labels = bisect(TRIANGLES, rounding=rounding)
    assert len(set(labels[:3])) == len(set(labels[3:])) == 1
    assert labels[0] != labels[3]


def test_median_halves_the_vertices_and_mass_the_masses():
    heavy = PATH.with_masses([5, 1, 1, 1])
    assert np.bincount(bisect(heavy)).tolist() == [2, 2]
    labels = bisect(heavy, rounding="mass")
    assert (labels != labels[0]).tolist() == [False, True, True, True]


def test_one_vertex_and_unknown_roundings_are_refused():
    with pytest.raises(DataError, match="two vertices"):
        fiedler_pair(Graph([[0.0]]))
    with pytest.raises(DataError, match="bisect: the graph must have at least two vertices"):
        bisect(Graph([[0.0]]))
    with pytest.raises(ParameterError, match="rounding"):
        bisect(PATH, rounding="mean")
