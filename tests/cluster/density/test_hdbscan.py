"""HDBSCAN: the clusters of its definition, and scikit-learn's where no distances are equal."""

import numpy as np
import pytest
import sklearn.cluster
from scipy.spatial.distance import cdist, pdist, squareform
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score

from gramian import DBSCAN, HDBSCAN
from gramian.base.errors import DataError, ParameterError
from tests.cluster.density import hdbscan_reference as reference


def blobs(seed, n=300, d=2):
    X = make_blobs(n, d, centers=4, cluster_std=[0.3, 0.6, 1.0, 1.4], random_state=seed)[0]
    return X + np.random.default_rng(seed).normal(size=X.shape) * 1e-3


def assert_heights_of_sklearn(X, **settings):
    ours = HDBSCAN(**settings).fit(X)
    theirs = sklearn.cluster.HDBSCAN(**settings, copy=True).fit(X)
    expected = theirs._single_linkage_tree_["value"]
    np.testing.assert_allclose(ours.linkage_matrix_[:, 2], expected, rtol=1e-9)
    return ours, theirs


def same_clusters(labels, expected):
    """Whether rows are noise, or in one cluster, in both."""
    same_noise = np.array_equal(labels < 0, expected < 0)
    return same_noise and adjusted_rand_score(labels, expected) == 1.0


def drawn_rows(rng, kind, n, d):
    if kind == "normal":
        return rng.normal(size=(n, d))
    if kind == "blobs":
        return rng.normal(size=(n, d)) * rng.choice([0.3, 1, 2], size=(n, 1)) + 5 * rng.integers(
            0, 3, size=(n, 1)
        )
    if kind == "lattice":  # many equal distances
        return rng.integers(0, 8, size=(n, d)).astype(float)
    return np.repeat(rng.normal(size=(n // 3 + 1, d)), 3, axis=0)  # equal rows


METRICS = {"manhattan": "cityblock", "precomputed": "euclidean"}


@pytest.mark.parametrize("kind", ["normal", "blobs", "lattice", "repeated"])
@pytest.mark.parametrize("seed", range(12))
def test_clusters_match_the_definition(kind, seed):
    rng = np.random.default_rng(seed)
    X = drawn_rows(rng, kind, int(rng.integers(12, 45)), int(rng.integers(1, 4)))
    metric = str(rng.choice(["euclidean", "euclidean", "manhattan", "chebyshev", "precomputed"]))
    size, samples = int(rng.integers(2, 9)), int(rng.integers(1, 8))
    alpha, epsilon = float(rng.choice([1, 1, 1.3])), float(rng.choice([0, 0, 0.5, 1.0, 1.5]))
    single, largest = bool(rng.random() < 0.4), int(rng.integers(5, 60))
    method = str(rng.choice(["eom", "eom", "leaf"]))
    D = cdist(X, X, METRICS.get(metric, metric))
    expected, strengths = reference.hdbscan(
        D,
        min_cluster_size=size,
        min_samples=samples,
        alpha=alpha,
        method=method,
        epsilon=epsilon,
        allow_single=single,
        max_size=largest,
    )
    model = HDBSCAN(
        size,
        samples,
        cluster_selection_epsilon=epsilon,
        max_cluster_size=largest,
        metric=metric,
        alpha=alpha,
        cluster_selection_method=method,
        allow_single_cluster=single,
    ).fit(D if metric == "precomputed" else X)
    assert same_clusters(model.labels_, expected)
    np.testing.assert_allclose(model.probabilities_, strengths)


def test_parts_at_one_distance_fall_apart_together():
    """Three rows at 10, 12 and 14 join each other and the rest at height 2: no cluster of three.

    A tree that joins the three first, which it may, as all gaps are 2, would split them off.
    """
    X = np.array([0.0, 1, 2, 3, 4, 5, 6, 8, 10, 12])[:, None]
    for rows in (X, X[::-1], np.roll(X, 4, axis=0)):
        model = HDBSCAN(3, 1, cluster_selection_method="leaf").fit(rows)
        assert model.labels_.max() == -1  # no split has two parts of three rows
        both = np.r_[rows, 20 + rows]
        labels = HDBSCAN(3, 1, cluster_selection_method="leaf").fit(both).labels_
        assert len(set(labels[:10])) == len(set(labels[10:])) == 1
        assert labels.max() == 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(2100, 2), (300, 2), (300, 12)])  # trees by boxes, by rows
def test_clusters_do_not_depend_on_the_order_of_rows_or_the_way_to_the_tree(dtype, n, d):
    X = blobs(0, n, d).astype(dtype)
    order = np.random.default_rng(1).permutation(n)
    model, moved = HDBSCAN(8).fit(X), HDBSCAN(8).fit(X[order])
    precomputed = HDBSCAN(8, metric="precomputed").fit(cdist(X.astype(float), X.astype(float)))
    assert same_clusters(moved.labels_, model.labels_[order])
    assert same_clusters(precomputed.labels_, model.labels_)
    np.testing.assert_allclose(moved.probabilities_, model.probabilities_[order], rtol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_without_ties_clusters_are_scikit_learns(seed):
    X = blobs(seed)
    for settings in (
        {"min_cluster_size": 8},
        {"min_cluster_size": 5, "cluster_selection_method": "leaf"},
        {"min_cluster_size": 8, "allow_single_cluster": True},
        {"min_cluster_size": 8, "max_cluster_size": 60},
        {"min_cluster_size": 8, "metric": "manhattan"},
    ):
        ours, theirs = assert_heights_of_sklearn(X, min_samples=1, **settings)
        assert same_clusters(ours.labels_, theirs.labels_)
        np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, atol=1e-9)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"min_cluster_size": 15},
        {"min_cluster_size": 8, "min_samples": 3},
        {"alpha": 1.3, "algorithm": "kd_tree"},
        {"metric": "manhattan"},
    ],
)
def test_trees_have_scikit_learns_heights(settings):
    assert_heights_of_sklearn(blobs(0), **settings)
    assert_heights_of_sklearn(blobs(3, n=400, d=10), **settings)


