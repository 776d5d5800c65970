"""Sparse signs as directions."""

import numpy as np
import scipy.sparse as sp
from numpy.testing import assert_allclose

from gramian import SparseRandomProjection
from gramian.random_projection import distortion


def test_sparse_rows_stay_sparse_unless_asked():
    X = sp.random_array((20, 900), density=0.05, rng=np.random.default_rng(0), format="csr")
    model = SparseRandomProjection(15, random_state=0).fit(X)
    Z = model.transform(X)
    assert sp.issparse(Z)
    assert_allclose(Z.toarray(), model.transform(X.toarray()), atol=1e-12)
    dense = SparseRandomProjection(15, dense_output=True, random_state=0).fit(X).transform(X)
    assert_allclose(dense, Z.toarray())


def test_the_default_density_is_one_over_the_root_of_the_columns():
    model = SparseRandomProjection(30, random_state=0).fit(np.zeros((2, 900)))
    assert model.density_ == 1 / 30
    assert SparseRandomProjection(30, density=0.5).fit(np.zeros((2, 900))).density_ == 0.5


def test_distances_are_kept_on_average():
    X = np.random.default_rng(1).normal(size=(25, 1500))
    ratios = distortion(X, SparseRandomProjection(300, random_state=2).fit_transform(X)).ratios
    assert abs((ratios**2).mean() - 1) < 0.05
    assert np.abs(ratios - 1).max() < 0.25
