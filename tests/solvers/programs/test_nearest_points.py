"""Nearest points of two convex hulls against a quadratic program and by hand."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize

from gramian.solvers.programs.nearest_points import nearest_points


def distance_by_a_general_solver(A, B):
    """The least |p - q| over weights of the rows, by SLSQP."""
    n, m = len(A), len(B)
    Z = np.vstack([A, -B])
    found = minimize(
        lambda v: (v @ Z) @ (v @ Z),
        np.concatenate([np.full(n, 1 / n), np.full(m, 1 / m)]),
        jac=lambda v: 2 * Z @ (v @ Z),
        bounds=[(0, 1)] * (n + m),
        constraints=[
            {"type": "eq", "fun": lambda v: v[:n].sum() - 1},
            {"type": "eq", "fun": lambda v: v[n:].sum() - 1},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return np.sqrt(found.fun)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("as_data", [np.asarray, sp.csr_array])
def test_the_distance_is_the_least_and_the_weights_make_the_points(seed, as_data):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    A, B = rng.normal(size=(8, d)) + 2, rng.normal(size=(6, d)) - 2
    found = nearest_points(as_data(A), as_data(B))
    assert found.converged
    for weights in (found.left, found.right):
        assert weights.min() >= 0
        assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(found.left @ A - found.right @ B, found.direction, atol=1e-9)
    length = np.linalg.norm(found.direction)
    assert length == pytest.approx(distance_by_a_general_solver(A, B), abs=1e-6)
    # every row lies beyond the two parallel planes through the points
    assert (A @ found.direction).min() - (B @ found.direction).max() == pytest.approx(length**2)


def test_an_edge_against_a_point():
    found = nearest_points(np.array([[0.0, 1.0], [2.0, 1.0]]), np.array([[0.5, 0.0]]))
    np.testing.assert_allclose(found.direction, [0, 1], atol=1e-12)
    np.testing.assert_allclose(found.left, [0.75, 0.25], atol=1e-12)
    assert found.right.tolist() == [1.0]


def test_hulls_that_meet_have_distance_zero():
    square = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    found = nearest_points(square, square[:, ::-1] * 0.5)
    assert found.converged
    assert np.linalg.norm(found.direction) == pytest.approx(0, abs=1e-7)


def test_too_few_steps_are_reported():
    rng = np.random.default_rng(0)
    found = nearest_points(rng.normal(size=(50, 5)) + 1, rng.normal(size=(50, 5)) - 1, max_iter=2)
    assert (found.converged, found.steps) == (False, 2)
    assert found.gap > 1e-6
