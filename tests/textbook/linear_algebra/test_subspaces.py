"""Subspaces, orthonormal bases and projections."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gramian.textbook.linear_algebra import gram_schmidt, project, project_on_hyperplane, subspaces


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))
def test_the_four_subspaces(seed, n, d, rank):
    rank = min(n, d, rank)
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d))
    found = subspaces(A, tol=1e-9)
    assert found.rank == rank == np.linalg.matrix_rank(A, rtol=1e-9)
    assert (found.column.shape, found.left_null.shape) == ((n, rank), (n, n - rank))
    assert (found.row.shape, found.null.shape) == ((d, rank), (d, d - rank))
    size = np.abs(A).max()
    assert_allclose(A @ found.null, 0, atol=1e-7 * size)
    assert_allclose(found.left_null.T @ A, 0, atol=1e-7 * size)
    assert_allclose(found.column @ (found.column.T @ A), A, atol=1e-7 * size)
    assert_allclose(found.row.T @ found.null, 0, atol=1e-12)


def test_tiny_singular_values_count_as_zero_by_the_tolerance():
    A = np.diag([1.0, 1e-5, 1e-18])
    assert subspaces(A).rank == 2
    assert subspaces(A, tol=1e-4).rank == 1
    assert subspaces(np.zeros((2, 3))).rank == 0
    assert subspaces(np.empty((0, 3))).null.shape == (3, 3)


def test_the_pseudoinverse_has_its_four_identities():
    A = np.random.default_rng(0).normal(size=(5, 2)) @ np.random.default_rng(1).normal(size=(2, 4))
    P = np.linalg.pinv(A, rtol=1e-10)
    assert_allclose(A @ P @ A, A, atol=1e-12)
    assert_allclose(P @ A @ P, P, atol=1e-12)
    assert_allclose(A @ P, (A @ P).T, atol=1e-12)
    assert_allclose(P @ A, (P @ A).T, atol=1e-12)
    assert_allclose(np.linalg.pinv(np.diag([4.0, 0.0])), np.diag([0.25, 0.0]))


@pytest.mark.parametrize("method", ["classical", "modified", "twice"])
def test_a_basis_is_orthonormal_and_spans_what_was_given(method):
    V = np.random.default_rng(2).normal(size=(6, 4))
    V[:, 2] = V[:, 0] - 3 * V[:, 1]
    found = gram_schmidt(V, method=method)
    assert found.kept.tolist() == [0, 1, 3]
    assert found.dropped.tolist() == [2]
    assert_allclose(found.basis.T @ found.basis, np.eye(3), atol=1e-10)
    assert_allclose(found.basis @ (found.basis.T @ V), V, atol=1e-10)
    assert_allclose(np.tril(found.basis.T @ V[:, [0, 1, 3]], -1), 0, atol=1e-10)


def test_the_second_step_keeps_what_the_first_loses():
    V = np.vander(np.linspace(0, 1, 12), 9)
    loss = {
        method: np.abs(b.T @ b - np.eye(b.shape[1])).max()
        for method in ("classical", "modified", "twice")
        for b in [gram_schmidt(V, method=method, tol=1e-14).basis]
    }
    assert loss["twice"] < 1e-13
    assert loss["twice"] <= loss["modified"] < loss["classical"]


def test_more_vectors_than_coordinates():
    found = gram_schmidt(np.random.default_rng(3).normal(size=(2, 5)))
    assert found.kept.tolist() == [0, 1]
    assert gram_schmidt(np.zeros((3, 2))).basis.shape == (3, 0)
    with pytest.raises(ValueError, match="method must be"):
        gram_schmidt(np.eye(2), method="householder")


def test_projections_leave_what_is_orthogonal():
    rng = np.random.default_rng(4)
    V, X = rng.normal(size=(5, 2)), rng.normal(size=(7, 5))
    inside = project(X, V)
    assert_allclose((X - inside) @ V, 0, atol=1e-12)
    assert_allclose(project(inside, V), inside)
    assert_allclose(project(X[0], np.c_[V, V[:, 0]]), inside[0])
    v = V[:, 0]
    assert_allclose(project(X[0], v), (X[0] @ v) / (v @ v) * v)
    with pytest.raises(ValueError, match="5 coordinates"):
        project([1.0, 2.0], V)


def test_the_nearest_point_of_a_hyperplane():
    rng = np.random.default_rng(5)
    w, X = rng.normal(size=3), rng.normal(size=(6, 3))
    found = project_on_hyperplane(X, w, b=2.0)
    assert_allclose(found @ w + 2, 0, atol=1e-12)
    distance = np.abs(X @ w + 2) / np.linalg.norm(w)
    assert_allclose(np.linalg.norm(X - found, axis=1), distance)
    with pytest.raises(ValueError, match="w must not be zero"):
        project_on_hyperplane([1.0], [0.0])
    with pytest.raises(ValueError, match="the same number of coordinates"):
        project_on_hyperplane([1.0, 2.0], [1.0])


def test_points_to_project_are_checked():
    for call in (lambda x: project(x, [1.0, 0.0]), lambda x: project_on_hyperplane(x, [1.0, 0.0])):
        with pytest.raises(ValueError, match=r"project.*: x contains NaN or infinity"):
            call([np.nan, 1.0])
        with pytest.raises(ValueError, match=r"project.*: x must contain numbers"):
            call(["a", "b"])
    with pytest.raises(ValueError, match=r"^project: vectors contains NaN"):
        project([1.0, 2.0], [np.nan, 1.0])
