"""Every metric and back end against NumPy and scikit-learn."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.neighbors as theirs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import NearestNeighbors

L_P = {
    "l1": 1,
    "manhattan": 1,
    "cityblock": 1,
    "l2": 2,
    "euclidean": 2,
    "linf": np.inf,
    "infinity": np.inf,
    "chebyshev": np.inf,
}


def exhaustive(X, Q, k, p):
    lengths = np.linalg.norm(Q[:, None] - X[None], ord=p, axis=2)
    order = np.argsort(lengths, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(lengths, order, 1), order


@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "ball_tree", "brute"])
@pytest.mark.parametrize("metric", L_P)
def test_named_norms_in_every_back_end(metric, algorithm, rng):
    X, Q = rng.normal(size=(300, 3)), rng.normal(size=(20, 3))
    distances, indices = exhaustive(X, Q, 5, L_P[metric])
    model = NearestNeighbors(n_neighbors=5, metric=metric, algorithm=algorithm).fit(X)
    found = model.kneighbors(Q)
    assert_array_equal(found[1], indices)
    assert_allclose(found[0], distances, rtol=1e-14)


@given(st.floats(1, 50) | st.just(float("inf")), st.integers(1, 8), st.integers(0, 2**32))
def test_tree_and_exhaustive_search_agree_for_every_p(p, d, seed):
    rng = np.random.default_rng(seed)
    X, Q = rng.normal(size=(200, d)), rng.normal(size=(5, d))
    tree = NearestNeighbors(n_neighbors=6, p=p, algorithm="kd_tree", leaf_size=3).fit(X)
    brute = NearestNeighbors(n_neighbors=6, p=p, algorithm="brute").fit(X)
    a, b = tree.kneighbors(Q), brute.kneighbors(Q)
    assert_array_equal(a[1], b[1])
    assert_allclose(a[0], b[0], rtol=1e-12)
    radius = float(a[0][:, 3].max()) * 1.0001
    a, b = (m.radius_neighbors(Q, radius, sort_results=True) for m in (tree, brute))
    for i in range(len(Q)):
        assert_array_equal(a[1][i], b[1][i])
        assert_allclose(a[0][i], b[0][i], rtol=1e-12)


@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
def test_weighted_minkowski(p, rng):
    X, Q, w = rng.normal(size=(100, 4)), rng.normal(size=(9, 4)), np.array([1.0, 0.0, 2.5, 0.3])
    parts = np.abs(Q[:, None] - X[None])
    lengths = (
        (parts * (w > 0)).max(axis=2) if np.isinf(p) else (w * parts**p).sum(axis=2) ** (1 / p)
    )
    for algorithm in ("kd_tree", "brute"):
        model = NearestNeighbors(
            n_neighbors=4, p=p, metric_params={"w": w}, algorithm=algorithm
        ).fit(X)
        distances, indices = model.kneighbors(Q)
        assert_allclose(distances, np.sort(lengths, axis=1)[:, :4], rtol=1e-12)
        assert_allclose(np.take_along_axis(lengths, indices, 1), distances, rtol=1e-12)


@pytest.mark.parametrize(
    "metric", ["cosine", "sqeuclidean", "canberra", "braycurtis", "correlation"]
)
@pytest.mark.parametrize("as_", [np.asarray, sp.csr_array])
def test_other_metrics_equal_scikit_learns(metric, as_, rng):
    X, Q = np.abs(rng.normal(size=(80, 5))), np.abs(rng.normal(size=(7, 5)))
    peer = theirs.NearestNeighbors(n_neighbors=6, metric=metric, algorithm="brute").fit(X)
    ours = NearestNeighbors(n_neighbors=6, metric=metric).fit(as_(X))
    a, b = ours.kneighbors(as_(Q)), peer.kneighbors(Q)
    assert_array_equal(a[1], b[1])
    assert_allclose(a[0], b[0], rtol=1e-7, atol=1e-12)
    radius = float(b[0][:, 4].mean())
    a, b = (
        m.radius_neighbors(q, radius, sort_results=True) for m, q in ((ours, as_(Q)), (peer, Q))
    )
    for i in range(len(Q)):
        assert_array_equal(a[1][i], b[1][i])


def test_the_cosine_of_a_row_of_zeros_is_zero(rng):
    X, Q = rng.normal(size=(30, 3)), rng.normal(size=(4, 3))
    Q[2] = 0
    model = NearestNeighbors(n_neighbors=3, metric="cosine").fit(X)
    distances, indices = model.kneighbors(Q)
    assert_array_equal(distances[2], [1, 1, 1])
    assert_array_equal(indices[2], [0, 1, 2])
    assert [len(i) for i in model.radius_neighbors(Q, 1.0, return_distance=False)][2] == 30
    alone = NearestNeighbors(n_neighbors=3, metric="cosine").fit(X).kneighbors(Q[:1])
    assert_array_equal(alone[1][0], indices[0])
    X[5] = 0
    peer = theirs.NearestNeighbors(n_neighbors=4, metric="cosine").fit(X).kneighbors(Q[:2])
    ours = NearestNeighbors(n_neighbors=4, metric="cosine").fit(X).kneighbors(Q[:2])
    assert_array_equal(ours[1], peer[1])


def test_a_function_is_a_metric(rng):
    X, Q = rng.normal(size=(40, 2)), rng.normal(size=(5, 2))
    model = NearestNeighbors(n_neighbors=3, metric=lambda a, b: abs(a - b).max()).fit(X)
    assert_array_equal(model.kneighbors(Q)[1], exhaustive(X, Q, 3, np.inf)[1])


@pytest.mark.parametrize("as_", [np.asarray, sp.csr_array])
def test_given_distances(as_, rng):
    X = rng.normal(size=(50, 3))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2) + 1e-9
    plain = NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X)
    given_ = NearestNeighbors(n_neighbors=4, metric="precomputed").fit(as_(distances))
    assert_array_equal(given_.kneighbors()[1], plain.kneighbors()[1])
    assert_array_equal(given_.kneighbors(as_(distances[:7]))[1], plain.kneighbors(X[:7])[1])
    a = given_.radius_neighbors(as_(distances[:7]), 1.0, sort_results=True)[1]
    b = plain.radius_neighbors(X[:7], 1.0, sort_results=True)[1]
    for i in range(7):
        assert_array_equal(a[i], b[i])


def test_a_graph_that_stores_too_little_is_refused():
    graph = sp.csr_array(np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    model = NearestNeighbors(n_neighbors=2, metric="precomputed").fit(graph)
    with pytest.raises(ValueError, match="only 1 neighbors in the precomputed graph"):
        model.kneighbors()


@pytest.mark.parametrize(
    ("settings_", "phrase"),
    [
        ({"p": 0.5}, "p must be at least 1"),
        ({"metric_params": {"w": [1.0, 2.0]}}, "must hold 3 weights"),
        ({"metric_params": {"w": [1.0, -2.0, 0.0]}}, "finite weight >= 0"),
        ({"metric_params": {"V": 1}}, r"unknown keys \['V'\]"),
        ({"metric": "canberra", "algorithm": "kd_tree"}, "algorithm='kd_tree' serves"),
        ({"metric": "manhatan"}, "Did you mean 'manhattan'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings_, phrase, rng):
    with pytest.raises(ValueError, match=phrase) as error:
        NearestNeighbors(**settings_).fit(rng.normal(size=(10, 3)))
    assert "NearestNeighbors" in str(error.value)


def test_sparse_rows_in_several_blocks(rng, monkeypatch):
    """CSR rows are made dense a block at a time; the blocks do not show in the answer."""
    monkeypatch.setattr("gramian.neighbors.structures.pairwise_search._BLOCK", 40)
    X = np.round(rng.normal(size=(70, 5)))
    sparse = sp.csr_array(X)
    plain = NearestNeighbors(n_neighbors=4, algorithm="brute").fit(X)
    model = NearestNeighbors(n_neighbors=4).fit(sparse)
    for queries in (None, 9):
        q, s = (None, None) if queries is None else (X[:queries], sparse[:queries])
        for a, b in zip(model.kneighbors(s), plain.kneighbors(q), strict=True):
            assert_array_equal(a, b)
        a = model.radius_neighbors(s, 2.0, sort_results=True)
        b = plain.radius_neighbors(q, 2.0, sort_results=True)
        for i in range(len(b[0])):
            assert_array_equal(a[0][i], b[0][i])
            assert_array_equal(a[1][i], b[1][i])


@pytest.mark.parametrize(
    "metric", ["dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_metrics_of_true_and_false_equal_scikit_learns(metric, dtype, rng):
    X, Q = rng.integers(0, 2, size=(60, 12)), rng.integers(0, 2, size=(7, 12))
    peer = theirs.NearestNeighbors(n_neighbors=6, metric=metric, algorithm="brute")
    expected, _ = peer.fit(X.astype(bool)).kneighbors(Q.astype(bool))
    ours = NearestNeighbors(n_neighbors=6, metric=metric).fit(X.astype(dtype))
    distances, _ = ours.kneighbors(Q.astype(dtype))
    assert_allclose(distances, expected, rtol=1e-6)
    assert distances.dtype == dtype


def test_metrics_are_those_of_scikit_learns_neighbours_for_signed_numbers(rng):
    X, Q = rng.normal(size=(60, 4)), rng.normal(size=(7, 4))
    for metric, parameters in (("braycurtis", None), ("mahalanobis", {"V": np.cov(X.T)})):
        both = [
            cls(n_neighbors=5, metric=metric, metric_params=parameters).fit(X).kneighbors(Q)
            for cls in (NearestNeighbors, theirs.NearestNeighbors)
        ]
        assert_array_equal(both[0][1], both[1][1])
        assert_allclose(both[0][0], both[1][0], rtol=1e-10)
