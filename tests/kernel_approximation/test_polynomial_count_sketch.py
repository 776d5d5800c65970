"""Tensor sketches against scikit-learn's, and the kernel that they approximate."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.kernel_approximation import PolynomialCountSketch as Theirs

from gramian.base.errors import DataError
from gramian.kernel_approximation import PolynomialCountSketch
from gramian.kernels import Polynomial

rng = np.random.default_rng(0)
X = rng.normal(size=(12, 5))


@pytest.mark.parametrize(("degree", "coef0"), [(1, 0.0), (2, 0.0), (3, 1.0)])
def test_the_same_hashes_give_the_features_of_scikit_learn(degree, coef0):
    settings = {"degree": degree, "coef0": coef0, "gamma": 0.7, "n_components": 21}
    ours = PolynomialCountSketch(random_state=0, **settings).fit(X)
    theirs = Theirs(random_state=0, **settings).fit(X)
    theirs.indexHash_, theirs.bitHash_ = ours.indexHash_, ours.bitHash_
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-10)
    np.testing.assert_allclose(ours.transform(sp.csr_array(X)), theirs.transform(X), atol=1e-10)


def test_products_are_near_the_kernel():
    phi = PolynomialCountSketch(
        degree=2, gamma=0.2, coef0=1.0, n_components=8192, random_state=0
    ).fit_transform(X)
    K = Polynomial(2, 0.2, 1.0)(X)
    assert np.abs(phi @ phi.T - K).max() < 0.1 * np.abs(K).max()


def test_single_precision_names_and_overflow():
    sketch = PolynomialCountSketch(n_components=8, random_state=0).fit(X)
    assert sketch.transform(X.astype(np.float32)).dtype == np.float32
    assert len(sketch.get_feature_names_out()) == 8
    with pytest.raises(DataError):
        sketch.transform(X * 1e200)
