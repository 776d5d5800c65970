"""The Gram and residual passes against plain NumPy, exact fractions, threads and cuts."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import _native
from gramian.base.rows.native_table import native_table

BLOCK = _native.gram_rows()


def problem(n, d, m, dtype, seed=0):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) + 5).astype(dtype)
    return X, rng.normal(size=(n, m)), rng.random(n), np.full(d + m, 4.5)


def gram(X, Y, w, shift, *, in_double=True):
    q = X.shape[1] + Y.shape[1] + 1
    out = np.zeros((q, q))
    _native.gram(native_table(X), Y, w, shift, in_double, out)
    return out


def plain_gram(X, Y, w, shift):
    Z = np.column_stack([np.hstack([X.astype(float), Y]) - shift, np.ones(len(Y))])
    return Z.T @ (Z if w is None else Z * w[:, None])


@settings(deadline=None, max_examples=50)
@given(
    n=st.integers(1, 300),
    d=st.integers(1, 40),
    m=st.integers(0, 3),
    weighted=st.booleans(),
    dtype=st.sampled_from([np.float32, np.float64]),
    in_double=st.booleans(),
)
def test_gram_equals_the_obvious_numpy(n, d, m, weighted, dtype, in_double):
    X, Y, w, shift = problem(n, d, m, dtype)
    w = w if weighted else None
    exact = plain_gram(X, Y, w, shift)
    error = 1e-13 if in_double or dtype == np.float64 else 2e-5
    made = gram(X, Y, w, shift, in_double=in_double)
    assert_allclose(made, exact, atol=error * np.abs(exact).max())
    assert_array_equal(made, made.T)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [False, True])
def test_gram_of_sparse_rows_matches_dense_rows(dtype, index, weighted):
    X, Y, w, shift = problem(500, 90, 2, dtype)
    X[np.random.default_rng(1).random(X.shape) < 0.8] = 0
    shift[:90] = 0
    w = w if weighted else None
    sparse = sp.csr_array(X)
    sparse.indices, sparse.indptr = sparse.indices.astype(index), sparse.indptr.astype(index)
    exact = plain_gram(X, Y, w, shift)
    assert_allclose(gram(sparse, Y, w, shift), exact, atol=1e-12 * np.abs(exact).max())


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gram_has_the_same_bits_for_any_threads_and_any_cut_at_blocks(dtype):
    X, Y, w, shift = problem(3 * BLOCK + 17, 30, 1, dtype)
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        made.append(gram(X, Y, w, shift, in_double=False))
    cut = np.zeros_like(made[0])
    for rows in (slice(0, BLOCK), slice(BLOCK, 3 * BLOCK), slice(3 * BLOCK, None)):
        _native.gram(X[rows], Y[rows], w[rows], shift, False, cut)
    for other in (*made[1:], cut):
        assert_array_equal(made[0], other)


def residuals(X, Y, w, model, low, *, extended):
    gradient, gradient_low = np.zeros_like(model), np.zeros_like(model)
    rss = np.zeros(Y.shape[1])
    gradients = gradient, gradient_low
    _native.residuals(native_table(X), Y, w, (model, low), extended, gradients, rss)
    return gradient, gradient_low, rss


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("extended", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 7, 23])
def test_residuals_equal_the_obvious_numpy(d, dtype, extended, sparse):
    X, Y, w, _ = problem(BLOCK + 100, d, 2, dtype)
    model = np.random.default_rng(2).normal(size=(2, d + 1))
    R = Y - X.astype(float) @ model[:, :-1].T - model[:, -1]
    gradient = np.column_stack([(R * w[:, None]).T @ X.astype(float), (R * w[:, None]).sum(axis=0)])
    table = sp.csr_array(X) if sparse else X
    made, low, rss = residuals(table, Y, w, model, np.zeros_like(model), extended=extended)
    assert_allclose(made + low, gradient, rtol=1e-9)
    assert_allclose(rss, (R**2 * w[:, None]).sum(axis=0), rtol=1e-12)


@pytest.mark.parametrize("isparse", [False, True])
def test_extended_residuals_are_right_to_thirty_digits(isparse):
    """y = Xc + b up to one bit: double finds nothing of what is left, twice double all of it."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 11)) * 1e3
    model, low = rng.normal(size=(1, 12)), rng.normal(size=(1, 12)) * 1e-18
    y = X @ model[0, :-1] + model[0, -1]
    w = rng.random(40)

    def exact(j):
        total = Fraction(0)
        for x, target, weight in zip(X, y, w, strict=True):
            c = [Fraction(a) + Fraction(b) for a, b in zip(model[0], low[0], strict=True)]
            r = Fraction(target) - c[11] - sum(Fraction(a) * b for a, b in zip(x, c, strict=False))
            total += Fraction(weight) * r * (Fraction(x[j]) if j < 11 else 1)
        return float(total)

    table = sp.csr_array(X) if isparse else X
    high, rest, _ = residuals(table, y[:, None], w, model, low, extended=True)
    assert_allclose((high + rest)[0], [exact(j) for j in range(12)], rtol=1e-10)


def test_residuals_have_the_same_bits_for_any_threads():
    X, Y, w, _ = problem(3 * BLOCK + 17, 30, 1, np.float64)
    model = np.random.default_rng(2).normal(size=(1, 31))
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        made.append(residuals(X, Y, w, model, 0 * model, extended=True))
    for other in made[1:]:
        for a, b in zip(made[0], other, strict=True):
            assert_array_equal(a, b)
