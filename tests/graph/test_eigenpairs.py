import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from gramian.base.errors import DataError, ParameterError
from gramian.graph import Graph, knn_graph, laplacian_eigenpairs
from gramian.graph.eigenpairs import oriented, solve
from gramian.graph.eigenproblem import Eigenproblem
from tests.graph.graphs import PATH, graphs

SOLVERS = ("dense", "chebyshev", "arpack", "lobpcg")


def residuals(graph, pairs):
    """|L v - lambda M v| in the norm of M^-1."""
    M = graph.positive_masses()[:, None]
    left = graph.laplacian() @ pairs.vectors - M * pairs.vectors * pairs.values
    return np.sqrt((left**2 / M).sum(axis=0))


def test_worked_number_t44_the_path_on_four_vertices():
    values = laplacian_eigenpairs(PATH, 4).values
    assert_allclose(values, [0, 0.585786, 2, 3.414214], atol=5e-7)


@given(graph=graphs(connected=False))
def test_all_pairs_match_the_generalised_problem(graph):
    pairs = laplacian_eigenpairs(graph, graph.n_vertices)
    M = np.diag(graph.positive_masses())
    assert_allclose(pairs.values, scipy.linalg.eigvalsh(graph.laplacian().toarray(), M), atol=1e-9)
    assert_allclose(pairs.vectors.T @ M @ pairs.vectors, np.eye(graph.n_vertices), atol=1e-9)
    assert (pairs.values[: pairs.n_components] == 0).all()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("masses", ["unit", "degree"])
def test_solvers_agree_and_report_their_residuals(solver, masses):
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(size=(150, 3)), rng.normal(size=(150, 3)) + 20])
    graph = knn_graph(points, 6, masses=masses)
    pairs = laplacian_eigenpairs(graph, 6, solver=solver, tol=1e-9, random_state=0)
    exact = scipy.linalg.eigvalsh(graph.laplacian().toarray(), np.diag(graph.masses))[:6]
    assert pairs.solver == solver
    assert pairs.n_components == graph.components()[0]
    assert_allclose(pairs.values, exact, atol=1e-8)
    assert_allclose(residuals(graph, pairs), pairs.residuals, atol=1e-8)
    assert pairs.residuals.max() <= 1e-8 * 2 * (graph.degrees / graph.masses).max()


def test_with_more_components_than_pairs_the_heaviest_are_returned():
    graph = Graph.from_edges([[1, 2], [2, 3], [4, 5]], n_vertices=7)
    pairs = laplacian_eigenpairs(graph, 2)
    assert pairs.solver == "components"
    assert ((pairs.vectors != 0).T == [[0, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1, 0]]).all()
    assert (pairs.residuals == 0).all()


def test_isolated_vertices_are_components_of_their_own():
    graph = Graph.from_edges([[0, 1]], n_vertices=3, masses="degree")
    pairs = laplacian_eigenpairs(graph, 3)
    assert pairs.n_components == 2
    assert_allclose(pairs.values, [0, 0, 2], atol=1e-12)


def test_a_graph_without_edges_has_only_zeros():
    assert (laplacian_eigenpairs(Graph(np.zeros((5, 5))), 5).values == 0).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_dense_weights_have_the_pairs_of_sparse_ones(solver):
    rng = np.random.default_rng(1)
    A = np.exp(-((rng.normal(size=(80, 1)) - rng.normal(size=80)) ** 2))
    A = (A + A.T) / 2
    dense = solve("test", Eigenproblem(A, None), 4, solver, 1e-9, 0)
    sparse = solve("test", Eigenproblem(sp.csr_array(A), None), 4, "dense", 1e-9, 0)
    assert_allclose(dense.values, sparse.values, atol=1e-8)


def test_a_solver_that_stops_early_says_so(monkeypatch):
    monkeypatch.setattr("gramian.graph.eigenpairs._MOST_PRODUCTS", 20)
    line = Graph(sp.csr_array(sp.diags_array([np.ones(999)] * 2, offsets=[-1, 1])))
    with pytest.warns(ConvergenceWarning, match="'chebyshev' stopped at a relative residual"):
        laplacian_eigenpairs(line, 3, solver="chebyshev")


def test_the_same_seed_gives_the_same_vectors():
    graph = knn_graph(np.random.default_rng(0).normal(size=(300, 5)), 5)
    first, second = (
        laplacian_eigenpairs(graph, 4, solver="chebyshev", random_state=3).vectors for _ in range(2)
    )
    assert (first == second).all()


def test_the_first_entry_of_largest_size_is_positive():
    flipped = oriented(np.array([[-1.0, 0.5], [1.0 - 1e-12, -0.9]]))
    assert_allclose(flipped, [[1, -0.5], [-1, 0.9]], atol=1e-9)


def test_bad_requests_are_refused():
    with pytest.raises(DataError, match="between 1 and"):
        laplacian_eigenpairs(PATH, 5)
    with pytest.raises(ParameterError, match="solver must be"):
        laplacian_eigenpairs(PATH, 2, solver="amg")


def test_tiny_eigenvalues_of_a_dense_graph_are_found():
    """Rows far apart: weights of 1e-30 beside 1 have eigenvalues far below the tolerance."""
    X = 2 * np.random.default_rng(0).normal(size=(400, 20))
    weights = np.exp(-((X[:, None] - X) ** 2).sum(axis=2))
    problem = Eigenproblem((weights + weights.T) / 2, None)
    found = solve("test", problem, 5, "auto", 1e-5, 0)
    exact = solve("test", problem, 5, "dense", 1e-5, 0)
    assert_allclose(found.values, exact.values, rtol=1e-3)
