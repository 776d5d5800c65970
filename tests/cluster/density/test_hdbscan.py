"""HDBSCAN: scikit-learn's clusters."""

import numpy as np
import pytest
import sklearn.cluster
from scipy.spatial.distance import pdist, squareform
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score

from gramian import DBSCAN, HDBSCAN
from gramian.base.errors import DataError, ParameterError
from gramian.cluster.density.condensed import CondensedTree, label_rows, select_clusters


def blobs(seed, n=300, d=2):
    X = make_blobs(n, d, centers=4, cluster_std=[0.3, 0.6, 1.0, 1.4], random_state=seed)[0]
    return X + np.random.default_rng(seed).normal(size=X.shape) * 1e-3


def both(X, **settings):
    """The same tree but for ties, and from the same tree the same clusters.

    Core distances are shared by many pairs, and which of them the spanning tree takes decides
    whether rows at just that distance split off; so clusters are taken from scikit-learn's tree.
    """
    ours = HDBSCAN(**settings).fit(X)
    theirs = sklearn.cluster.HDBSCAN(**settings, copy=True).fit(X)
    tree = theirs._single_linkage_tree_
    names = ("left_node", "right_node", "value", "cluster_size")
    Z = np.column_stack([tree[name] for name in names]).astype(float)
    np.testing.assert_allclose(ours.linkage_matrix_[:, 2], Z[:, 2], rtol=1e-9)
    condensed = CondensedTree.of(np.ascontiguousarray(Z), ours.min_cluster_size)
    single, epsilon = ours.allow_single_cluster, ours.cluster_selection_epsilon
    method, most = ours.cluster_selection_method, ours.max_cluster_size
    chosen = select_clusters(condensed, method, single, epsilon, most)
    labels, strength = label_rows(condensed, chosen, single, epsilon)
    np.testing.assert_array_equal(labels < 0, theirs.labels_ < 0)
    assert adjusted_rand_score(labels, theirs.labels_) == 1.0
    np.testing.assert_allclose(strength, theirs.probabilities_, atol=1e-9)
    return ours, theirs


@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_scikit_learns(seed):
    X = blobs(seed)
    both(X)
    both(X, min_cluster_size=15)
    both(X, min_cluster_size=8, min_samples=3)
    ours, theirs = both(X, min_cluster_size=8, min_samples=1)  # no ties
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, atol=1e-9)
    both(X, cluster_selection_method="leaf")


@pytest.mark.parametrize(
    "settings",
    [
        {"cluster_selection_epsilon": 0.5},
        {"allow_single_cluster": True},
        {"max_cluster_size": 60},
        {"alpha": 1.3},
        {"metric": "manhattan"},
    ],
)
def test_every_parameter(settings):
    for seed in (0, 1):
        both(blobs(seed), **settings)


def test_more_features():
    both(blobs(3, n=400, d=10), min_cluster_size=10)


def test_one_cloud_is_one_cluster_only_where_that_is_allowed():
    X = np.random.default_rng(0).normal(size=(200, 2))
    both(X, min_cluster_size=40)
    assert both(X, min_cluster_size=40, allow_single_cluster=True)[0].labels_.max() == 0


@pytest.mark.parametrize("allow", [False, True])
def test_a_tree_without_leaves_has_no_clusters(allow):
    X = np.random.default_rng(0).normal(size=(60, 3))
    settings = {"min_cluster_size": 40, "cluster_selection_method": "leaf"}
    model, _ = both(X, allow_single_cluster=allow, **settings)
    assert model.labels_.max() == -1


def test_given_distances():
    X = blobs(4)
    D = squareform(pdist(X))
    a, b = HDBSCAN().fit(X), HDBSCAN(metric="precomputed").fit(D)
    np.testing.assert_array_equal(a.labels_, b.labels_)


def far_blobs():
    return make_blobs(400, 3, centers=5, center_box=(-50, 50), random_state=3)[0]


def test_well_separated_clusters_are_scikit_learns_from_their_own_trees():
    ours, theirs = both(far_blobs(), min_cluster_size=30)
    same = (ours.labels_ < 0) == (theirs.labels_ < 0)
    assert same.mean() > 0.95
    assert adjusted_rand_score(ours.labels_[same], theirs.labels_[same]) == 1.0


def test_centers_are_scikit_learns():
    X = far_blobs()
    ours = HDBSCAN(min_samples=1, min_cluster_size=30, store_centers="both").fit(X)
    theirs = sklearn.cluster.HDBSCAN(
        min_samples=1, min_cluster_size=30, store_centers="both", copy=True
    ).fit(X)
    order = np.lexsort(ours.centroids_.T)
    their_order = np.lexsort(theirs.centroids_.T)
    np.testing.assert_allclose(ours.centroids_[order], theirs.centroids_[their_order])
    np.testing.assert_allclose(ours.medoids_[order], theirs.medoids_[their_order])


def test_a_cut_is_dbscan_without_its_border():
    X = blobs(6)
    labels = HDBSCAN(min_samples=5).fit(X).dbscan_clustering(0.5, min_cluster_size=1)
    flat = DBSCAN(eps=0.5, min_samples=5).fit(X)
    core = flat.core_sample_indices_
    assert adjusted_rand_score(labels[core], flat.labels_[core]) == 1.0


def test_equal_rows():
    labels = HDBSCAN(allow_single_cluster=True).fit(np.ones((20, 2))).labels_
    assert set(labels) <= {-1, 0}
    X = np.repeat([[0.0], [1.0], [5.0]], 10, axis=0)
    labels = HDBSCAN(min_cluster_size=5).fit(X).labels_
    assert all(len(set(labels[i : i + 10])) == 1 for i in (0, 10, 20))


def test_bad_input_is_refused():
    X = load_iris().data[:10]
    with pytest.raises(ParameterError, match="at most the number of rows"):
        HDBSCAN(min_samples=11).fit(X)
    with pytest.raises(ParameterError, match="min_cluster_size must be an integer >= 2"):
        HDBSCAN(min_cluster_size=1).fit(X)
    with pytest.raises(DataError, match="symmetric"):
        HDBSCAN(metric="precomputed").fit(np.arange(36.0).reshape(6, 6))
    with pytest.raises(ParameterError, match="needs rows"):
        HDBSCAN(metric="precomputed", store_centers="both").fit(squareform(pdist(X)))
