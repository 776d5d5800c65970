"""Metrics evaluated pair by pair, and given distances, against NumPy and scikit-learn."""

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import KNeighborsRegressor, NearestNeighbors
from tests.neighbors.conftest import exhaustive


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


def test_metrics_match_scikit_learns_neighbours_for_signed_numbers(rng):
    X, Q = rng.normal(size=(60, 4)), rng.normal(size=(7, 4))
    for metric, parameters in (("braycurtis", None), ("mahalanobis", {"V": np.cov(X.T)})):
        both = [
            cls(n_neighbors=5, metric=metric, metric_params=parameters).fit(X).kneighbors(Q)
            for cls in (NearestNeighbors, theirs.NearestNeighbors)
        ]
        assert_array_equal(both[0][1], both[1][1])
        assert_allclose(both[0][0], both[1][0], rtol=1e-10)


def test_canberra_at_the_largest_floats():
    X = np.array([[1.7e308, 1.0], [-1.7e308, 1.0], [8.5e307, 1.0]])
    found, at = NearestNeighbors(n_neighbors=3, metric="canberra").fit(X).kneighbors(X[:1])
    np.testing.assert_array_equal(at, [[0, 2, 1]])
    np.testing.assert_allclose(found, [[0, 1 / 3, 1]], rtol=1e-12)


def test_a_graph_may_hold_few_distances_and_need_not_be_sorted():
    few = sp.csr_array(([2.0], ([2], [0])), shape=(3, 3))
    model = NearestNeighbors(radius=3.0, metric="precomputed").fit(few)
    found = model.radius_neighbors(return_distance=False)
    assert [list(row) for row in found] == [[], [], [0]]
    with pytest.raises(ValueError, match="only 0 neighbors in the precomputed graph"):
        model.kneighbors(n_neighbors=1)
    falling = sp.csr_array(([3.0, 1.0, 2.0, 1.0], [0, 1, 0, 1], [0, 0, 2, 4]), shape=(3, 3))
    distances, indices = NearestNeighbors(metric="precomputed").fit(few).kneighbors(falling[1:], 2)
    assert distances.tolist() == [[1.0, 3.0], [1.0, 2.0]]
    assert indices.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("cls", [NearestNeighbors, KNeighborsRegressor])
@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("seuclidean", None),
        ("mahalanobis", None),
        ("canberra", {"V": 1}),
        (lambda a, b: None, None),
        (lambda a, b: np.nan, None),
    ],
)
def test_a_metric_that_cannot_measure_is_refused_in_fit(cls, metric, params):
    rows = np.random.default_rng(0).normal(size=(20, 3))
    model = cls(metric=metric, metric_params=params)
    with pytest.raises(ValueError, match=f"^{cls.__name__}: metric="):
        model.fit(rows, rows[:, 0])
