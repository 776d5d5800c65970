"""DBSCAN: scikit-learn's labels, number for number."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_iris, load_wine, make_moons

import gramian
from gramian import DBSCAN
from gramian.base.errors import DataError, ParameterError
from gramian.cluster.density import balls
from tests.cluster.conftest import tables


def assert_same_as_sklearn(X, sample_weight=None, **settings_):
    ours = DBSCAN(**settings_).fit(X, sample_weight=sample_weight)
    theirs = sklearn.cluster.DBSCAN(**settings_).fit(X, sample_weight=sample_weight)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_array_equal(ours.core_sample_indices_, theirs.core_sample_indices_)
    return ours


@settings(deadline=None, max_examples=20)
@given(X=tables(rows=(1, 20)), k=st.integers(1, 5), eps=st.sampled_from([0.37, 1.03, 5.1, 60.3]))
def test_labels_are_scikit_learns(X, k, eps):
    assert_same_as_sklearn(X, eps=eps, min_samples=k)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine", "canberra"])
@pytest.mark.parametrize("algorithm", ["auto", "brute"])
def test_any_metric_and_search(metric, algorithm):
    X = load_iris().data + np.random.default_rng(0).normal(size=(150, 4)) * 0.01
    eps = {"cosine": 0.003, "canberra": 0.2}.get(metric, 0.6)
    assert_same_as_sklearn(X, eps=eps, metric=metric, algorithm=algorithm)


def test_many_rows_in_chunks(monkeypatch):
    X = make_moons(3000, noise=0.05, random_state=0)[0]
    monkeypatch.setattr(balls, "_CHUNK", 5000)
    model = assert_same_as_sklearn(X, eps=0.1)
    assert model.labels_.max() == 1
    assert (model.labels_ == -1).any() or len(model.core_sample_indices_) < 3000


def test_weights_are_repetitions():
    rng = np.random.default_rng(1)
    X, w = rng.normal(size=(80, 2)), rng.integers(1, 4, size=80)
    assert_same_as_sklearn(X, w, eps=0.4, min_samples=6)
    model = DBSCAN(eps=0.4, min_samples=6).fit(X, sample_weight=w)
    many = DBSCAN(eps=0.4, min_samples=6).fit(np.repeat(X, w, axis=0))
    np.testing.assert_array_equal(np.repeat(model.labels_, w), many.labels_)


def test_given_distances_and_sparse_rows():
    X = load_wine().data[:, :4]
    D = squareform(pdist(X))
    assert_same_as_sklearn(D, eps=4.0, metric="precomputed")
    assert_same_as_sklearn(sp.csr_array(np.where(D < 6, D, 0)), eps=4.0, metric="precomputed")
    assert_same_as_sklearn(sp.csr_array(X), eps=4.0)


def test_equal_rows_are_one_cluster():
    assert DBSCAN().fit(np.ones((10, 2))).labels_.tolist() == [0] * 10
    assert DBSCAN(min_samples=11).fit(np.ones((10, 2))).labels_.tolist() == [-1] * 10


def test_the_same_labels_for_any_number_of_threads():
    X = np.random.default_rng(2).normal(size=(2000, 3))
    labels = [DBSCAN(eps=0.3, n_jobs=jobs).fit(X).labels_ for jobs in (1, 2, 3)]
    np.testing.assert_array_equal(labels[0], labels[1])
    np.testing.assert_array_equal(labels[0], labels[2])
    assert gramian.get_num_threads() >= 1


def test_bad_input_is_refused():
    with pytest.raises(ParameterError, match="eps must be a number > 0"):
        DBSCAN(eps=0).fit(np.eye(3))
    with pytest.raises(DataError, match="square"):
        DBSCAN(metric="precomputed").fit(np.ones((3, 2)))
    with pytest.raises(DataError, match="contains NaN"):
        DBSCAN(metric="precomputed").fit(np.array([[0, np.nan], [np.nan, 0]]))


@pytest.mark.parametrize("algorithm", ["kd_tree", "brute"])
def test_the_order_in_metric_params_takes_precedence(algorithm):
    X = load_iris().data
    settings = {"metric": "minkowski", "metric_params": {"p": 1}, "algorithm": algorithm}
    alone = DBSCAN(p=None, **settings).fit(X)
    with pytest.warns(SyntaxWarning, match="p is found in metric_params"):
        both_given = DBSCAN(p=3, **settings).fit(X)
    expected = DBSCAN(metric="manhattan").fit(X).labels_
    np.testing.assert_array_equal(alone.labels_, expected)
    np.testing.assert_array_equal(both_given.labels_, expected)


def test_eps_may_be_an_integer():
    X = load_iris().data
    np.testing.assert_array_equal(DBSCAN(eps=1).fit(X).labels_, DBSCAN(eps=1.0).fit(X).labels_)


def test_errors_of_given_distances_name_dbscan():
    with pytest.raises(ValueError, match=r"^DBSCAN: with metric='precomputed' X must be square"):
        DBSCAN(metric="precomputed").fit(np.zeros((3, 4)))
    with pytest.raises(ValueError, match=r"^DBSCAN: Negative values"):
        DBSCAN(metric="precomputed").fit(-np.ones((3, 3)))


def test_rows_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match=r"DBSCAN: X must contain numbers of size 1e\+152 at most"):
        DBSCAN(eps=1e200).fit(load_iris().data * 1e200)
