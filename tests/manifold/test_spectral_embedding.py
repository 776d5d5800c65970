import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.manifold
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel

from gramian.base.errors import DataError
from gramian.manifold import SpectralEmbedding

X = load_iris().data + 1e-3 * np.random.default_rng(0).normal(size=(150, 4))


@pytest.mark.parametrize("affinity", ["rbf", "nearest_neighbors"])
@pytest.mark.parametrize("solver", [None, "arpack", "lobpcg", "chebyshev", "dense"])
def test_coordinates_match_scikit_learn_up_to_sign(affinity, solver):
    settings = {"n_components": 3, "affinity": affinity, "random_state": 0, "n_neighbors": 60}
    ours = SpectralEmbedding(**settings, eigen_solver=solver, eigen_tol=1e-10).fit(X)
    theirs = sklearn.manifold.SpectralEmbedding(**settings).fit(X)
    signs = np.sign((ours.embedding_ * theirs.embedding_).sum(axis=0))
    assert_allclose(ours.embedding_, theirs.embedding_ * signs, atol=1e-6)


def test_coordinates_solve_the_eigenproblem():
    model = SpectralEmbedding(3, affinity="rbf", random_state=0, eigen_tol=1e-10).fit(X)
    A = rbf_kernel(X)
    np.fill_diagonal(A, 0)
    D, V = np.diag(A.sum(axis=0)), model.embedding_
    assert_allclose((D - A) @ V, D @ V * model.eigenvalues_, atol=1e-7)
    assert_allclose(V.T @ D @ V, np.eye(3), atol=1e-8)
    assert_allclose(V.T @ D @ np.ones(150), 0, atol=1e-8)
    assert model.residuals_.max() < 1e-8


def test_unconnected_components_give_a_warning():
    apart = np.concatenate([X[:30], X[:30] + 100, X[:30] + 200])
    model = SpectralEmbedding(2, n_neighbors=6, random_state=0)
    with pytest.warns(UserWarning, match="it has 3 components"):
        embedding = model.fit_transform(apart)
    groups = embedding.reshape(3, 30, 2)
    assert_allclose(groups - groups[:, :1], 0, atol=1e-12)
    assert np.linalg.matrix_rank(groups[:, 0] - groups[0, 0], tol=1e-6) == 2
    A = model.affinity_matrix_ - sp.diags_array(model.affinity_matrix_.diagonal())
    assert_allclose(A.sum(axis=0) @ embedding, 0, atol=1e-8)


def test_precomputed_and_functions():
    kernel = SpectralEmbedding(2, affinity="rbf", gamma=0.3, random_state=0).fit_transform(X)
    precomputed = SpectralEmbedding(2, affinity="precomputed", random_state=0)
    assert_allclose(precomputed.fit_transform(rbf_kernel(X, gamma=0.3)), kernel, atol=1e-6)
    function = SpectralEmbedding(2, affinity=lambda T: rbf_kernel(T, gamma=0.3), random_state=0)
    assert_allclose(function.fit_transform(X), kernel, atol=1e-6)


def test_there_must_be_more_rows_than_coordinates():
    with pytest.raises(DataError, match="n_components"):
        SpectralEmbedding(5).fit(X[:5])
