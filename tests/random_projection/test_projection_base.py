"""Products with dense and sparse directions, and the number of directions."""

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose
from sklearn.exceptions import DataDimensionalityWarning

from gramian import GaussianRandomProjection, SparseRandomProjection
from gramian.random_projection.projection_base import product, scaled_signs


@pytest.mark.parametrize("n", [1, 15, 300])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blocks_give_the_plain_product(n, dtype):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 700)).astype(dtype)
    R = scaled_signs(40, 700, 0.1, rng)
    found = product(X, R)
    assert found.dtype == dtype
    assert_allclose(found, X @ R.toarray().T.astype(dtype), rtol=1e-4, atol=1e-5)
    assert sp.issparse(product(sp.csr_array(X), R))
    assert_allclose(product(sp.csr_array(X), R.toarray()), found, rtol=1e-3, atol=1e-4)


def test_signs_have_the_density_and_scale_asked_for():
    R = scaled_signs(200, 500, 0.2, np.random.default_rng(0))
    assert R.nnz / (200 * 500) == pytest.approx(0.2, abs=0.01)
    assert_allclose(np.abs(R.data), np.sqrt(1 / (0.2 * 200)))
    assert (R.data > 0).mean() == pytest.approx(0.5, abs=0.02)
    assert R.has_canonical_format


def test_auto_uses_the_lemma():
    X = np.zeros((50, 3000))
    assert GaussianRandomProjection(eps=0.5).fit(X).n_components_ == 187
    with pytest.raises(ValueError, match="larger than the original space with n_features=10"):
        GaussianRandomProjection().fit(np.zeros((50, 10)))
    with pytest.raises(ValueError, match="target dimension of 0"):
        GaussianRandomProjection().fit(np.zeros((1, 10)))
    with pytest.warns(DataDimensionalityWarning, match="will not be reduced"):
        GaussianRandomProjection(12).fit(np.zeros((5, 10)))


@pytest.mark.parametrize("stored", [False, True])
def test_inverse_rows_have_the_same_projection(stored):
    X = np.random.default_rng(0).normal(size=(6, 20))
    for kind in (GaussianRandomProjection, SparseRandomProjection):
        model = kind(4, compute_inverse_components=stored, random_state=0).fit(X)
        Z = model.transform(X)
        assert_allclose(model.transform(model.inverse_transform(Z)), Z, atol=1e-10)
    with pytest.raises(ValueError, match="rows of 4 columns"):
        model.inverse_transform(X)
