"""The native steps of k-means against obvious NumPy versions."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import gramian
from gramian import _native

DTYPES = [np.float32, np.float64]


def squares(X, C):
    """|x_i - c_j|^2 by differences, in float64."""
    X, C = X.astype(np.float64), np.asarray(C, np.float64)
    return sum((x[:, None] - c[None]) ** 2 for x, c in zip(X.T, C.T, strict=True))


def assign(rows, C, n, weights=None):
    labels, own = np.empty(n, np.int32), np.empty(n)
    total = _native.kmeans_assign(rows, np.ascontiguousarray(C, np.float64), weights, labels, own)
    return labels, own, total


def csr_rows(X, index_type):
    return _native.Rows(
        X.data, X.indices.astype(index_type), X.indptr.astype(index_type), X.shape[1]
    )


class Steps:
    """Lloyd's algorithm with the arrays that it writes to."""

    def __init__(self, X, k, weights=None, rows=None):
        self.labels = np.empty(X.shape[0], np.int32)
        self.sums, self.totals = np.empty((k, X.shape[1])), np.empty(k)
        rows = _native.Rows(X) if rows is None else rows
        self.lloyd = _native.Lloyd(rows, weights, self.labels, self.sums, self.totals)

    def run(self, centers, turns):
        for _ in range(turns):
            means = np.empty_like(centers)
            self.last = self.lloyd.iterate(centers, means)
            centers = means
        return centers


def lloyd_by_the_book(X, C, turns, weights=None):
    """In the loop a row moves only to a strictly nearer centre; empty clusters stay."""
    w = np.ones(len(X)) if weights is None else weights
    X, C, labels = X.astype(np.float64), C.copy(), None
    for _ in range(turns):
        D = squares(X, C)
        nearest = D.argmin(axis=1)
        if labels is None:
            labels = nearest
        else:
            labels = np.where(D[np.arange(len(X)), labels] <= D.min(axis=1), labels, nearest)
        for j in range(len(C)):
            own = (labels == j) & (w > 0)
            if own.any():
                C[j] = np.average(X[own], axis=0, weights=w[own])
    return labels, C


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("offset", "scale"), [(0, 1), (1e4, 1), (0, 1e25), (0, 1e-25), (-300, 0.01)]
)
@pytest.mark.parametrize(
    ("n", "d", "k"), [(1, 1, 1), (5, 3, 2), (100, 1, 7), (333, 3, 64), (257, 17, 33), (90, 784, 10)]
)
def test_assignment_equals_a_float64_search(rng, dtype, offset, scale, n, d, k):
    X = (rng.normal(size=(n, d)) * scale + offset).astype(dtype)
    C = X[rng.integers(n, size=k)] + rng.normal(size=(k, d)) * scale * 0.1
    labels, own, total = assign(_native.Rows(X), C, n)
    D = squares(X, C)
    np.testing.assert_array_equal(labels, D.argmin(axis=1))
    np.testing.assert_allclose(own, D.min(axis=1), rtol=1e-10)
    assert total == pytest.approx(D.min(axis=1).sum(), rel=1e-10)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_row_far_beyond_float32_is_still_assigned(dtype):
    X = np.array([[0.0, 0], [1, 1], [3e18, 0], [-3e18, 5]], dtype=dtype)
    C = np.array([[1e18, 0.0], [-1e18, 0], [0, 0], [0, 0]])
    labels, _, _ = assign(_native.Rows(X), C, 4)
    np.testing.assert_array_equal(labels, [2, 2, 0, 1])


def test_one_centre_far_away_does_not_blur_the_others(rng):
    X = rng.normal(size=(500, 4)).astype(np.float32)
    C = np.vstack([X[:20].astype(np.float64), [[1e9, 0, 0, 0]]])
    labels, _, _ = assign(_native.Rows(X), C, 500)
    np.testing.assert_array_equal(labels, squares(X, C).argmin(axis=1))


@given(
    X=st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=1, max_size=40),
    C=st.lists(st.tuples(*[st.integers(-3, 3)] * 2), min_size=1, max_size=20),
    dtype=st.sampled_from(DTYPES),
)
@settings(deadline=None)
def test_ties_go_to_the_lowest_centre(X, C, dtype):
    """On a small grid squared distances are whole numbers, and equal ones abound."""
    X, C = np.array(X, dtype=dtype), np.array(C, dtype=np.float64)
    labels, own, _ = assign(_native.Rows(X), C, len(X))
    np.testing.assert_array_equal(labels, squares(X, C).argmin(axis=1))
    np.testing.assert_array_equal(own, squares(X, C).min(axis=1))


