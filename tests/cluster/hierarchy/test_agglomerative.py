"""Agglomerative clustering: scikit-learn's answers."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from sklearn.datasets import load_iris
from sklearn.feature_extraction.image import grid_to_graph
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from gramian import AgglomerativeClustering
from gramian.base.errors import DataError, ParameterError
from gramian.cluster import linkage

SKLEARNS = ("ward", "complete", "average", "single")


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(150, 4)) * 0.1 + load_iris().data


@pytest.mark.parametrize("method", SKLEARNS)
def test_clusters_are_scikit_learns(method, X):
    for k in (1, 3, 10, len(X)):
        ours = AgglomerativeClustering(k, linkage=method).fit(X)
        theirs = sklearn.cluster.AgglomerativeClustering(k, linkage=method).fit(X)
        assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
        assert ours.n_clusters_ == k
    theirs = sklearn.cluster.AgglomerativeClustering(
        None, distance_threshold=2.0, linkage=method
    ).fit(X)
    ours = AgglomerativeClustering(None, distance_threshold=2.0, linkage=method).fit(X)
    assert ours.n_clusters_ == theirs.n_clusters_
    np.testing.assert_allclose(ours.distances_, theirs.distances_)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0


@pytest.mark.parametrize("method", SKLEARNS)
def test_connected_clusters_are_scikit_learns(method):
    X = np.random.default_rng(1).normal(size=(150, 3))
    graph = kneighbors_graph(X, 12, include_self=False)
    settings = {"n_clusters": 3, "linkage": method, "connectivity": graph}
    ours = AgglomerativeClustering(**settings).fit(X)
    theirs = sklearn.cluster.AgglomerativeClustering(
        **settings, compute_distances=True, compute_full_tree=True
    ).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.distances_, theirs.distances_)
    assert ours.n_connected_components_ == 1


@pytest.mark.parametrize("method", SKLEARNS)
def test_a_complete_graph_connects_all(method, X):
    some = X[:40]
    model = AgglomerativeClustering(3, linkage=method, connectivity=np.ones((40, 40))).fit(some)
    np.testing.assert_allclose(model.linkage_matrix_, linkage(some, method))


def test_a_picture_is_cut_into_connected_regions():
    picture = np.zeros((6, 6))
    picture[:, 3:] = 1.0
    picture[2, 1] = 1.0
    pixels = picture.reshape(-1, 1) + np.arange(36)[:, None] * 1e-6
    model = AgglomerativeClustering(3, connectivity=grid_to_graph(6, 6)).fit(pixels)
    assert len(np.unique(model.labels_[picture.ravel() == 0])) == 1
    assert model.labels_[13] != model.labels_[5]


def test_components_are_connected_with_a_warning(X):
    graph = sp.block_diag([np.ones((75, 75)), np.ones((75, 75))], format="csr")
    with pytest.warns(UserWarning, match="connected components .* is 2 > 1"):
        model = AgglomerativeClustering(2, connectivity=graph).fit(X)
    assert model.n_connected_components_ == 2
    with pytest.warns(UserWarning, match="connected components"):
        theirs = sklearn.cluster.AgglomerativeClustering(2, connectivity=graph).fit(X)
    assert adjusted_rand_score(model.labels_, theirs.labels_) == 1.0


def test_a_function_may_give_the_graph(X):
    model = AgglomerativeClustering(3, connectivity=lambda rows: np.ones((len(rows),) * 2)).fit(X)
    np.testing.assert_array_equal(model.labels_, AgglomerativeClustering(3).fit(X).labels_)


def test_inversions_are_flagged():
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75) + 1e-9]])
    model = AgglomerativeClustering(1, linkage="centroid").fit(corners)
    assert model.inversions_.tolist() == [1]
    assert not len(AgglomerativeClustering(1).fit(corners).inversions_)


def test_bad_input_is_refused(X):
    for settings, message in (
        ({"n_clusters": None}, "exactly one of"),
        ({"distance_threshold": 1.0}, "exactly one of"),
        ({"n_clusters": 151}, "should be >= n_clusters=151"),
        ({"connectivity": np.eye(3)}, "must have shape"),
        ({"connectivity": -np.ones((150, 150))}, "numbers >= 0"),
        ({"connectivity": np.full((150, 150), np.nan)}, "finite"),
        ({"connectivity": np.ones((150, 150)), "linkage": "median"}, "connectivity needs linkage"),
        ({"metric": "manhattan"}, "requires Euclidean distances"),
        ({"metric": "precomputed", "linkage": "single"}, "must be square"),
    ):
        with pytest.raises((DataError, ParameterError), match=message):
            AgglomerativeClustering(**settings).fit(X)
