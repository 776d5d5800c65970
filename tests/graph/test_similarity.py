import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.neighbors import kneighbors_graph, radius_neighbors_graph

from gramian.base.errors import ParameterError
from gramian.graph import gaussian_graph, knn_graph, radius_graph

X = load_iris().data + 1e-3 * np.random.default_rng(0).normal(size=(150, 4))  # without ties


def test_graphs_join_the_neighbours_that_scikit_learn_finds():
    near = kneighbors_graph(X, 5)
    either = knn_graph(X, 5).weights.toarray()
    both = knn_graph(X, 5, mutual=True).weights.toarray()
    assert_array_equal(either, near.maximum(near.T).toarray())
    assert_array_equal(both, near.minimum(near.T).toarray())
    ball = radius_neighbors_graph(X, 0.7).toarray()
    assert_array_equal(radius_graph(X, 0.7).weights.toarray(), ball)


def test_gaussian_weights_follow_the_formula():
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    expected = np.exp(-squares / (2 * 0.8**2))
    np.fill_diagonal(expected, 0)
    assert_allclose(gaussian_graph(X, sigma=0.8).weights.toarray(), expected, atol=1e-12)
    some = radius_graph(X, 0.5, weights="gaussian", sigma=0.8).weights.toarray()
    assert_allclose(some, np.where(squares <= 0.25, expected, 0), atol=1e-12)


def test_without_a_width_weights_do_not_depend_on_the_units():
    for make in (gaussian_graph, lambda P: knn_graph(P, 4, weights="gaussian")):
        assert_allclose(make(X).weights.toarray(), make(1000 * X).weights.toarray(), atol=1e-9)


def test_equal_X_and_sparse_rows_have_graphs():
    assert knn_graph(np.zeros((5, 2)), 2, weights="gaussian").degrees.min() > 0
    assert gaussian_graph(np.zeros((1, 2))).n_edges == 0
    same = knn_graph(sp.csr_array(X), 5).weights.toarray()
    assert_array_equal(same, knn_graph(X, 5).weights.toarray())


def test_bad_settings_are_refused():
    with pytest.raises(ParameterError, match="sigma"):
        gaussian_graph(X, sigma=0.0)
    with pytest.raises(ParameterError, match="weights"):
        knn_graph(X, 3, weights="cosine")


def test_errors_name_the_function_that_was_called():
    missing = [[1.0, np.nan], [1.0, 2.0]]
    for make in (lambda X: knn_graph(X, 1), lambda X: radius_graph(X, 1.0), gaussian_graph):
        with pytest.raises(ValueError, match=r"^(knn|radius|gaussian)_graph: .*NaN"):
            make(missing)
    with pytest.raises(ValueError, match=r"^knn_graph: Expected n_neighbors < n_samples_fit"):
        knn_graph([[0.0], [1.0]], 2)


def test_squares_that_overflow_are_refused():
    X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 4.0]]) * 1e200
    for make in (
        lambda: knn_graph(X, 1),
        lambda: radius_graph(X, 1e201),
        lambda: gaussian_graph(X),
    ):
        with pytest.raises(ValueError, match=r"distances must be finite.*Divide X by"):
            make()
