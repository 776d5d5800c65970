"""The tree's own face: like scikit-learn's, with eps."""

import pickle

import numpy as np
import pytest
import sklearn.neighbors as theirs
from numpy.testing import assert_allclose, assert_array_equal

from gramian.neighbors import KDTree, NearestNeighbors
from gramian.neighbors.structures.kdtree import build_tree


@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
def test_queries_equal_scikit_learns(p, rng):
    X, Q = rng.normal(size=(500, 3)), rng.normal(size=(40, 3))
    ours = KDTree(X, p=p)
    peer = (
        theirs.KDTree(X, metric="chebyshev")
        if np.isinf(p)
        else theirs.KDTree(X, metric="minkowski", p=p)
    )
    for a, b in zip(ours.query(Q, k=6), peer.query(Q, k=6), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-14)
    assert_array_equal(ours.query(Q, k=2, return_distance=False), peer.query(Q, k=2)[1])
    assert_array_equal(
        ours.query_radius(Q, 0.7, count_only=True), peer.query_radius(Q, 0.7, count_only=True)
    )
    radii = np.linspace(0.1, 1.0, len(Q))
    a = ours.query_radius(Q, radii, return_distance=True, sort_results=True)
    b = peer.query_radius(Q, radii, return_distance=True, sort_results=True)
    for i in range(len(Q)):
        assert_array_equal(a[0][i], b[0][i])
        np.testing.assert_allclose(a[1][i], b[1][i], rtol=1e-14)


def test_it_can_be_pickled(rng):
    tree = KDTree(rng.normal(size=(300, 2)).astype(np.float32))
    Q = rng.normal(size=(5, 2)).astype(np.float32)
    again = pickle.loads(pickle.dumps(tree))
    for a, b in zip(tree.query(Q, k=3), again.query(Q, k=3), strict=True):
        assert_array_equal(a, b)
        assert a.dtype in (np.float32, np.int64)


def test_a_larger_eps_visits_fewer_points(rng):
    tree, Q = KDTree(rng.normal(size=(20_000, 6))), rng.normal(size=(100, 6))
    visited = []
    for eps in (0.0, 0.5, 2.0):
        tree.query(Q, k=3, eps=eps)
        visited.append(tree.visits().points)
    assert visited[0] > visited[1] > visited[2]


def test_bad_arguments_are_refused(rng):
    X = rng.normal(size=(20, 3))
    tree = KDTree(X)
    for call, phrase in (
        (lambda: KDTree(X, leaf_size=0), "leaf_size must be"),
        (lambda: KDTree(X, metric="cosine"), "metric must be one of"),
        (lambda: KDTree(X, p=0.3), "p must be at least 1"),
        (lambda: KDTree([[np.nan]]), "contains NaN"),
        (lambda: tree.query(X, k=21), "k must be between 1 and the number of points, 20; got 21"),
        (lambda: tree.query(X, eps=-1), "eps must be"),
        (lambda: tree.query(X[:, :2]), "X has 2 features, but the tree has 3"),
        (lambda: tree.query_radius(X, [1.0, 2.0]), "one radius for each of the 20"),
    ):
        with pytest.raises(ValueError, match=phrase) as error:
            call()
        assert "KDTree" in str(error.value)


@pytest.mark.parametrize("r", [-1.0, np.nan, "a", [-1.0] * 3])
def test_a_radius_below_zero_or_no_number_is_refused(X, r):
    with pytest.raises(ValueError, match="KDTree: r must be"):
        KDTree(X).query_radius(X[:3], r)


@pytest.mark.parametrize("call", [{"k": 2.0}, {"k": "2"}, {"eps": "a"}, {"order": "foo"}])
def test_bad_arguments_of_a_query_name_the_tree(X, call):
    with pytest.raises(ValueError, match=r"KDTree: (k|eps|order) must be"):
        KDTree(X).query(X[:3], **call)


def test_scikit_learns_positional_arguments_change_no_answer(X):
    _, plain = KDTree(X).query(X[:50], 3)
    _, theirs = KDTree(X).query(X[:50], 3, True, True, True)
    np.testing.assert_array_equal(plain, theirs)


@pytest.mark.parametrize("p", [3.0, 1e3, 1e6, 2.0**31])
def test_a_great_power_gives_many_measures_one_distance_and_balls_are_found_soon(p):
    X = np.array([[0.0], [0.5], [1.0]])
    for radius, inside in ((1.0, 3), (1.25, 3)):
        assert KDTree(X, p=p).query_radius(X[:1], radius, count_only=True) == inside


@pytest.mark.parametrize("algorithm", ["kd_tree", "brute"])
@pytest.mark.parametrize("p", [15.0, 17.0, 100.0, 1e3, 1e6, 2.0**31])
@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e5])
def test_powers_that_leave_the_range_of_numbers_change_no_distance(algorithm, p, unit, rng):
    X = unit * rng.uniform(size=(300, 3))
    gaps = np.abs(X[:5, None] - X)
    largest = gaps.max(axis=2, keepdims=True)
    scaled = gaps / np.where(largest > 0, largest, 1.0)
    expected = largest[:, :, 0] * (scaled**p).sum(axis=2) ** (1 / p)
    model = NearestNeighbors(algorithm=algorithm, p=p).fit(X)
    distances, _ = model.kneighbors(X[:5], 7)
    assert_allclose(distances, np.sort(expected, axis=1)[:, :7], rtol=1e-12)
    radius = 0.3 * unit
    balls, _ = model.radius_neighbors(X[:5], radius)
    for ball, row in zip(balls, expected, strict=True):
        assert_allclose(np.sort(ball), np.sort(row[row <= radius]), rtol=1e-12)


def test_equal_gaps_of_a_large_power_add_up():
    X = np.vstack([np.zeros(64), np.full(64, 1e-30)])
    distance = KDTree(X, p=20.0).query(X[:1], 2)[0][0, 1]
    assert distance == pytest.approx(1e-30 * 64 ** (1 / 20), rel=1e-13)


@pytest.mark.parametrize(("leaf_size", "d", "most"), [(1, 1, 2), (2, 3, 2), (5, 4, 5), (1, 5, 5)])
def test_a_leaf_has_at_most_leaf_size_points_and_two_if_it_is_1(leaf_size, d, most, rng):
    X = rng.normal(size=(100, d))
    first = build_tree(X, leaf_size)[1]
    sizes = np.diff(np.arange(len(first) + 1) * 100 // len(first))
    assert most / 2 < sizes.max() <= most
