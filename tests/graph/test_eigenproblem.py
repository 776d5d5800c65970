import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from numpy.testing import assert_allclose

from gramian.graph.eigenpairs import solve
from gramian.graph.eigenproblem import Eigenproblem, rayleigh_ritz, residual_norms
from tests.graph.graphs import graphs


@given(graph=graphs(connected=False))
def test_sparse_and_dense_weights_make_the_same_problem(graph):
    masses = graph.positive_masses()
    sparse = Eigenproblem(graph.weights, masses)
    dense = Eigenproblem(graph.weights.toarray() + np.eye(graph.n_vertices), masses)
    B = graph.laplacian(normalized=True).toarray()
    assert_allclose(sparse.matrix().toarray(), B, atol=1e-12)
    assert_allclose(dense.matrix(), B, atol=1e-12)
    assert_allclose(sparse.apply(np.eye(len(B))), B, atol=1e-12)
    assert sparse.n_components == dense.n_components
    assert np.linalg.eigvalsh(B)[-1] <= sparse.bound * (1 + 1e-12)


@given(graph=graphs(connected=False))
def test_null_vectors_are_orthonormal_eigenvectors_of_zero_and_projected_out(graph):
    problem = Eigenproblem(graph.weights, graph.positive_masses())
    N = problem.null_vectors(problem.n_components)
    assert_allclose(N.T @ N, np.eye(problem.n_components), atol=1e-12)
    assert_allclose(problem.apply(N), 0, atol=1e-12)
    assert_allclose(problem.project(np.ones((problem.n, 1))).T @ N, 0, atol=1e-12)


def test_rayleigh_ritz_finds_eigenpairs_of_an_invariant_subspace_given_twice():
    B = np.diag([1.0, 2.0, 3.0, 4.0])
    U = np.eye(4)[:, [0, 2]] @ np.array([[1.0, 1.0, 2.0], [1.0, -1.0, 0.0]])
    values, vectors, images = rayleigh_ritz(U, B @ U)
    assert_allclose(values, [1, 3])
    assert_allclose(residual_norms(values, vectors, images), 0, atol=1e-12)


@pytest.mark.parametrize("sparse", [False, True])
def test_small_weights_are_not_lost_beside_the_diagonal(sparse):
    path = np.diag(np.ones(3), 1) + np.diag(np.ones(3), -1)
    weights = np.eye(4) + 1e-20 * path
    values = np.linalg.eigvalsh(np.diag([1.0, 2, 2, 1]) - path)  # its Laplacian
    problem = Eigenproblem(sp.csr_array(weights) if sparse else weights, np.ones(4))
    np.testing.assert_allclose(problem.diagonal, [1e-20, 2e-20, 2e-20, 1e-20], rtol=1e-12)
    found = solve("test", problem, 3, "dense", 1e-10, 0).values
    np.testing.assert_allclose(found / 1e-20, values[:3], atol=1e-10)
