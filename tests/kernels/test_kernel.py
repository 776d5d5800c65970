"""Kernels as values: sums, products, equality, storing, bad parameters."""

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC

import gramian
from gramian.base.errors import ParameterError
from gramian.kernels import RBF, Constant, Linear, Polynomial, Precomputed, Product, Sum

X = np.random.default_rng(0).normal(size=(12, 3))
Z = np.random.default_rng(1).normal(size=(5, 3))


def test_sums_and_products_match_the_matrices():
    kernel = 2.0 * RBF(0.3) * Linear() + Polynomial(2) + 1
    by_hand = 2 * RBF(0.3)(X, Z) * (X @ Z.T) + (X @ Z.T + 1) ** 2 + 1
    np.testing.assert_allclose(kernel(X, Z), by_hand)
    np.testing.assert_allclose(kernel.diagonal(X), np.diag(kernel(X)))


def test_a_part_of_the_columns_is_that_part_of_the_matrix():
    for kernel in (RBF(0.5), Linear() + 1.0, Polynomial() * RBF()):
        tile = kernel.against(X)
        np.testing.assert_allclose(tile(Z, slice(3, 7)), kernel(Z, X)[:, 3:7])


def test_kernels_are_values():
    assert Linear() + RBF(2.0) == Sum(Linear(), RBF(2.0))
    assert 3 * RBF() == Product(Constant(3.0), RBF())
    assert hash(RBF(0.5)) == hash(RBF(0.5))
    assert RBF(0.5) != RBF(0.6)
    with pytest.raises(AttributeError):
        RBF().gamma = 2.0


def test_a_kernel_of_two_rows_is_a_number():
    """What scikit-learn requires of a function, except in `sklearn.svm`."""
    kernel = RBF(0.7) + 1.0
    assert kernel(X[0], Z[0]) == pytest.approx(kernel(X, Z)[0, 0])
    np.testing.assert_allclose(pairwise_kernels(X, Z, metric=kernel), kernel(X, Z))
    y = np.sin(X[:, 0])
    by_function = KernelRidge(kernel=kernel).fit(X, y).predict(Z)
    by_matrix = KernelRidge(kernel="precomputed").fit(kernel(X), y).predict(kernel(Z, X))
    np.testing.assert_allclose(by_function, by_matrix)


def test_scikit_learn_accepts_a_kernel_as_a_function():
    y = (X[:, 0] > 0).astype(int)
    ours = SVC(kernel=RBF(0.7)).fit(X, y)
    np.testing.assert_allclose(
        ours.decision_function(Z), SVC(gamma=0.7).fit(X, y).decision_function(Z), atol=1e-3
    )


@pytest.mark.parametrize("make", [lambda: Sum(Linear(), 3), lambda: Constant(-1.0),
                                  lambda: Linear() + Precomputed()])  # fmt: skip
def test_sums_and_products_need_kernels(make):
    with pytest.raises(ParameterError):
        make()


def test_a_kernel_is_not_added_to_a_string():
    with pytest.raises(TypeError):
        Linear() + "rbf"


def test_float32_stays_float32():
    kernel = 0.5 * RBF(0.3) + Linear() * Constant(2.0)
    assert kernel(X.astype(np.float32)).dtype == np.float32


def test_kernels_are_reached_through_their_package():
    assert gramian.kernels.RBF is RBF
