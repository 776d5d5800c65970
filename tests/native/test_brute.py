"""Exhaustive search against a float64 search that sorts all distances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gramian
from gramian import _native

DTYPES = [np.float32, np.float64]
METRICS = [
    ("euclidean", 2.0),
    ("sqeuclidean", 2.0),
    ("manhattan", 1.0),
    ("chebyshev", 2.0),
    ("minkowski", 1.5),
    ("minkowski", 3.0),
]


def all_distances(Q, X, metric, p):
    D = np.zeros((len(Q), len(X)))
    for q, x in zip(Q.astype(np.float64).T, X.astype(np.float64).T, strict=True):
        difference = np.abs(q[:, None] - x[None])
        if metric == "chebyshev":
            np.maximum(D, difference, out=D)
        elif metric == "manhattan":
            D += difference
        elif metric == "minkowski":
            D += difference**p
        else:
            D += difference * difference
    if metric == "minkowski":
        return D ** (1 / p)
    return np.sqrt(D) if metric == "euclidean" else D


def neighbors(X, Q, k, metric="euclidean", p=2.0, exclude_self=False):
    distances, indices = np.empty((len(Q), k), X.dtype), np.empty((len(Q), k), np.int64)
    _native.brute_neighbors(X, Q, metric, p, exclude_self, distances, indices)
    return distances, indices


def within(X, Q, radius, metric="euclidean", p=2.0, exclude_self=False):
    hits = _native.brute_radius_neighbors(X, Q, metric, p, exclude_self, radius)
    offsets = np.empty(len(Q) + 1, np.int64)
    indices, distances = np.empty(hits.size, np.int64), np.empty(hits.size, X.dtype)
    hits.write(offsets, indices, distances)
    return np.split(indices, offsets[1:-1]), np.split(distances, offsets[1:-1])


def assert_neighbors(X, Q, k, metric="euclidean", p=2.0, exclude_self=False):
    """The same neighbours, unless float64 itself cannot tell them apart."""
    D = all_distances(Q, X, metric, p)
    if exclude_self:
        np.fill_diagonal(D, np.inf)
    expected = np.sort(np.partition(D, k - 1, axis=1)[:, :k], axis=1)
    distances, indices = neighbors(X, Q, k, metric, p, exclude_self)
    np.testing.assert_allclose(np.take_along_axis(D, indices, axis=1), expected, rtol=1e-12)
    np.testing.assert_allclose(distances, expected, rtol=1e-12 if X.dtype == np.float64 else 1e-6)
    assert distances.dtype == X.dtype
    assert all(len(set(row)) == k for row in indices.tolist())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("offset", "scale"), [(0, 1), (1000, 1), (0, 1e24), (0, 1e-24)])
@pytest.mark.parametrize(
    ("n", "m", "d", "k"),
    [(1, 1, 1, 1), (50, 7, 3, 5), (3000, 40, 16, 10), (5000, 3, 33, 10), (700, 300, 2, 100)],
)
def test_neighbors_equal_a_float64_search(rng, dtype, offset, scale, n, m, d, k):
    X = (rng.normal(size=(n, d)) * scale + offset).astype(dtype)
    Q = (rng.normal(size=(m, d)) * scale + offset).astype(dtype)
    assert_neighbors(X, Q, k)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize(("n", "m", "d", "k"), [(40, 7, 3, 40), (2000, 30, 9, 10)])
def test_every_metric_equals_a_float64_search(rng, dtype, metric, p, n, m, d, k):
    X, Q = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d)).astype(dtype)
    assert_neighbors(X, Q, k, metric, p)


@given(
    X=st.lists(st.tuples(*[st.integers(-2, 2)] * 3), min_size=4, max_size=60),
    Q=st.lists(st.tuples(*[st.integers(-2, 2)] * 3), min_size=1, max_size=20),
    k=st.integers(1, 4),
    metric=st.sampled_from(["euclidean", "sqeuclidean", "manhattan", "chebyshev"]),
    dtype=st.sampled_from(DTYPES),
)
@settings(deadline=None)
def test_ties_go_to_the_lowest_index(X, Q, k, metric, dtype):
    X, Q = np.array(X, dtype=dtype), np.array(Q, dtype=dtype)
    D = all_distances(Q, X, metric, 2.0)
    _, indices = neighbors(X, Q, k, metric)
    np.testing.assert_array_equal(indices, np.argsort(D, axis=1, kind="stable")[:, :k])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("values", [1, 2, 4])
def test_masses_of_ties_go_to_the_lowest_index(rng, dtype, values):
    X = rng.integers(0, values, size=(2500, 4)).astype(dtype)
    D = all_distances(X[:200], X, "sqeuclidean", 2.0)
    _, indices = neighbors(X, X[:200].copy(), 7)
    np.testing.assert_array_equal(indices, np.argsort(D, axis=1, kind="stable")[:, :7])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize(("n", "d"), [(300, 3), (2100, 5)])
def test_a_self_join_equals_a_float64_search(rng, dtype, exclude_self, n, d):
    for X in (rng.normal(size=(n, d)) + 20, rng.integers(0, 3, size=(n, d))):
        assert_neighbors(X.astype(dtype), X.astype(dtype), 6, exclude_self=exclude_self)
        same = X.astype(dtype)  # one array for both: each pair is looked at once
        assert_neighbors(same, same, 6, exclude_self=exclude_self)


@pytest.mark.slow
def test_a_self_join_gives_ties_to_the_lowest_index(rng):
    X = rng.integers(0, 3, size=(2200, 3)).astype(np.float32)
    D = all_distances(X, X, "sqeuclidean", 2.0)
    _, indices = neighbors(X, X, 5)
    np.testing.assert_array_equal(indices, np.argsort(D, axis=1, kind="stable")[:, :5])


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_that_float32_cannot_hold_are_measured_one_by_one(rng, dtype):
    X = rng.normal(size=(300, 3)).astype(dtype)
    X[0], X[7] = 1e18, -1e17
    assert_neighbors(X, X[:40].copy(), 5)
    assert_neighbors(X[1:7].copy(), X[:40].copy(), 5)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("metric", "p"), METRICS)
@pytest.mark.parametrize("exclude_self", [False, True])
def test_radius_neighbors_are_all_within_in_the_order_of_index(rng, dtype, metric, p, exclude_self):
    X = rng.integers(0, 5, size=(400, 3)).astype(dtype)
    D = all_distances(X, X, metric, p)
    radius = 3.0  # met exactly by many pairs; of the root of a sum of powers only the rounding
    if exclude_self:
        np.fill_diagonal(D, np.inf)
    indices, distances = within(X, X, radius, metric, p, exclude_self)
    for q in range(400):
        sure = np.flatnonzero(D[q] <= radius * (1 - 1e-12))
        possible = np.flatnonzero(D[q] <= radius * (1 + 1e-12))
        if metric == "minkowski":
            assert set(sure) <= set(indices[q]) <= set(possible)
        else:
            np.testing.assert_array_equal(indices[q], possible)
        assert (np.diff(indices[q]) > 0).all()
        np.testing.assert_allclose(distances[q], D[q, indices[q]], rtol=1e-6)


def test_radius_zero_finds_the_duplicates(rng):
    X = np.repeat(rng.normal(size=(100, 5)), 3, axis=0)
    indices, distances = within(X, X[::3].copy(), 0.0)
    for q in range(100):
        np.testing.assert_array_equal(indices[q], [3 * q, 3 * q + 1, 3 * q + 2])
        assert not distances[q].any()


@pytest.mark.parametrize("m", [1, 30, 3000])
def test_the_answer_is_the_same_for_any_number_of_threads(rng, m):
    X = rng.normal(size=(9000, 8)).astype(np.float32)
    Q = X if m == 3000 else X[:m].copy()
    answers = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        answers.append(neighbors(X, Q, 5))
    for other in answers[1:]:
        np.testing.assert_array_equal(answers[0][0], other[0])
        np.testing.assert_array_equal(answers[0][1], other[1])


def test_arrays_that_do_not_fit_are_refused(rng):
    X = rng.normal(size=(10, 3))
    with pytest.raises(ValueError, match="as wide as the rows"):
        neighbors(X, np.zeros((2, 4)), 1)
    with pytest.raises(ValueError, match="as many rows as neighbours"):
        neighbors(X, X, 11)
    with pytest.raises(ValueError, match="as many rows as neighbours"):
        neighbors(X, X, 10, exclude_self=True)
    with pytest.raises(ValueError, match="unknown metric"):
        neighbors(X, X, 1, metric="cosine")
    with pytest.raises(ValueError, match="p >= 1"):
        neighbors(X, X, 1, metric="minkowski", p=0.5)
