import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

from gramian.base.errors import ParameterError
from gramian.linalg import block_krylov, leading_eigenpairs
from gramian.linalg.block_krylov import (
    cholesky_root,
    orthonormal,
    small_block_krylov,
    top_eigenpairs,
)


def with_values(values, seed=0):
    """A symmetric matrix with these eigenvalues, and its orthonormal eigenvectors."""
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(len(values), len(values))))[0]
    return (Q * values) @ Q.T, Q


SPECTRA = {
    "decaying": 0.97 ** np.arange(400),
    "flat": np.r_[np.linspace(2, 1.5, 5), np.linspace(1.4, 0, 395)],
    "repeated": np.r_[np.full(4, 3.0), np.full(3, 2.0), np.linspace(1, 0, 393)],
    "of low rank": np.r_[5.0, 4.0, np.zeros(398)],
    "with negative ones": np.r_[np.linspace(-9, -1, 200), np.linspace(0, 3, 200)],
    "zero": np.zeros(400),
}


@pytest.mark.parametrize("name", SPECTRA)
def test_leading_pairs_of_a_large_matrix_are_lapacks(name):
    A, _ = with_values(np.sort(SPECTRA[name])[::-1])
    values, V = leading_eigenpairs(A, 7)
    expected = scipy.linalg.eigvalsh(A)[::-1][:7]
    scale = max(np.abs(expected).max(), 1e-300)
    np.testing.assert_allclose(values, expected, atol=1e-11 * scale)
    np.testing.assert_allclose(V.T @ V, np.eye(7), atol=1e-12)
    assert np.linalg.norm(A @ V - V * values, axis=0).max() <= 1e-11 * max(np.abs(A).max(), scale)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 2.0, 5.0, -1.0]), min_size=20, max_size=40),
    st.integers(1, 6),
)
def test_repeated_and_zero_eigenvalues_are_found_as_often_as_they_occur(values, k):
    A, _ = with_values(np.array(values), seed=len(values))
    start = np.random.default_rng(k).normal(size=(len(A), k + 4))
    found = block_krylov(lambda Q: A @ Q, start, k, tol=1e-13, max_products=60)
    np.testing.assert_allclose(found.values, np.sort(values)[::-1][:k], atol=1e-9)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(k), atol=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("often", [7, 8, 9, 25])
def test_an_eigenvalue_repeated_more_often_than_a_block_has_columns_is_not_missed(often):
    values = np.r_[4.0, np.full(often, 3.0), np.linspace(2, 0, 399 - often)]
    A, _ = with_values(values)
    found = leading_eigenpairs(A, 30)
    np.testing.assert_allclose(found.values, values[:30], atol=1e-11)
    start = np.random.default_rng(0).normal(size=(400, 8))
    options = {"tol": 1e-12, "max_columns": 200, "max_total_columns": 1000, "seed": 0}
    pairs = small_block_krylov(lambda Q: A @ Q, start, 30, **options)
    np.testing.assert_allclose(pairs.values, values[:30], atol=1e-10)
    np.testing.assert_allclose(pairs.vectors.T @ pairs.vectors, np.eye(30), atol=1e-12)


def test_residuals_match_the_pairs():
    A, _ = with_values(np.linspace(3, 0, 300))
    start = np.random.default_rng(0).normal(size=(300, 6))
    found = block_krylov(lambda Q: A @ Q, start, 4, tol=0.0, max_products=5)
    norms = np.linalg.norm(A @ found.vectors - found.vectors * found.values, axis=0)
    np.testing.assert_allclose(found.residuals, norms, rtol=1e-8)
    assert found.products == 5


def test_restarts_reach_the_same_pairs():
    A, _ = with_values(0.9 ** np.arange(200))
    start = np.random.default_rng(0).normal(size=(200, 6))
    small = block_krylov(lambda Q: A @ Q, start, 4, tol=1e-12, max_products=200, max_columns=18)
    np.testing.assert_allclose(small.values, 0.9 ** np.arange(4), rtol=1e-10)


def test_the_number_of_pairs_is_checked():
    with pytest.raises(ParameterError, match="k must be between 1 and 3; got 4"):
        leading_eigenpairs(np.eye(3), 4)


@pytest.mark.parametrize("smallest", [1.0, 1e-4, 1e-9, 0.0])
def test_columns_become_orthonormal_whether_dependent_or_not(smallest):
    W = np.random.default_rng(0).normal(size=(200, 5))
    W[:, 4] = W[:, 0] + smallest * W[:, 4]
    Q, R = orthonormal(W)
    np.testing.assert_allclose(Q.T @ Q, np.eye(5), atol=1e-14)
    np.testing.assert_allclose(Q @ R, W, atol=1e-13)


def test_a_cholesky_root_detects_loss_of_accuracy():
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(50, 3)))[0]
    exact = cholesky_root(Q * [4.0, 2.0, 1.0])
    np.testing.assert_allclose(exact.factor, np.diag([4.0, 2.0, 1.0]), atol=1e-14)
    assert exact.exact
    assert not cholesky_root(Q @ [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]).exact
    assert cholesky_root(Q[:, [0, 1, 0]]) is None


@pytest.mark.parametrize("n", [40, 150, 300, 700, 1001])
def test_many_equal_eigenvalues_are_all_found(n):
    # Points of equal distances: LAPACK returns none of the leading pairs of this one.
    A = (np.eye(n) - 1 / n) / 2
    values, vectors = top_eigenpairs(A, 2)
    np.testing.assert_allclose(values, [0.5, 0.5], rtol=1e-12)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-12)


@pytest.mark.parametrize(("n", "k"), [(120, 12), (450, 30), (450, 200), (700, 12), (1100, 12)])
def test_repeated_eigenvalues_are_found_as_often_as_they_occur(n, k):
    rng = np.random.default_rng(n + k)
    eigenvalues = np.sort(np.concatenate([[5.0] * 7, [4.0, 3.0], rng.choice(3, n - 9)]))[::-1]
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    A = (Q * eigenvalues) @ Q.T
    values, vectors = top_eigenpairs((A + A.T) / 2, k)
    np.testing.assert_allclose(values, eigenvalues[:k], rtol=1e-12)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(k), atol=1e-11)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-11)
