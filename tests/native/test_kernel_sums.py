"""Kernel sums against matrices of distances in NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.special import logsumexp

import gramian
from gramian import _native
from gramian.neighbors.density.kernel_sums import KernelSums
from gramian.neighbors.density.kernels import KERNELS

NORMS = {1.0: "cityblock", 2.0: "euclidean", np.inf: "chebyshev", 3.5: "minkowski"}
BANDWIDTHS = np.array([0.3, 1.0, 4.0])


def distances(Q, X, p):
    more = {"p": p} if NORMS[p] == "minkowski" else {}
    return cdist(Q, X, NORMS[p], **more)


def weights_of(D, kernel, w):
    """(queries, bandwidths, rows)"""
    with np.errstate(divide="ignore"):
        logs = [KERNELS[kernel].log_weight(D, h) + np.log(w) for h in BANDWIDTHS]
    return np.exp(np.stack(logs, axis=1))


@pytest.mark.numeric
@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("d", [1, 2, 3, 4, 6, 20])
@pytest.mark.parametrize("kernel", KERNELS)
def test_sums_match_the_matrix_of_distances(rng, kernel, d, p):
    X, Q = rng.normal(size=(403, d)), 1.5 * rng.normal(size=(21, d))
    w, Y = rng.random(403) * (rng.random(403) < 0.9), rng.normal(size=(403, 2))
    sums = KernelSums.of(X, w, 16, Y).at(Q, KERNELS[kernel], BANDWIDTHS, p=p)
    K = weights_of(distances(Q, X, p), kernel, w)
    expected = np.einsum("qhi,ir->qhr", K, np.column_stack([np.ones(403), Y]))
    found = sums.values[:, :, 0] * np.exp(-sums.shifts)[:, :, None]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def by_long_doubles(X, w, Y, q, h):
    """The sums of Gaussian weights at q, with 11 bits more where the processor has them."""
    X, q, h = (np.asarray(a, dtype=np.longdouble) for a in (X, q, h))
    k = w * np.exp(-((X - q) ** 2).sum(axis=1) / (2 * h * h))
    return np.array([k.sum(), *(k @ Y.astype(np.longdouble))])


@pytest.mark.numeric
@pytest.mark.parametrize("h", [0.25, 2.0, 5.0])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_many_queries_share_polynomials_that_are_exact_to_rounding(rng, d, h):
    """At n >= 4096 rows and m >= 512 queries; fewer queries add the rows of the tree."""
    X = rng.normal(size=(5000, d))
    X[:300] = X[300]  # a cell of one place
    X[300:320] *= 1.5
    w, Y = rng.random(5000) * (rng.random(5000) < 0.9), 3 + rng.normal(size=(5000, 3))
    Q = np.concatenate([rng.normal(size=(500, d)), 3 * rng.normal(size=(113, d)), X[:7]])
    packed, kernel, widths = KernelSums.of(X, w, 16, Y), KERNELS["gaussian"], np.array([h])
    many = packed.at(Q, kernel, widths)
    some = rng.choice(len(Q), size=40, replace=False)
    few = packed.at(Q[some], kernel, widths)
    if h > 1:  # else the cells would be too many
        assert (many.values[some] != few.values).any()
    for i, at in enumerate(some):
        expected = by_long_doubles(X, w, Y, Q[at], h)
        for sums, place in ((many, at), (few, i)):
            shift = np.exp(-sums.shifts[place, 0].astype(np.longdouble))
            found = sums.values[place, 0, 0] * shift
            # an exponent is rounded too
            limit = 1e-14 * (1 + abs(np.log(expected[0] / w.sum())))
            np.testing.assert_allclose((found / expected).astype(float), 1, rtol=0, atol=limit)


def test_polynomials_leave_out_what_rtol_allows(rng):
    X, Q = rng.normal(size=(5000, 2)), rng.normal(size=(600, 2))
    sums, h = KernelSums.of(X, None, 16), np.array([1.0])
    exact, rough = (
        sums.at(Q, KERNELS["gaussian"], h, rtol=r).values[:, 0, 0, 0] for r in (0.0, 1e-3)
    )
    assert (rough != exact).any()
    np.testing.assert_allclose(rough, exact, rtol=1e-3)


@pytest.mark.numeric
def test_polynomials_far_from_zero_and_from_all_rows(rng):
    X, Q = 1e5 + rng.normal(size=(5000, 2)), 1e5 + rng.normal(size=(600, 2))
    Q[:200] += 1e4 * rng.normal(size=(200, 2))
    found = KernelSums.of(X, None, 16).at(Q, KERNELS["gaussian"], np.array([0.5])).log_weights[:, 0]
    logs = KERNELS["gaussian"].log_weight(distances(Q, X, 2.0), 0.5)
    np.testing.assert_allclose(found, logsumexp(logs, axis=1), rtol=1e-9)


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", ["gaussian", "cosine"])
def test_moments_about_the_query(rng, kernel):
    X, Q = rng.normal(size=(300, 2)) + 50, rng.normal(size=(9, 2)) + 50
    w, Y = rng.random(300), rng.normal(size=(300, 3))
    sums = KernelSums.of(X, w, 16, Y).at(Q, KERNELS[kernel], BANDWIDTHS, straight=True)
    K = weights_of(distances(Q, X, 2.0), kernel, w)
    for q in range(9):
        left = np.column_stack([np.ones(300), X - Q[q]])
        expected = np.einsum("hi,il,ir->hlr", K[q], left, np.column_stack([left, Y]))
        found = sums.values[q] * np.exp(-sums.shifts[q])[:, None, None]
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n", [2, 17, 400])
def test_rows_without_themselves(rng, kernel, n):
    X = rng.normal(size=(n, 2))
    X[n // 2 :] = X[: n - n // 2]  # equal rows are others
    found = KernelSums.of(X, None, 16).at(None, KERNELS[kernel], BANDWIDTHS).log_weights
    K = weights_of(distances(X, X, 2.0), kernel, np.ones(n))
    K[np.arange(n), :, np.arange(n)] = 0
    np.testing.assert_allclose(np.exp(found), K.sum(axis=2), rtol=1e-11, atol=1e-13)


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_far_from_all_rows_the_nearest_ones_decide(rng, kernel):
    X, Q = rng.normal(size=(500, 3)), 1e6 * rng.normal(size=(40, 3))
    found = KernelSums.of(X, None, 16).at(Q, KERNELS[kernel], np.array([0.01])).log_weights[:, 0]
    logs = KERNELS[kernel].log_weight(distances(Q, X, 2.0), 0.01)
    np.testing.assert_allclose(found, logsumexp(logs, axis=1), rtol=1e-12)
    assert np.isfinite(found).all()


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_a_row_without_weight_may_be_nearer_than_all_others(rng, kernel):
    X, w, q, h = (
        rng.normal(size=(40, 2)) + 1e3,
        np.ones(40),
        np.zeros((1, 2)),
        np.geomspace(0.01, 1, 20_000),
    )
    X[7], w[7] = 0, 0
    found = KernelSums.of(X, w, 16).at(q, KERNELS[kernel], h).log_weights[0]
    D = distances(q, X[w > 0], 2.0)
    expected = logsumexp(KERNELS[kernel].log_weight(D, h[:, None]), axis=1)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@st.composite
def awkward(draw):
    """Rows that repeat, lie far apart or weigh nothing; queries on rows, near and far from them."""
    n, d = draw(st.integers(2, 90)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = rng.integers(-3, 4, size=(n, d)) + draw(st.sampled_from([0.0, 1e-3])) * rng.normal(
        size=(n, d)
    )
    X[rng.random(n) < draw(st.sampled_from([0.0, 0.1]))] *= draw(st.sampled_from([1e3, 1e8]))
    w = rng.random(n) ** draw(st.sampled_from([0.0, 1.0, 40.0]))
    w[1:] *= rng.random(n - 1) < draw(st.sampled_from([1.0, 0.5, 0.05]))
    far = draw(st.sampled_from([0.0, 1.0, 1e4]))
    Q = X[rng.integers(n, size=7)] + far * rng.normal(size=(7, d))
    h = draw(st.lists(st.sampled_from([1e-9, 1e-3, 0.7, 40.0, 1e9]), min_size=1, max_size=3))
    return X, w, None if draw(st.booleans()) else Q, np.array(h), draw(st.sampled_from([1.0, 2.0]))


@pytest.mark.slow
@pytest.mark.numeric
@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "epanechnikov", "tophat"])
@given(case=awkward())
def test_no_row_weight_bandwidth_or_distance_is_too_much(kernel, case):
    X, w, Q, h, p = case
    found = KernelSums.of(X, w, 16).at(Q, KERNELS[kernel], h, p=p).log_weights
    at = X if Q is None else Q
    D = cdist(at, X, NORMS[p])
    others = np.broadcast_to(w, D.shape).copy()
    if Q is None:
        np.fill_diagonal(others, 0.0)
    with np.errstate(divide="ignore"):
        logs = np.stack([KERNELS[kernel].log_weight(D, width) for width in h], axis=1)
        expected = logsumexp(logs + np.log(others)[:, None], axis=2)
        size = np.where(np.isfinite(expected), np.abs(expected), 0.0)
    assert not np.isnan(found).any()
    # a distance is rounded relative to the coordinates, and its weight relative to its exponent
    rounding = 1e-11 + 1e-13 * size
    if KERNELS[kernel].has_unbounded_support:
        moved = 1e-15 * np.abs(at).max() / np.min(h)
        rounding = rounding + 10 * moved * (1 + size)
        inside = np.isfinite(expected)
        np.testing.assert_array_equal(np.isfinite(found), inside)
        assert (np.abs(found[inside] - expected[inside]) <= rounding[inside]).all()
    else:
        np.testing.assert_allclose(np.exp(found), np.exp(expected), rtol=1e-9, atol=1e-9)


@pytest.mark.numeric
@pytest.mark.parametrize("m", [1, 8, 31, 32, 33, 75])
def test_queries_share_leaves_in_any_number(rng, m):
    X, Q = rng.normal(size=(700, 6)), rng.normal(size=(m, 6))
    packed, kernel, h = KernelSums.of(X, None, 16), KERNELS["gaussian"], np.array([0.5])
    apart = [packed.at(q[None], kernel, h).log_weights[0, 0] for q in Q]
    np.testing.assert_allclose(packed.at(Q, kernel, h).log_weights[:, 0], apart, rtol=1e-13)


@pytest.mark.numeric
@pytest.mark.parametrize("kernel", KERNELS)
def test_a_bandwidth_for_each_query(rng, kernel):
    X, Q, h = rng.normal(size=(300, 2)), rng.normal(size=(20, 2)), 0.5 + rng.random(20)
    packed = KernelSums.of(X, None, 16)
    found = packed.at(Q, KERNELS[kernel], h, each=True).log_weights[:, 0]
    apart = [packed.at(Q[i : i + 1], KERNELS[kernel], h[i : i + 1]).log_weights for i in range(20)]
    np.testing.assert_allclose(found, np.ravel(apart), rtol=1e-13)


def test_less_is_visited_where_an_error_is_allowed(rng):
    X, Q = rng.normal(size=(2000, 2)), rng.normal(size=(50, 2))
    sums = KernelSums.of(X, None, 16)
    exact, rough = (
        sums.at(Q, KERNELS["gaussian"], np.array([0.05]), rtol=r).values[:, 0, 0, 0]
        for r in (0.0, 1e-3)
    )
    assert (rough != exact).any()
    np.testing.assert_allclose(rough, exact, rtol=1e-3)


@pytest.mark.parametrize("kernel", KERNELS)
def test_same_bits_for_any_number_of_threads(rng, kernel):
    X, Q = rng.normal(size=(3000, 3)), rng.normal(size=(700, 3))
    sums = KernelSums.of(X, rng.random(3000), 16, rng.normal(size=(3000, 2)))
    before = gramian.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            found.append(sums.at(Q, KERNELS[kernel], BANDWIDTHS, straight=True))
    finally:
        gramian.set_num_threads(before)
    for other in found[1:]:
        np.testing.assert_array_equal(other.values, found[0].values)
        np.testing.assert_array_equal(other.shifts, found[0].shifts)


def test_same_bits_for_any_number_of_threads_by_polynomials(rng):
    X, Q = rng.normal(size=(5000, 3)), rng.normal(size=(700, 3))
    sums = KernelSums.of(X, rng.random(5000), 16, rng.normal(size=(5000, 2)))
    before = gramian.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            found.append(sums.at(Q, KERNELS["gaussian"], np.array([2.0])).values)
    finally:
        gramian.set_num_threads(before)
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_arrays_that_do_not_fit_are_refused(rng):
    X = rng.normal(size=(50, 2))
    packed = KernelSums.of(X, None, 16)
    sums, references, scales = np.empty((5, 1)), np.empty(5), np.ones((2, 1))

    def call(**changes):
        arguments = {
            "tree": (X, *packed.tree),
            "packed": (packed.points, packed.weights, packed.values),
            "queries": X[:5],
            "kernel": ("exponential", True, 2.0, False),
            "scales": scales,
            "task": (False, False),
            "sums": sums,
            "references": references,
        }
        _native.kernel_sums(**{**arguments, **changes})

    call()
    for change in (
        {"queries": np.empty((5, 3))},
        {"sums": np.empty((5, 2))},
        {"references": np.empty(4)},
        {"task": (True, False)},
        {"task": (False, True)},
        {"kernel": ("box", True, 2.0, False)},
        {"kernel": ("bell", True, 2.0, False)},
        {"kernel": ("exponential", True, 0.5, False)},
        {"kernel": ("exponential", True, 2.0, True)},
        {"scales": np.ones((1, 1))},
        {"packed": (packed.points[:, :1].copy(), packed.weights, packed.values)},
    ):
        with pytest.raises(ValueError, match=r"kernel sums"):
            call(**change)
