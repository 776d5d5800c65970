import numpy as np
import pytest
from sklearn import covariance as peer
from sklearn.datasets import load_wine

from gramian.covariance import ShrunkCovariance

WINE = load_wine().data
SMALL = np.random.default_rng(0).normal(size=(12, 20))


@pytest.mark.parametrize("X", [WINE, SMALL, WINE[:, :1]])
@pytest.mark.parametrize("assume_centered", [False, True])
def test_the_estimate_is_scikit_learns(X, assume_centered):
    ours = ShrunkCovariance(assume_centered=assume_centered).fit(X)
    theirs = peer.ShrunkCovariance(assume_centered=assume_centered).fit(X)
    np.testing.assert_allclose(ours.location_, theirs.location_, rtol=1e-12)
    scale = np.abs(theirs.covariance_).max()
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-10 * scale)


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0])
def test_eigenvalues_move_towards_their_mean(shrinkage):
    S = np.linalg.eigvalsh(np.cov(WINE.T, ddof=0))
    found = np.linalg.eigvalsh(ShrunkCovariance(shrinkage=shrinkage).fit(WINE).covariance_)
    expected = (1 - shrinkage) * S + shrinkage * S.mean()
    np.testing.assert_allclose(found, expected, atol=1e-8 * S[-1])
