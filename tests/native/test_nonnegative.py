"""Nonnegative least squares of many rows, against SciPy's active sets, and for any threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import nnls

import gramian
from gramian import _native


def problem(n, k, seed=0):
    rng = np.random.default_rng(seed)
    H = rng.random((k, 3 * k + 2))
    X = rng.normal(size=(n, 3 * k + 2)) + 0.5
    return X, H, np.ascontiguousarray(X @ H.T), H @ H.T


@settings(deadline=None, max_examples=30)
@given(n=st.integers(1, 70), k=st.integers(1, 9))
def test_rows_match_active_sets(n, k):
    X, H, cross, gram = problem(n, k, seed=n)
    W = np.zeros((n, k))
    _native.nonnegative_rows(gram, cross, (0.0, 0.0), (100_000, 0.0, 1e-12), W)
    expected = np.array([nnls(H.T, x)[0] for x in X])
    np.testing.assert_allclose(W, expected, atol=1e-7)


def test_a_row_does_not_depend_on_its_neighbours_or_on_threads():
    _, _, cross, gram = problem(700, 6)
    made = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        W = np.ones((700, 6))
        first = _native.nonnegative_rows(gram, cross, (0.1, 0.2), (50, 0.3, 1e-8), W)
        made.append((first, W))
    assert all(first == made[0][0] for first, _ in made)
    alone = np.ones((1, 6))
    _native.nonnegative_rows(gram, cross[37:38].copy(), (0.1, 0.2), (50, 0.3, 1e-8), alone)
    for _, W in made:
        np.testing.assert_array_equal(W, made[0][1])
        np.testing.assert_array_equal(W[37:38], alone)


def test_one_sweep_is_one_sweep_and_a_column_without_effect_stays():
    _, _, cross, gram = problem(20, 3)
    gram[1] = gram[:, 1] = 0.0
    W = np.full((20, 3), 0.5)
    expected = W.copy()
    violation = 0.0
    for t in (0, 2):
        gradient = expected @ gram[t] - cross[:, t] + 0.1 + 0.2 * expected[:, t]
        violation += np.abs(gradient).sum()
        step = gradient / (gram[t, t] + 0.2)
        expected[:, t] = np.maximum(expected[:, t] - step, 0.0)
    gram[1, 1] = -0.2
    found = _native.nonnegative_rows(gram, cross, (0.1, 0.2), (1, 0.0, 0.0), W)
    np.testing.assert_allclose(W, expected, atol=1e-14)
    assert found == pytest.approx(violation)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="as wide as W"):
        _native.nonnegative_rows(np.eye(2), np.ones((3, 3)), (0, 0), (1, 0, 0), np.ones((3, 3)))
    with pytest.raises(ValueError, match="products of the shape"):
        _native.nonnegative_rows(np.eye(2), np.ones((2, 2)), (0, 0), (1, 0, 0), np.ones((3, 2)))
