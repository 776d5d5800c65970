"""Column moments: exact to rounding whatever the means, and independent of the batches."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.rows.column_moments import ColumnMoments, class_pilots


def rows(n=400, d=5, K=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(K, size=n), rng.random(n)


@pytest.mark.parametrize("shift", [0.0, 1e6, -1e9])
@pytest.mark.parametrize("weighted", [False, True])
def test_moments_match_numpy_far_from_zero_too(shift, weighted):
    X, codes, w = rows()
    X = X + shift * (1 + codes[:, None])
    made = ColumnMoments.of(X, codes, 3, w if weighted else None)
    for k in range(3):
        here = codes == k
        v = w[here] if weighted else np.ones(here.sum())
        mean = np.average(X[here], axis=0, weights=v)
        assert made.weights[k] == pytest.approx(v.sum())
        assert_allclose(made.means[k], mean, rtol=1e-13, atol=1e-13)
        assert_allclose(made.squares[k], v @ (X[here] - mean) ** 2, rtol=1e-6)


def test_a_first_point_far_from_the_mean_costs_no_digits():
    rng = np.random.default_rng(1)
    x = np.concatenate([np.full(15, 1e9), rng.normal(size=200_000)])[:, None]
    made = ColumnMoments.of(x, np.zeros(len(x), dtype=int), 1, None)
    assert made.squares[0, 0] == pytest.approx(((x - x.mean()) ** 2).sum(), rel=1e-12)


def test_a_constant_column_has_no_scatter_at_all():
    x = np.full((1000, 1), 0.1)
    assert ColumnMoments.of(x, np.arange(1000) % 2, 2, None).squares.tolist() == [[0.0], [0.0]]


@given(cut=st.integers(1, 399), seed=st.integers(0, 20))
def test_moments_of_two_parts_merge_to_those_of_the_whole(cut, seed):
    X, codes, w = rows(seed=seed)
    whole = ColumnMoments.of(X, codes, 3, w)
    left, right = (ColumnMoments.of(X[p], codes[p], 3, w[p]) for p in (np.s_[:cut], np.s_[cut:]))
    both = left.merge(right)
    assert_allclose(both.weights, whole.weights, rtol=1e-12)
    assert_allclose(both.means, whole.means, atol=1e-12)
    assert_allclose(both.squares, whole.squares, rtol=1e-10, atol=1e-10)
    total = whole.total()
    assert_allclose(total.squares[0], w @ (X - np.average(X, axis=0, weights=w)) ** 2)


def test_sparse_rows_have_the_moments_of_dense_rows():
    X, codes, w = rows()
    X[np.abs(X) < 1] = 0
    dense, sparse = (ColumnMoments.of(T, codes, 3, w) for T in (X, sp.csr_array(X)))
    assert_allclose(sparse.means, dense.means, atol=1e-12)
    assert_allclose(sparse.squares, dense.squares, rtol=1e-10)


def test_a_class_without_rows_has_weight_zero_and_a_pilot_at_zero():
    X, codes, _ = rows(K=2)
    made = ColumnMoments.of(X, codes, 3, None)
    assert made.weights[2] == 0
    assert not class_pilots(X, codes, 3)[2].any()
    assert not made.means[2].any()