@pytest.mark.parametrize("dtype", DTYPES)
def test_transform_is_the_distance_to_every_centre(rng, dtype):
    X, C = rng.normal(size=(50, 7)).astype(dtype), rng.normal(size=(9, 7))
    for rows in (_native.Rows(X), csr_rows(sp.csr_array(X), np.int32)):
        out = np.empty((50, 9), dtype)
        _native.kmeans_transform(rows, C, out)
        np.testing.assert_allclose(out, np.sqrt(squares(X, C)), rtol=3e-7)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_of_clusters_are_weighted(rng, dtype):
    X, weights = rng.normal(size=(9000, 5)).astype(dtype), rng.uniform(size=9000)
    labels = rng.integers(3, size=9000).astype(np.int32)
    sums, totals = np.ones((3, 5)), np.ones(3)
    _native.kmeans_sums(_native.Rows(X), weights, labels, sums, totals)
    for j in range(3):
        own = labels == j
        np.testing.assert_allclose(sums[j] - 1, weights[own] @ X[own].astype(float), rtol=1e-9)
        assert totals[j] - 1 == pytest.approx(weights[own].sum())


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("n", "d", "k", "offset"),
    [(500, 2, 5, 0), (3000, 8, 20, 1000), (2000, 40, 50, 0), (5000, 3, 64, 0), (60, 3, 50, 0)],
)
def test_pruned_turns_equal_the_book(rng, dtype, weighted, n, d, k, offset):
    centers = 3 * rng.normal(size=(k, d))
    X = (rng.normal(size=(n, d)) + centers[rng.integers(k, size=n)] + offset).astype(dtype)
    weights = rng.integers(0, 4, size=n).astype(np.float64) if weighted else None
    start = X[:k].astype(np.float64)
    steps = Steps(X, k, weights)
    means = steps.run(start, 25)
    labels, expected = lloyd_by_the_book(X, start, 25, weights)
    np.testing.assert_array_equal(steps.labels, labels)
    np.testing.assert_allclose(means, expected, rtol=1e-9, atol=1e-9)


def test_pruning_spares_most_rows(rng):
    centers = 10 * rng.normal(size=(20, 4))
    X = centers[rng.integers(20, size=5000)] + rng.normal(size=(5000, 4))
    steps = Steps(X, 20)
    steps.run(centers + 0.1, 5)
    *_, looked_at = steps.last
    assert looked_at < 500


def test_an_iteration_prints_what_it_did(rng):
    X = rng.normal(size=(300, 3)) + 50
    start = np.vstack([X[:4], [[1e3, 1e3, 1e3]]])
    steps, means = Steps(X, 5), np.empty((5, 3))
    moved, empty, shift, objective, looked_at = steps.lloyd.iterate(start, means)
    labels, expected = lloyd_by_the_book(X, start, 1)
    assert (moved, empty, looked_at) == (300, 1, 300)
    assert shift == pytest.approx(((expected - start) ** 2).sum())
    assert objective == pytest.approx(((X - expected[labels]) ** 2).sum(), rel=1e-9)
    np.testing.assert_array_equal(means[4], start[4])
    np.testing.assert_allclose(steps.totals, np.bincount(labels, minlength=5))
    assert steps.lloyd.mean_variance == pytest.approx(X.var(axis=0).mean())