def test_the_root_has_all_rows():
    """scikit-learn counts only the rows of its children, so that no size is too large for it."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    settings = {"min_cluster_size": 20, "min_samples": 1, "allow_single_cluster": True}
    assert HDBSCAN(**settings).fit(X).labels_.max() == 0
    assert HDBSCAN(**settings, max_cluster_size=30).fit(X).labels_.max() == -1


def test_one_cloud_is_one_cluster_only_where_that_is_allowed():
    X = np.random.default_rng(0).normal(size=(200, 2))
    assert HDBSCAN(40).fit(X).labels_.max() == -1
    assert HDBSCAN(40, allow_single_cluster=True).fit(X).labels_.max() == 0


@pytest.mark.parametrize("allow", [False, True])
def test_a_tree_without_leaves_has_no_clusters(allow):
    X = np.random.default_rng(0).normal(size=(60, 3))
    model = HDBSCAN(40, cluster_selection_method="leaf", allow_single_cluster=allow).fit(X)
    assert model.labels_.max() == -1


def test_given_distances():
    X = blobs(4)
    D = squareform(pdist(X))
    a, b = HDBSCAN().fit(X), HDBSCAN(metric="precomputed").fit(D)
    np.testing.assert_array_equal(a.labels_, b.labels_)


def far_blobs():
    return make_blobs(400, 3, centers=5, center_box=(-50, 50), random_state=3)[0]


def test_well_separated_clusters_are_scikit_learns_from_their_own_trees():
    ours, theirs = assert_heights_of_sklearn(far_blobs(), min_cluster_size=30)
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


def test_rounding_does_not_decide_about_ties():
    """Turned and moved, a lattice has distances that are equal but for rounding."""
    rng = np.random.default_rng(0)
    for _ in range(5):
        X = rng.integers(0, 7, size=(40, 2)).astype(float)
        angle = rng.uniform(0, np.pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        expected, _ = reference.hdbscan(np.round(cdist(X, X), 9), min_cluster_size=4, min_samples=3)
        for rows in (X, X @ turn, X @ turn + 3.7, X * 0.1):
            assert same_clusters(HDBSCAN(4, 3).fit(rows).labels_, expected)
