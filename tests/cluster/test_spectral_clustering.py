import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.cluster
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits, load_iris, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import rbf_kernel

from gramian.base.errors import DataError
from gramian.cluster import SpectralClustering
from gramian.neighbors import kneighbors_graph

MOONS, HALVES = make_moons(200, noise=0.05, random_state=0)
IRIS = load_iris().data


def neighbours(k=2, **settings):
    return SpectralClustering(
        k, affinity="nearest_neighbors", random_state=0, n_neighbors=8, **settings
    )


@pytest.mark.parametrize("assign", ["kmeans", "discretize", "cluster_qr"])
@pytest.mark.parametrize("normalize", [False, True])
def test_two_moons_are_separated(assign, normalize):
    model = neighbours(assign_labels=assign, normalize_rows=normalize).fit(MOONS)
    assert adjusted_rand_score(model.labels_, HALVES) == 1


@pytest.mark.parametrize("affinity", ["rbf", "nearest_neighbors"])
def test_labels_match_scikit_learn_on_real_data(affinity):
    settings = {"n_clusters": 3, "affinity": affinity, "n_neighbors": 60, "random_state": 0}
    ours = SpectralClustering(**settings).fit(IRIS)
    theirs = sklearn.cluster.SpectralClustering(**settings).fit(IRIS)
    ours_a, theirs_a = (
        m.affinity_matrix_.toarray() if sp.issparse(m.affinity_matrix_) else m.affinity_matrix_
        for m in (ours, theirs)
    )
    assert_allclose(ours_a.sum(), theirs_a.sum())  # neighbours at equal distances may differ
    assert adjusted_rand_score(ours.labels_, theirs.labels_) > 0.9


def test_digits_are_found_as_well_as_by_scikit_learn():
    X, y = load_digits(return_X_y=True)
    settings = {"n_clusters": 10, "affinity": "nearest_neighbors", "random_state": 0}
    ours = SpectralClustering(**settings).fit_predict(X)
    theirs = sklearn.cluster.SpectralClustering(**settings).fit_predict(X)
    assert adjusted_rand_score(y, ours) > adjusted_rand_score(y, theirs) - 0.02


def test_components_are_clusters_exactly():
    X = np.concatenate([IRIS[:50], IRIS[:50] + 100, IRIS[:50] + 200])
    model = SpectralClustering(3, affinity="nearest_neighbors", n_neighbors=12).fit(X)
    assert model.solver_ == "components"
    assert (model.eigenvalues_ == 0).all()
    assert adjusted_rand_score(model.labels_, np.repeat([0, 1, 2], 50)) == 1


def test_more_components_than_clusters_and_isolated_rows_are_allowed():
    A = np.zeros((7, 7))
    A[0, 1] = A[1, 0] = A[2, 3] = A[3, 2] = 1.0
    labels = SpectralClustering(2, affinity="precomputed", random_state=0).fit_predict(A)
    assert labels[0] == labels[1] != labels[2] == labels[3]


def test_a_precomputed_affinity_and_a_function_give_the_answer_of_the_kernel():
    kernel = SpectralClustering(3, gamma=0.5, random_state=0).fit(IRIS)
    precomputed = SpectralClustering(3, affinity="precomputed", random_state=0)
    precomputed.fit(rbf_kernel(IRIS, gamma=0.5))
    assert adjusted_rand_score(kernel.labels_, precomputed.labels_) == 1
    alike = SpectralClustering(
        3, affinity=lambda x, y: np.exp(-0.5 * ((x - y) ** 2).sum()), random_state=0
    ).fit(IRIS)
    assert adjusted_rand_score(kernel.labels_, alike.labels_) == 1


def test_precomputed_distances_to_neighbours():
    distances = kneighbors_graph(MOONS, 15, mode="distance", include_self=False)
    model = SpectralClustering(
        2, affinity="precomputed_nearest_neighbors", n_neighbors=8, random_state=0
    )
    assert adjusted_rand_score(model.fit_predict(distances), HALVES) == 1


@pytest.mark.parametrize("solver", ["arpack", "lobpcg", "amg", "chebyshev", "dense"])
def test_every_solver_finds_the_moons(solver):
    model = neighbours(eigen_solver=solver).fit(MOONS)
    assert adjusted_rand_score(model.labels_, HALVES) == 1
    assert model.residuals_.max() < 1e-3


@pytest.mark.parametrize("k", [1, 20])
def test_one_cluster_and_as_many_as_rows(k):
    X = IRIS[::7][:20] + 1e-3 * np.random.default_rng(0).normal(size=(20, 4))
    labels = SpectralClustering(k, gamma=0.1, random_state=0).fit_predict(X)
    assert len(set(labels)) == k


def test_equal_rows_are_clustered_somehow():
    model = SpectralClustering(2, random_state=0).fit(np.ones((6, 2)))
    assert set(model.labels_) <= {0, 1}
    assert_allclose(model.eigenvalues_, [0, 1.2])


def test_negative_affinities_and_too_many_clusters_are_refused():
    with pytest.raises(DataError, match="Negative values"):
        SpectralClustering(2, affinity="linear").fit(IRIS - IRIS.mean(axis=0))
    with pytest.raises(DataError, match="n_clusters=8"):
        SpectralClustering().fit(IRIS[:5])
    with pytest.raises(DataError, match="NaN"):
        SpectralClustering(2, affinity="precomputed").fit([[0, np.nan], [np.nan, 0]])


@pytest.mark.parametrize("assign", ["kmeans", "discretize", "cluster_qr"])
def test_verbose_says_how_labels_are_assigned(assign, capsys):
    neighbours(assign_labels=assign, verbose=True).fit(MOONS)
    assert f"Computing label assignment using {assign}" in capsys.readouterr().out
