"""Centring of data and of kernel matrices."""

import numpy as np
import pytest
from sklearn.preprocessing import KernelCenterer

from gramian.base.errors import DataError
from gramian.kernels import RBF
from gramian.textbook.kernels import center_data, center_kernel

rng = np.random.default_rng(0)
X, Z = rng.normal(3.0, 1.0, size=(20, 3)), rng.normal(3.0, 1.0, size=(6, 3))


def test_the_column_of_ones_is_kept():
    table = np.column_stack([X, np.ones(20)])
    centred = center_data(table, X[:, 0] * 2)
    np.testing.assert_allclose(centred.X[:, :3].mean(axis=0), 0.0, atol=1e-14)
    assert (centred.X[:, 3] == 1).all()
    assert centred.X_mean[3] == 0
    assert centred.y.mean() == pytest.approx(0)
    assert centred.y_mean == pytest.approx(2 * X[:, 0].mean())


def test_a_centred_linear_kernel_matches_centred_rows():
    K, K_new = X @ X.T, Z @ X.T
    mean = X.mean(axis=0)
    np.testing.assert_allclose(center_kernel(K), (X - mean) @ (X - mean).T, atol=1e-12)
    np.testing.assert_allclose(center_kernel(K, K_new), (Z - mean) @ (X - mean).T, atol=1e-12)


def test_centring_agrees_with_scikit_learn():
    K, K_new = RBF()(X), RBF()(Z, X)
    theirs = KernelCenterer().fit(K)
    np.testing.assert_allclose(center_kernel(K), theirs.transform(K), atol=1e-13)
    np.testing.assert_allclose(center_kernel(K, K_new), theirs.transform(K_new), atol=1e-13)


def test_shapes_that_do_not_match():
    with pytest.raises(DataError, match="one target per"):
        center_data(X, [1.0])
    with pytest.raises(DataError, match="y must contain numbers"):
        center_data(X, ["a"] * len(X))
    with pytest.raises(DataError, match="y must have shape"):
        center_data(X, 1.0)
    with pytest.raises(DataError, match="square"):
        center_kernel(X)
    with pytest.raises(DataError, match="columns"):
        center_kernel(X @ X.T, Z)
