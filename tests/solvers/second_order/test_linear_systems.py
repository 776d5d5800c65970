"""Linear systems: the four ways agree, singular ones get the shortest solution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian import _native
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


@pytest.mark.parametrize("digits", [0, 4, 8, 12])
@pytest.mark.parametrize("d", [1, 3, 40])
def test_small_systems_are_solved_and_their_condition_known_as_lapack_does(d, digits):
    rng = np.random.default_rng(d)
    Q, _ = np.linalg.qr(rng.normal(size=(d, d)))
    A = (Q * 10.0 ** -np.linspace(0, digits, d)) @ Q.T
    A, b, x = (A + A.T) / 2, rng.normal(size=d), np.empty(d)
    reciprocal_condition = _native.solve_small_system(A, b, x)
    C = A / np.sqrt(np.outer(A.diagonal(), A.diagonal()))
    expected = 1 / (np.linalg.norm(C, 1) * np.linalg.norm(np.linalg.inv(C), 1))
    assert expected * 0.99 <= reciprocal_condition <= 3 * expected
    error = np.linalg.norm(A @ x - b) / (np.linalg.norm(A) * np.linalg.norm(x))
    assert error < 1e-14


def test_a_small_system_that_is_not_positive_definite_has_no_condition():
    x = np.full(2, 7.0)
    for A in ([[1.0, 2.0], [2.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]):
        assert _native.solve_small_system(np.array(A), np.ones(2), x) == 0
    assert (x == 7).all()


@pytest.mark.parametrize("method", ["cholesky", "lu"])
def test_factorisations_refuse_singular_matrices(method):
    with pytest.raises(DataError, match="Use method='least-norm'"):
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
