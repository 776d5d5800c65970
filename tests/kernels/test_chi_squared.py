"""Kernels of counts against scikit-learn's functions."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics import pairwise

from gramian.base.errors import DataError, ParameterError
from gramian.kernels import AdditiveChiSquared, ChiSquared

rng = np.random.default_rng(0)
X, Z = rng.poisson(2.0, (20, 4)).astype(float), rng.poisson(2.0, (7, 4)).astype(float)


@pytest.mark.parametrize("made", [np.array, sp.csr_array])
def test_matrices_agree_with_scikit_learn(made):
    np.testing.assert_allclose(ChiSquared(0.3)(made(X), made(Z)), pairwise.chi2_kernel(X, Z, 0.3))
    np.testing.assert_allclose(
        AdditiveChiSquared()(made(X), made(Z)), pairwise.additive_chi2_kernel(X, Z)
    )
    assert ChiSquared()(X.astype(np.float32)).dtype == np.float32
    assert ChiSquared().diagonal(X).tolist() == [1.0] * 20
    assert AdditiveChiSquared().diagonal(X).tolist() == [0.0] * 20


def test_counts_may_not_be_negative():
    with pytest.raises(DataError, match="Negative values in data"):
        ChiSquared()(X - 1.0)


def test_gamma_must_be_positive():
    with pytest.raises(ParameterError, match="gamma must be"):
        ChiSquared(0.0)
