"""Linear systems: the four ways agree, singular ones get the shortest solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.base.errors import DataError
from gramian.solvers import conjugate_gradients, solve_system
from tests.solvers.problems import bowls


@given(bowl=bowls())
def test_every_method_solves_the_normal_equations(bowl):
    A, b = bowl
    expected = np.linalg.solve(A, b)
    for method in ("auto", "cholesky", "lu", "cg", "least-norm"):
        assert_allclose(solve_system(A, b, method), expected, rtol=1e-6, atol=1e-9)


@given(seed=st.integers(0, 999), rank=st.integers(1, 3))
def test_a_singular_consistent_system_gets_its_shortest_solution(seed, rank):
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(5, rank))
    A = B @ B.T
    b = A @ rng.normal(size=5)
    shortest = np.linalg.pinv(A, rcond=1e-10) @ b
    for method in ("auto", "cg", "least-norm"):
        assert_allclose(solve_system(A, b, method), shortest, rtol=1e-4, atol=1e-6)


def test_duplicated_columns_are_singular_even_if_rounding_hides_it():
    x = np.random.default_rng(0).normal(size=(50, 1))
    X = np.hstack([x, x * 3, np.ones((50, 1))])
    A, b = X.T @ X, X.T @ (2 * x[:, 0] + 1)
    assert_allclose(solve_system(A, b), np.linalg.pinv(X) @ (2 * x[:, 0] + 1), atol=1e-6)


def test_badly_scaled_but_regular_systems_are_not_called_singular():
    A = np.diag([1e-12, 1.0, 1e12])
    assert_allclose(solve_system(A, np.array([1e-12, 1.0, 1e12])), 1.0)
    assert_allclose(solve_system(A, np.array([1e-12, 1.0, 1e12]), "cholesky"), 1.0)


@pytest.mark.parametrize("method", ["cholesky", "lu"])
def test_factorisations_refuse_singular_matrices(method):
    with pytest.raises(DataError, match="use method='least-norm'"):
        solve_system(np.ones((2, 2)), np.ones(2), method)


def test_cholesky_refuses_indefinite_ones_and_lu_takes_them():
    A = np.array([[0.0, 1.0], [1.0, 0.0]])
    with pytest.raises(DataError, match="positive definite"):
        solve_system(A, np.array([1.0, 2.0]), "cholesky")
    assert_allclose(solve_system(A, np.array([1.0, 2.0]), "lu"), [2.0, 1.0])
    assert_allclose(solve_system(A, np.array([1.0, 2.0])), [2.0, 1.0])


@given(bowl=bowls(kappa=st.floats(1, 20)))
def test_conjugate_gradients_need_at_most_d_products(bowl):
    A, b = bowl
    calls = []
    x, positive = conjugate_gradients(lambda v: calls.append(1) or A @ v, b, tol=1e-8)
    assert positive
    assert len(calls) <= len(b)
    assert_allclose(A @ x, b, atol=1e-6)


def test_conjugate_gradients_report_negative_curvature():
    A = np.diag([1.0, -1.0])
    x, positive = conjugate_gradients(lambda v: A @ v, np.array([0.0, 1.0]))
    assert not positive
    assert x.tolist() == [0.0, 1.0]