@pytest.mark.parametrize("turns", [0, 1, 6])
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_last_assignment_matches_any_rows(rng, dtype, turns):
    X = rng.integers(0, 4, size=(800, 3)).astype(dtype)
    start = np.unique(X, axis=0)[:12].astype(np.float64)
    steps = Steps(X, 12)
    centers = np.round(steps.run(start, turns) * 2) / 2  # on a grid again: ties
    total = steps.lloyd.finish(centers)
    labels, _, expected = assign(_native.Rows(X), centers, 800)
    np.testing.assert_array_equal(steps.labels, labels)
    assert total == pytest.approx(expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_sparse_rows_answer_as_dense_ones(rng, dtype, index_type):
    X = sp.random_array((700, 40), density=0.1, rng=rng, dtype=dtype, format="csr")
    dense, weights = X.toarray(), rng.uniform(size=700)
    C = np.ascontiguousarray(dense[:11], dtype=np.float64) + 0.01 * rng.normal(size=(11, 40))
    labels, own, total = assign(csr_rows(X, index_type), C, 700, weights)
    expected = assign(_native.Rows(dense), C, 700, weights)
    np.testing.assert_array_equal(labels, expected[0])
    np.testing.assert_allclose(own, expected[1], rtol=1e-9, atol=1e-12)
    assert total == pytest.approx(expected[2])

    sparse_steps = Steps(dense, 11, weights, csr_rows(X, index_type))
    dense_steps = Steps(dense, 11, weights)
    np.testing.assert_allclose(sparse_steps.run(C, 8), dense_steps.run(C, 8), atol=1e-9)
    np.testing.assert_array_equal(sparse_steps.labels, dense_steps.labels)
    assert sparse_steps.lloyd.mean_variance == pytest.approx(dense_steps.lloyd.mean_variance)


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_answer_is_the_same_for_any_number_of_threads(rng, dtype):
    X = rng.normal(size=(40_000, 16)).astype(dtype)
    answers = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        chosen = np.empty(30, np.int64)
        _native.kmeans_plusplus(_native.Rows(X), None, 5, 7, chosen)
        steps = Steps(X, 30)
        centers = steps.run(X[chosen].astype(np.float64), 12)
        total = steps.lloyd.finish(centers)
        answers.append((chosen, centers, steps.labels.copy(), total))
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_plusplus_takes_each_of_well_separated_groups_once(rng, dtype):
    X = (1000 * np.arange(12)[:, None] + rng.uniform(size=(12, 50))).reshape(-1, 1).astype(dtype)
    for seed in range(20):
        for rows in (_native.Rows(X), csr_rows(sp.csr_array(X), np.int32)):
            chosen = np.empty(12, np.int64)
            _native.kmeans_plusplus(rows, None, 2 + int(np.log(12)), seed, chosen)
            assert sorted(chosen // 50) == list(range(12))


def test_plusplus_draws_in_proportion_to_weight_and_squared_distance():
    """One trial is plain k-means++: the law of the second centre is known."""
    X, weights = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, 1.0])
    first, second = np.zeros(3), np.zeros((3, 3))
    for seed in range(4000):
        chosen = np.empty(2, np.int64)
        _native.kmeans_plusplus(_native.Rows(X), weights, 1, seed, chosen)
        first[chosen[0]] += 1
        second[chosen[0], chosen[1]] += 1
    np.testing.assert_allclose(first / 4000, weights / 4, atol=0.03)
    for i in range(3):
        law = weights * (X[:, 0] - X[i, 0]) ** 2
        np.testing.assert_allclose(second[i] / first[i], law / law.sum(), atol=0.06)


def test_plusplus_never_takes_a_row_without_weight(rng):
    X, weights = rng.normal(size=(3000, 2)), np.zeros(3000)
    weights[1234:1240] = 1.0
    chosen = np.empty(6, np.int64)
    for seed in range(10):
        _native.kmeans_plusplus(_native.Rows(X), weights, 3, seed, chosen)
        assert sorted(chosen) == list(range(1234, 1240))


def test_plusplus_takes_all_distinct_rows_before_any_twice(rng):
    X = np.repeat(rng.normal(size=(8, 3)) + 100, 40, axis=0)
    chosen = np.empty(10, np.int64)
    for seed in range(10):
        _native.kmeans_plusplus(_native.Rows(X), None, 3, seed, chosen)
        assert sorted(chosen[:8] // 40) == list(range(8))


def test_arrays_that_do_not_fit_are_refused(rng):
    X = rng.normal(size=(10, 3))
    with pytest.raises(ValueError, match="as wide as the rows"):
        assign(_native.Rows(X), np.zeros((2, 4)), 10)
    with pytest.raises(ValueError, match="one label per row"):
        assign(_native.Rows(X), np.zeros((2, 3)), 9)
    with pytest.raises(ValueError, match="one weight per row"):
        assign(_native.Rows(X), np.zeros((2, 3)), 10, np.ones(9))
    with pytest.raises(TypeError):
        _native.Rows(X.astype(np.int64))
    with pytest.raises(TypeError):
        _native.Rows(X[:, ::2])


def test_an_interrupt_while_lloyd_is_prepared_is_an_exception_and_no_crash():
    """The first pass over the rows polls for signals before the object exists."""
    code = """
import signal, time
import numpy as np
from gramian import _native
_native.set_pool_size(1)
X = np.zeros((2_000_000, 64), dtype=np.float32)
rows = _native.Rows(X)
def stop(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
labels = np.empty(len(X), np.int32)
try:
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    _native.Lloyd(rows, None, labels, np.empty((4, 64)), np.empty(4))
    time.sleep(60)  # a quick machine was done before the alarm
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "interrupted", done.stderr


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("k", [1, 2, 7])
def test_gaps_are_just_below_how_much_farther_the_second_centre_is(rng, dtype, k):
    X = (3 + rng.normal(size=(3000, 5))).astype(dtype)
    C = np.ascontiguousarray(X[:k], np.float64)
    labels, gaps = np.empty(len(X), np.int32), np.empty(len(X), np.float32)
    _native.kmeans_assign(_native.Rows(X), C, None, labels, None, gaps)
    if k == 1:
        assert (gaps > 1e30).all()
        return
    first, second = np.sqrt(np.sort(squares(X, C), axis=1)[:, :2]).T
    assert (gaps <= second - first).all()
    assert (gaps >= 0).all()
    assert np.median(second - first - gaps) < 1e-3
