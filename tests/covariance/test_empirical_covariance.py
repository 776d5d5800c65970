import numpy as np
import pytest
from sklearn import covariance as peer
from sklearn.datasets import load_wine

from gramian.covariance import EmpiricalCovariance

WINE = load_wine().data
SMALL = np.random.default_rng(0).normal(size=(12, 20))


@pytest.mark.parametrize("X", [WINE, SMALL, WINE[:, :1]])
@pytest.mark.parametrize("assume_centered", [False, True])
def test_the_estimate_is_scikit_learns(X, assume_centered):
    ours = EmpiricalCovariance(assume_centered=assume_centered).fit(X)
    theirs = peer.EmpiricalCovariance(assume_centered=assume_centered).fit(X)
    np.testing.assert_allclose(ours.location_, theirs.location_, rtol=1e-12)
    scale = np.abs(theirs.covariance_).max()
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-10 * scale)


def test_a_large_mean_costs_no_digits():
    near, far = EmpiricalCovariance().fit(SMALL), EmpiricalCovariance().fit(SMALL + 2.0**30)
    np.testing.assert_allclose(far.covariance_, near.covariance_, atol=1e-6)
