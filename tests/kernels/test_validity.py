"""Whether a function is a kernel."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.kernels import Linear, Polynomial, Sigmoid, check_kernel

X = np.random.default_rng(0).normal(size=(30, 3))


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf", "laplacian", "cosine"])
def test_kernels_are_positive_semidefinite(kernel):
    report = check_kernel(X, kernel)
    assert report.symmetric
    assert report.positive_semidefinite
    assert report.asymmetry < 1e-12


def test_sums_and_products_of_kernels_are_kernels():
    """Schur's product theorem."""
    assert check_kernel(X, Linear() * Polynomial(2) + Linear()).positive_semidefinite


def test_the_rank_is_the_number_of_features():
    """E31: with more rows than features K is singular, and K a = y has no solution in general."""
    report = check_kernel(X, Linear())
    assert report.singular
    assert report.rank == 3
    assert report.condition == np.inf
    assert check_kernel(X[:, :1], Polynomial(3)).rank == 4
    assert not check_kernel(X, "rbf", gamma=50.0).singular


def test_functions_that_are_not_kernels():
    assert not check_kernel(X, Sigmoid(1.0, -1.0)).positive_semidefinite
    report = check_kernel(X, lambda x, z: float(x[0] - z[0]))
    assert not report.symmetric
    assert not report.positive_semidefinite
    assert report.asymmetry > 1


def test_a_matrix_can_be_checked():
    assert check_kernel([[2.0, 1.0], [1.0, 2.0]], "precomputed").eigenvalues == pytest.approx(
        [1, 3]
    )
    assert not check_kernel([[1.0, 2.0], [2.0, 1.0]], "precomputed").positive_semidefinite
    with pytest.raises(DataError, match="square"):
        check_kernel([[1.0, 2.0]], "precomputed")


def test_a_kernel_by_name_has_its_degree_and_constant():
    by_name = check_kernel(X, "poly", gamma=1.0, degree=2, coef0=0.5)
    np.testing.assert_allclose(
        by_name.eigenvalues, check_kernel(X, Polynomial(2, 1.0, 0.5)).eigenvalues
    )
    assert by_name.rank == 10  # monomials of 3 columns up to degree 2
