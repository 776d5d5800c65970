"""The push-through identity, and traces and determinants."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.linear_algebra import push_through


def positive(rng, d):
    Z = rng.normal(size=(d, d))
    return Z @ Z.T + np.eye(d)


@pytest.mark.parametrize(("n", "d"), [(3, 5), (5, 3), (1, 1)])
def test_both_sides_are_equal(n, d):
    rng = np.random.default_rng(n)
    P, B, R = positive(rng, d), rng.normal(size=(n, d)), positive(rng, n)
    expected = np.linalg.inv(np.linalg.inv(P) + B.T @ np.linalg.inv(R) @ B) @ B.T @ np.linalg.inv(R)
    for side in ("left", "right", "auto"):
        assert_allclose(push_through(P, B, R, side=side), expected, atol=1e-10)


def test_it_is_ridge_in_both_forms():
    X, y = np.random.default_rng(1).normal(size=(8, 3)), np.arange(8.0)
    primal = np.linalg.solve(X.T @ X + 0.5 * np.eye(3), X.T @ y)
    assert_allclose(push_through(np.eye(3) / 0.5, X, np.eye(8)) @ y, primal)


def test_traces_and_determinants_of_products():
    rng = np.random.default_rng(2)
    A, B, C = rng.normal(size=(2, 3)), rng.normal(size=(3, 4)), rng.normal(size=(4, 2))
    assert_allclose(np.trace(A @ B @ C), np.trace(C @ A @ B))
    assert_allclose(np.trace(A @ B @ C), np.trace(B @ C @ A))
    M, N = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    assert_allclose(np.linalg.det(M @ N), np.linalg.det(M) * np.linalg.det(N))
    assert_allclose(np.linalg.inv(M @ N), np.linalg.inv(N) @ np.linalg.inv(M))
    a, b, c = M, N, rng.normal(size=(3, 3))
    assert abs(np.trace(a @ b @ c) - np.trace(c @ b @ a)) > 1e-3  # a common misprint


def test_matrices_that_are_not_positive_definite_are_refused():
    with pytest.raises(ValueError, match="positive definite"):
        push_through(np.eye(2), np.zeros((1, 2)), [[-1.0]])
    with pytest.raises(ValueError, match=r"B must have shape \(1, 2\)"):
        push_through(np.eye(2), np.zeros((2, 2)), [[1.0]])
