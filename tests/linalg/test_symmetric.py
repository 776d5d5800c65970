"""Symmetric matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.linalg import (
    definiteness,
    eigenpairs,
    generalized_eigenpairs,
    matrix_from_eigenpairs,
    rayleigh_quotient,
    symmetric_power,
)
from gramian.linalg.symmetric import correlations, signs_of_largest


def symmetric(seed, d, rank=None):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(d, d if rank is None else rank))
    return Z @ Z.T


def test_t7_a_matrix_from_its_eigenpairs():
    A = matrix_from_eigenpairs([2.0, -0.5], [[1, 1], [1, -1]])
    assert_allclose(A, [[0.75, 1.25], [1.25, 0.75]], atol=1e-15)
    values, vectors = eigenpairs(A)
    assert_allclose(values, [2, -0.5])
    assert_allclose(np.abs(vectors), np.full((2, 2), np.sqrt(0.5)))


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_eigenpairs_and_their_matrix_are_inverses(seed, d):
    A = symmetric(seed, d) - 2 * np.eye(d)
    values, V = eigenpairs(A)
    assert (np.diff(values) <= 0).all()
    assert_allclose(V.T @ V, np.eye(d), atol=1e-12)
    assert_allclose(matrix_from_eigenpairs(values, V), A, atol=1e-11 * np.abs(A).max())


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_powers_multiply(seed, d):
    A = symmetric(seed, d) + np.eye(d)
    root = symmetric_power(A, 0.5)
    assert_allclose(root @ root, A, rtol=1e-9, atol=1e-10)
    assert_allclose(symmetric_power(A, -1) @ A, np.eye(d), atol=1e-8)
    assert_allclose(symmetric_power(A, -0.5) @ root, np.eye(d), atol=1e-8)
    assert_allclose(symmetric_power(A, 3), A @ A @ A, rtol=1e-9, atol=1e-9)
    assert_allclose(symmetric_power(A, 0), np.eye(d), atol=1e-12)


def test_negative_powers_of_a_singular_matrix_match_the_pseudoinverse():
    A = symmetric(0, 4, rank=2)
    assert_allclose(symmetric_power(A, -1), np.linalg.pinv(A), atol=1e-12)
    W = symmetric_power(A, -0.5)
    assert_allclose(W @ A @ W, symmetric_power(A, 0.5) @ symmetric_power(A, -0.5), atol=1e-10)


def test_no_real_root_of_a_negative_eigenvalue():
    with pytest.raises(ValueError, match="p must be an integer, or A positive semidefinite"):
        symmetric_power([[1.0, 0.0], [0.0, -1.0]], 0.5)
    assert_allclose(symmetric_power([[1.0, 0.0], [0.0, -2.0]], -1), np.diag([1, -0.5]))


@pytest.mark.parametrize(
    ("diagonal", "kind"),
    [
        ([2, 1], "positive definite"),
        ([2, 0], "positive semidefinite"),
        ([0, 0], "zero"),
        ([-1, 0], "negative semidefinite"),
        ([-1, -3], "negative definite"),
        ([-1, 3], "indefinite"),
    ],
)
def test_definiteness_in_any_basis(diagonal, kind):
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert definiteness(turn @ np.diag(diagonal) @ turn.T) == kind


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_the_rayleigh_quotient_lies_between_the_eigenvalues(seed, d):
    A = symmetric(seed, d) - np.eye(d)
    values, V = eigenpairs(A)
    vectors = np.random.default_rng(seed + 1).normal(size=(d, 7))
    found = rayleigh_quotient(A, vectors)
    slack = 1e-10 * np.abs(values).max()
    assert ((found <= values[0] + slack) & (found >= values[-1] - slack)).all()
    assert_allclose(rayleigh_quotient(A, V), values, atol=1e-10 * np.abs(values).max())
    assert_allclose(rayleigh_quotient(A, 1e200 * vectors), found, rtol=1e-9, atol=1e-12)


def test_the_zero_vector_has_no_direction():
    with pytest.raises(ValueError, match="must not contain a zero vector"):
        rayleigh_quotient(np.eye(2), [0.0, 0.0])
    with pytest.raises(ValueError, match="2 coordinates"):
        rayleigh_quotient(np.eye(2), [1.0, 0.0, 0.0])


@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_generalized_eigenpairs_solve_their_equation(seed, d, singular):
    L, M = symmetric(seed, d) - np.eye(d), symmetric(seed + 1, d, rank=d - 1 if singular else 2 * d)
    values, V = generalized_eigenpairs(L, M)
    assert V.shape == (d, d - singular)
    assert_allclose(V.T @ M @ V, np.eye(V.shape[1]), atol=1e-6)
    assert_allclose(V.T @ L @ V, np.diag(values), atol=1e-6 * max(1, np.abs(values).max()))


def test_a_right_side_with_negative_eigenvalues_is_refused():
    with pytest.raises(ValueError, match="M must be positive semidefinite"):
        generalized_eigenpairs(np.eye(2), np.diag([1.0, -1.0]))
    with pytest.raises(ValueError, match="must have the same shape"):
        generalized_eigenpairs(np.eye(2), np.eye(3))


def test_vectors_that_no_symmetric_matrix_has_are_refused():
    with pytest.raises(ValueError, match="must be orthogonal"):
        matrix_from_eigenpairs([1, 2], [[1, 1], [0, 1]])
    with pytest.raises(ValueError, match="must not be zero"):
        matrix_from_eigenpairs([1, 2], [[1, 0], [0, 0]])
    with pytest.raises(ValueError, match="must have shapes"):
        matrix_from_eigenpairs([1], [[1], [0]])


@pytest.mark.parametrize("units", [[1.0, 1.0, 1.0, 1.0], [1e-9, 1.0, 1e6, 1e12]])
def test_the_rank_of_correlations_is_independent_of_units(units):
    X = np.random.default_rng(0).normal(size=(50, 4))
    X[:, 3] = X[:, 0] - X[:, 1]
    D = np.array(units)
    found = correlations(D * np.cov(X.T) * D[:, None])
    assert found.rank == 3
    assert correlations(D[:3] * np.cov(X[:, :3].T) * D[:3, None]).rank == 3
    C = (found.vectors * found.values) @ found.vectors.T
    np.testing.assert_allclose(C, np.corrcoef(X.T), atol=1e-12)


def test_the_sign_of_the_largest_entry_is_the_first_among_equals():
    V = np.array([[1.0, -2.0, -3.0], [-4.0, 1.0, 3.0]])
    assert signs_of_largest(V).tolist() == [-1.0, -1.0, -1.0]
    assert signs_of_largest(np.empty((0, 2))).tolist() == [1.0, 1.0]


def test_a_power_must_be_finite():
    for p in (np.nan, np.inf):
        with pytest.raises(ValueError, match=r"symmetric_power: p must be a finite number"):
            symmetric_power(np.eye(2), p)
