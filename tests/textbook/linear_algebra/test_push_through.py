"""The push-through identity."""

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


def test_matrices_that_are_not_positive_definite_are_refused():
    with pytest.raises(ValueError, match="positive definite"):
        push_through(np.eye(2), np.zeros((1, 2)), [[-1.0]])
    with pytest.raises(ValueError, match=r"B must have shape \(1, 2\)"):
        push_through(np.eye(2), np.zeros((2, 2)), [[1.0]])
