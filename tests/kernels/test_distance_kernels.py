"""Gaussian and Laplacian kernels: both ways to write the width, and digits kept."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise

from gramian.base.errors import ParameterError
from gramian.kernels import RBF, Laplacian

rng = np.random.default_rng(0)
X, Z = rng.normal(size=(20, 4)), rng.normal(size=(7, 4))


@pytest.mark.parametrize("left", [np.array, sp.csr_array])
@pytest.mark.parametrize("right", [np.array, sp.csr_array])
@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [(RBF(0.25), pairwise.rbf_kernel), (Laplacian(0.25), pairwise.laplacian_kernel)],
)
def test_matrices_agree_with_scikit_learn(kernel, theirs, left, right):
    np.testing.assert_allclose(kernel(left(X), right(Z)), theirs(X, Z), rtol=1e-12)
    assert kernel.diagonal(left(X)).tolist() == [1.0] * len(X)


def test_three_conventions_for_the_width():
    """E30: the textbooks divide by 2 s^2 or by s^2; a constant factor is harmless."""
    squares = cdist(X, Z, "sqeuclidean")
    halved, whole = RBF.from_length_scale(1.3), RBF.from_length_scale(1.3, halved=False)
    np.testing.assert_allclose(halved(X, Z), np.exp(-squares / (2 * 1.3**2)))
    np.testing.assert_allclose(whole(X, Z), np.exp(-squares / 1.3**2))
    assert RBF.from_length_scale(halved.length_scale).gamma == pytest.approx(halved.gamma)
    factor = 1 / np.sqrt(2 * np.pi)
    np.testing.assert_allclose((factor * halved)(X, Z), factor * halved(X, Z))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_rows_far_from_the_origin_and_from_each_other_keep_their_digits(dtype):
    """Two clusters a million length scales apart: products alone would lose the distances."""
    base = rng.normal(size=(30, 3))
    far = np.vstack([base, base + 1e6 if dtype == np.float64 else base + 1e3]).astype(dtype)
    exact = np.exp(-0.5 * cdist(far, far, "sqeuclidean"))
    np.testing.assert_allclose(RBF(0.5)(far), exact, atol=1e-9 if dtype == np.float64 else 2e-5)
    sparse = RBF(0.5)(sp.csr_array(far))
    assert np.isfinite(sparse).all()
    assert sparse.dtype == dtype


def test_float32_agrees_with_float64():
    single = RBF(0.25)(X.astype(np.float32), Z.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, RBF(0.25)(X, Z), atol=2e-6)


@pytest.mark.parametrize("make", [RBF, Laplacian, RBF.from_length_scale])
@pytest.mark.parametrize("gamma", [0, -1.0, np.nan, np.inf])
def test_the_width_must_be_positive(make, gamma):
    with pytest.raises(ParameterError, match="must be a number > 0"):
        make(gamma)


def test_sparse_rows_with_long_positions():
    S = sp.csr_array(X)
    long = sp.csr_array((S.data, S.indices.astype(np.int64), S.indptr.astype(np.int64)), S.shape)
    np.testing.assert_allclose(Laplacian(0.25)(long), Laplacian(0.25)(X), rtol=1e-12)
