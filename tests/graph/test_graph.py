import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gramian.base.errors import DataError
from gramian.graph import Graph
from tests.graph.graphs import PATH, graphs


@pytest.mark.slow
@given(graph=graphs(connected=False), seed=st.integers(0, 2**32 - 1))
def test_the_laplacian_has_zero_row_sums_and_is_the_sum_over_edges(graph, seed):
    L = graph.laplacian().toarray()
    y = np.random.default_rng(seed).normal(size=graph.n_vertices)
    edges, weights = graph.edges()
    energy = (weights * (y[edges[:, 0]] - y[edges[:, 1]]) ** 2).sum()
    assert_allclose(L.sum(axis=1), 0, atol=1e-12)
    assert_allclose(y @ L @ y, energy, atol=1e-10)
    assert np.linalg.eigvalsh(L)[0] >= -1e-10


def test_dense_sparse_and_edges_make_the_same_graph():
    A = np.array([[0, 2, 0], [2, 0, 0.5], [0, 0.5, 0]])
    for made in (Graph(A), Graph(sp.coo_array(A)), Graph.from_edges([[1, 0], [1, 2]], [2, 0.5])):
        assert_array_equal(made.weights.toarray(), A)
        assert made.n_edges == 2


def test_masses_are_units_degrees_or_given():
    assert_array_equal(PATH.masses, np.ones(4))
    assert_array_equal(PATH.with_masses("degree").masses, [1, 2, 2, 1])
    assert_array_equal(PATH.with_masses([1, 2, 3, 4]).masses, [1, 2, 3, 4])


def test_with_degree_masses_the_normalised_laplacian_is_i_minus_the_scaled_weights():
    graph = PATH.with_masses("degree")
    root = np.diag(1 / np.sqrt([1, 2, 2, 1]))
    expected = np.eye(4) - root @ graph.weights.toarray() @ root
    assert_allclose(graph.laplacian(normalized=True).toarray(), expected, atol=1e-15)


def test_self_loops_are_left_out_and_a_double_edge_is_added_up():
    assert Graph([[5.0, 1.0], [1.0, 0.0]]).degrees.tolist() == [1, 1]
    assert Graph.from_edges([[0, 1], [1, 0]], [1.0, 2.0]).degrees.tolist() == [3, 3]


def test_a_subgraph_keeps_masses_and_inner_edges():
    part = PATH.with_masses([1, 2, 3, 4]).subgraph([1, 2])
    assert part.n_edges == 1
    assert part.masses.tolist() == [2, 3]


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([[0, -1], [-1, 0]], "Negative values"),
        ([[0, np.nan], [np.nan, 0]], "NaN"),
        ([[0, 1], [2, 0]], "symmetric"),
        ([[0, 1, 1], [1, 0, 1]], "square"),
        ([1.0, 2.0], "matrix"),
        (np.empty((0, 0)), "at least one vertex"),
        ([[0, 1e200], [1e200, 0]], "1e150"),
    ],
)
def test_weights_that_make_no_graph_are_refused(weights, words):
    with pytest.raises(DataError, match=words):
        Graph(weights)


@pytest.mark.parametrize("masses", ["heavy", [1, 2], [1, 0, 1, 1], [1, np.inf, 1, 1]])
def test_masses_must_be_positive_one_for_each_vertex(masses):
    with pytest.raises(DataError, match="masses"):
        PATH.with_masses(masses)


@pytest.mark.parametrize(
    ("edges", "weights", "words"),
    [([0, 1], None, "pairs"), ([[0.5, 1]], None, "pairs"), ([[0, 1]], [1, 2], "one number")],
)
def test_bad_edges_are_refused(edges, weights, words):
    with pytest.raises(DataError, match=words):
        Graph.from_edges(edges, weights)
    with pytest.raises(DataError, match="n_vertices"):
        Graph.from_edges([[0, 5]], n_vertices=3)


def test_one_vertex_is_a_graph():
    assert Graph([[0.0]]).components()[0] == 1
    assert repr(Graph([[0.0]])) == "Graph(1 vertices, 0 edges)"


def test_text_is_refused():
    with pytest.raises(ValueError, match=r"Graph: weights must contain numbers"):
        Graph([["a", "b"], ["b", "a"]])
    with pytest.raises(ValueError, match=r"Graph: masses must contain numbers"):
        Graph([[0.0, 1.0], [1.0, 0.0]], masses=["a", "b"])
    with pytest.raises(ValueError, match=r"Graph: weights must contain numbers"):
        Graph.from_edges([[0, 1]], ["a"])
