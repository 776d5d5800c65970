import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph

from gramian.base.errors import DataError
from gramian.cluster import SpectralClustering
from gramian.graph.affinity import checked_affinity, kernel_affinity, neighbor_affinity

X = load_iris().data + 1e-3 * np.random.default_rng(0).normal(size=(150, 4))
MODEL = SpectralClustering()


@pytest.mark.parametrize("n_neighbors", [1, 5, 150])
def test_neighbours_are_joined_as_in_scikit_learn(n_neighbors):
    near = kneighbors_graph(X, n_neighbors, include_self=True).toarray()
    found = neighbor_affinity(MODEL, X, n_neighbors, precomputed=False, n_jobs=None)
    assert_allclose(found.toarray(), (near + near.T) / 2)


def test_the_gaussian_kernel_matches_scikit_learn_dense_and_sparse():
    for rows in (X, sp.csr_array(X)):
        assert_allclose(
            kernel_affinity(rows, "rbf", {"gamma": 0.5}, None), rbf_kernel(X, gamma=0.5), atol=1e-10
        )
    assert_allclose(kernel_affinity(X, "rbf", {"gamma": None}, None), rbf_kernel(X), atol=1e-10)
    assert kernel_affinity(X.astype(np.float32), "rbf", {"gamma": 1.0}, None).dtype == np.float32


def test_what_is_not_symmetric_is_averaged_with_a_warning():
    A = np.array([[0.0, 1.0], [3.0, 0.0]])
    for affinity in (A, sp.csr_array(A)):
        with pytest.warns(UserWarning, match="not symmetric"):
            found = checked_affinity(MODEL, affinity)
        found = found.toarray() if sp.issparse(found) else found
        assert_allclose(found, [[0, 2], [2, 0]])


def test_negative_and_rectangular_affinities_are_refused():
    with pytest.raises(DataError, match="Negative values"):
        checked_affinity(MODEL, -np.ones((2, 2)))
    with pytest.raises(DataError, match="square"):
        checked_affinity(MODEL, np.ones((2, 3)))


def test_neighbours_of_rows_whose_squares_overflow_are_refused():
    from gramian.manifold import SpectralEmbedding

    X = np.random.default_rng(0).normal(size=(30, 3)) * 1e200
    with pytest.raises(
        ValueError, match=r"SpectralEmbedding: X must contain numbers of size 1e\+152"
    ):
        SpectralEmbedding(2, n_neighbors=5).fit(X)
