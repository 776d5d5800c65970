"""Kernels of the inner product against scikit-learn's functions and by hand."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import pairwise

from gramian.base.errors import ParameterError
from gramian.kernels import Cosine, Linear, Polynomial, Sigmoid
from gramian.kernels.inner_products import products, squared_norms

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(20, 4)), rng.normal(size=(7, 4))
KERNELS = [
    (Linear(), pairwise.linear_kernel),
    (Polynomial(3, 0.25, 1.0), pairwise.polynomial_kernel),
    (Polynomial(2, 0.25, 1.0), lambda X, Y: pairwise.polynomial_kernel(X, Y, degree=2)),
    (Polynomial(5, 0.5, 2.0), lambda X, Y: pairwise.polynomial_kernel(X, Y, 5, 0.5, 2.0)),
    (Sigmoid(0.25, 1.0), pairwise.sigmoid_kernel),
    (Cosine(), pairwise.cosine_similarity),
]


@pytest.mark.parametrize(("kernel", "theirs"), KERNELS)
@pytest.mark.parametrize("left", [np.array, sp.csr_array])
@pytest.mark.parametrize("right", [np.array, sp.csr_array])
def test_matrices_agree_with_scikit_learn(kernel, theirs, left, right):
    np.testing.assert_allclose(kernel(left(X), right(Z)), theirs(X, Z), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(kernel.diagonal(left(X)), np.diag(theirs(X, X)), rtol=1e-12)


def test_the_polynomial_kernel_of_the_textbooks():
    assert Polynomial(2)([[1.0, 2.0]], [[3.0, 4.0]]).item() == (11 + 1) ** 2


def test_a_row_of_zeros_has_no_angle():
    assert Cosine()([[0.0, 0.0], [1.0, 0.0]]).tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_degrees_of_zero_one_and_a_half():
    base = X @ X.T / 50 + 1
    np.testing.assert_allclose(Polynomial(0)(X), 1.0)
    np.testing.assert_allclose(Polynomial(1, 0.02)(X), base)
    np.testing.assert_allclose(Polynomial(1.5, 0.02)(X), base**1.5)


@pytest.mark.parametrize("make", [Polynomial, Sigmoid])
@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf, "scale"])
def test_gamma_must_be_positive(make, gamma):
    with pytest.raises(ParameterError, match="gamma must be a number > 0"):
        make(gamma=gamma)


def test_norms_and_products_of_sparse_rows():
    S = sp.random_array((9, 30), density=0.2, rng=rng, format="csr")
    np.testing.assert_allclose(squared_norms(S), (S.toarray() ** 2).sum(axis=1))
    np.testing.assert_allclose(products(S, S), S.toarray() @ S.toarray().T)
