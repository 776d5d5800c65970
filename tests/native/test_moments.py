"""Moments of classes, scores and expectation steps against plain NumPy, threads and cuts."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

import gramian
from gramian import _native
from gramian.base.rows.native_table import native_table

SIZES = {
    "n": st.integers(1, 250),
    "d": st.integers(1, 20),
    "K": st.integers(1, 7),
    "weighted": st.booleans(),
    "dtype": st.sampled_from([np.float32, np.float64]),
}


def problem(n, d, K, dtype, weighted=True, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) + 5).astype(dtype)
    codes = rng.integers(K, size=n, dtype=np.int32)
    return X, codes, rng.random(n) if weighted else None, rng.normal(5, 0.3, size=(K, d))


def sums(X, codes, w, shifts, K, *, squares=True):
    out = np.zeros(K), np.zeros((K, X.shape[1])), np.zeros((K, X.shape[1])) if squares else None
    _native.class_sums(native_table(X), codes, w, shifts, *out)
    return out


def plain_gram(X, codes, w, shifts, k):
    here = codes == k
    Z = np.column_stack([X[here] - shifts[k], np.ones(here.sum())])
    return Z.T @ (Z if w is None else Z * w[here][:, None])


@settings(deadline=None, max_examples=40)
@given(**SIZES)
def test_class_sums_equal_the_obvious_numpy(n, d, K, weighted, dtype):
    X, codes, w, shifts = problem(n, d, K, dtype, weighted)
    weights, first, second = sums(X, codes, w, shifts, K)
    for k in range(K):
        exact = plain_gram(X, codes, w, shifts, k)
        assert_allclose(weights[k], exact[-1, -1], rtol=1e-12, atol=1e-12)
        assert_allclose(first[k], exact[-1, :-1], rtol=1e-11, atol=1e-11)
        assert_allclose(second[k], np.diag(exact)[:-1], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("squares", [False, True])
def test_class_sums_of_sparse_rows_match_dense_rows(dtype, index, squares):
    X, codes, w, _ = problem(3000, 40, 3, dtype)
    X[np.random.default_rng(1).random(X.shape) < 0.8] = 0
    sparse = sp.csr_array(X)
    sparse.indices, sparse.indptr = sparse.indices.astype(index), sparse.indptr.astype(index)
    dense = sums(X, codes, w, np.zeros((3, 40)), 3)
    made = sums(sparse, codes, w, None, 3, squares=squares)
    for a, b in zip(made, dense, strict=True):
        if a is not None:
            assert_allclose(a, b, rtol=1e-11)


@settings(deadline=None, max_examples=40)
@given(**SIZES)
def test_class_grams_equal_the_obvious_numpy(n, d, K, weighted, dtype):
    X, codes, w, shifts = problem(n, d, K, dtype, weighted)
    grams, within = np.zeros((K, d + 1, d + 1)), np.zeros((d + 1, d + 1))
    _native.class_gram(X, codes, w, shifts, grams)
    _native.within_gram(X, codes, w, shifts, within)
    exact = np.array([plain_gram(X.astype(float), codes, w, shifts, k) for k in range(K)])
    assert_allclose(grams, exact, rtol=1e-11, atol=1e-11 * np.abs(exact).max())
    assert_allclose(within, exact.sum(axis=0), rtol=1e-11, atol=1e-11 * np.abs(exact).max())


def gaussians(d, K, *, seed=2):
    rng = np.random.default_rng(seed)
    means, offsets = rng.normal(5, 1, size=(K, d)), rng.normal(size=K)
    return offsets, means, np.tril(rng.normal(size=(K, d, d))) / d, rng.random((K, d))


def plain_scores(kind, X, offsets, means, roots, precisions):
    away = X[:, None].astype(float) - means
    if kind == "quadratic":
        return offsets - ((roots @ away[..., None])[..., 0] ** 2).sum(axis=2) / 2
    if kind == "shared":
        return offsets - ((roots[0] @ away[..., None])[..., 0] ** 2).sum(axis=2) / 2
    if kind == "diagonal":
        return offsets - (precisions * away**2).sum(axis=2) / 2
    return offsets + X.astype(float) @ precisions.T


def model(kind, offsets, means, roots, precisions):
    if kind == "diagonal":
        return _native.ClassScores.diagonal(offsets, means, precisions)
    if kind == "linear":
        return _native.ClassScores.linear(offsets, precisions, by_column=False)
    roots = roots if kind == "quadratic" else roots[:1].copy()
    return _native.ClassScores.quadratic(offsets, means, roots, lower=True)


KINDS = ["linear", "diagonal", "quadratic", "shared"]


@settings(deadline=None, max_examples=60)
@given(kind=st.sampled_from(KINDS), **SIZES)
def test_scores_equal_the_obvious_numpy(kind, n, d, K, weighted, dtype):
    X, *_ = problem(n, d, K, dtype)
    parts = gaussians(d, K)
    exact = plain_scores(kind, X, *parts)
    scores, codes = np.empty((n, K)), np.empty(n, dtype=np.int32)
    log_norm, posterior = np.empty(n), np.empty((n, K))
    model(kind, *parts).score(X, scores, codes, log_norm, posterior)
    assert_allclose(scores, exact, rtol=1e-11, atol=1e-11)
    assert_array_equal(codes, scores.argmax(axis=1))
    assert_allclose(log_norm, logsumexp(scores, axis=1), rtol=1e-12, atol=1e-12)
    assert_allclose(posterior, np.exp(scores - log_norm[:, None]), atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("K", [1, 2, 3, 9])
def test_scores_of_sparse_rows_match_dense_rows(dtype, K):
    X, *_ = problem(500, 30, K, dtype)
    X[np.random.default_rng(1).random(X.shape) < 0.8] = 0
    offsets, _, _, coef = gaussians(30, K)
    scores = np.empty((500, K))
    linear = _native.ClassScores.linear(offsets, np.ascontiguousarray(coef.T), by_column=True)
    linear.score(native_table(sp.csr_array(X)), scores)
    assert_allclose(scores, X.astype(float) @ coef.T + offsets, rtol=1e-12)


def test_a_row_that_no_class_allows_has_equal_posteriors():
    never = _native.ClassScores.linear(np.full(3, -np.inf), np.zeros((3, 1)), by_column=False)
    posterior, log_norm = np.empty((1, 3)), np.empty(1)
    never.score(np.ones((1, 1)), None, None, log_norm, posterior)
    assert_allclose(posterior, 1 / 3)
    assert log_norm[0] == -np.inf


@settings(deadline=None, max_examples=40)
@given(kind=st.sampled_from(KINDS[1:]), labelled=st.booleans(), **SIZES)
def test_expectation_steps_equal_the_obvious_numpy(kind, labelled, n, d, K, weighted, dtype):
    X, codes, w, _ = problem(n, d, K, dtype, weighted)
    known = np.where(np.arange(n) % 3 == 0, codes, -1).astype(np.int32) if labelled else None
    parts = gaussians(d, K)
    means = parts[1]
    scores = plain_scores(kind, X, *parts)
    log_norm = logsumexp(scores, axis=1)
    R = np.exp(scores - log_norm[:, None])
    if labelled:
        known_rows = known >= 0
        R[known_rows] = np.eye(K)[known[known_rows]]
        log_norm[known_rows] = scores[known_rows, known[known_rows]]
    R *= 1.0 if w is None else w[:, None]
    likelihood = log_norm.sum() if w is None else w @ log_norm
    grams, made = np.zeros((K, d + 1, d + 1)), model(kind, *parts)
    assert_allclose(made.expectation_full(X, w, known, grams), likelihood, rtol=1e-10)
    columns = np.zeros(K), np.zeros((K, d)), np.zeros((K, d))
    assert_allclose(made.expectation_diagonal(X, w, known, *columns), likelihood, rtol=1e-10)
    for k in range(K):
        Z = np.column_stack([X - means[k], np.ones(n)])
        exact = Z.T @ (Z * R[:, [k]])
        near = {"rtol": 1e-9, "atol": 1e-9 * n}
        assert_allclose(grams[k], exact, **near)
        assert_allclose(columns[0][k], exact[-1, -1], **near)
        assert_allclose(columns[1][k], exact[-1, :-1], **near)
        assert_allclose(columns[2][k], np.diag(exact)[:-1], **near)


def test_the_same_bits_for_any_threads():
    X, codes, w, shifts = problem(20_000, 12, 4, np.float64)
    parts = gaussians(12, 4)
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        grams, within = np.zeros((4, 13, 13)), np.zeros((13, 13))
        _native.class_gram(X, codes, w, shifts, grams)
        _native.within_gram(X, codes, w, shifts, within)
        full, columns = np.zeros((4, 13, 13)), (np.zeros(4), np.zeros((4, 12)), np.zeros((4, 12)))
        a = model("quadratic", *parts).expectation_full(X, w, None, full)
        b = model("diagonal", *parts).expectation_diagonal(X, w, None, *columns)
        made.append([*sums(X, codes, w, shifts, 4), grams, within, full, *columns, a, b])
    for other in made[1:]:
        for x, y in zip(made[0], other, strict=True):
            assert_array_equal(x, y)


def test_arrays_that_do_not_fit_are_refused():
    X, codes, w, shifts = problem(20, 3, 2, np.float64)
    with pytest.raises(ValueError, match="codes from 0"):
        sums(X, codes + 1, w, shifts, 2)
    with pytest.raises(ValueError, match="one weight per row"):
        sums(X, codes, w[:-1], shifts, 2)
    with pytest.raises(ValueError, match="dense rows"):
        _native.class_gram(native_table(sp.csr_array(X)), codes, w, shifts, np.zeros((2, 4, 4)))
    scores = model("diagonal", *gaussians(3, 2))
    with pytest.raises(ValueError, match="as many columns"):
        scores.score(X[:, :2].copy(), np.empty((20, 2)))
    with pytest.raises(ValueError, match="a model with means"):
        model("linear", *gaussians(3, 2)).expectation_full(X, w, None, np.zeros((2, 4, 4)))
