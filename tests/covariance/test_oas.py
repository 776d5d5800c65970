import numpy as np
import pytest
from sklearn import covariance as peer
from sklearn.datasets import load_iris, load_wine

from gramian.covariance import OAS

WINE = load_wine().data
SMALL = np.random.default_rng(0).normal(size=(12, 20))


@pytest.mark.parametrize("X", [WINE, SMALL, WINE[:, :1]])
@pytest.mark.parametrize("assume_centered", [False, True])
def test_the_estimate_is_scikit_learns(X, assume_centered):
    ours = OAS(assume_centered=assume_centered).fit(X)
    theirs = peer.OAS(assume_centered=assume_centered).fit(X)
    np.testing.assert_allclose(ours.location_, theirs.location_, rtol=1e-12)
    scale = np.abs(theirs.covariance_).max()
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, atol=1e-10 * scale)


def test_few_rows_are_shrunk_more_and_the_estimate_is_nearer_to_the_truth():
    rng = np.random.default_rng(1)
    truth = np.diag(np.linspace(1, 2, 20))
    few, many = (rng.normal(size=(n, 20)) * np.sqrt(np.diag(truth)) for n in (15, 5000))
    model = OAS().fit(few)
    assert model.shrinkage_ > OAS().fit(many).shrinkage_
    assert model.error_norm(truth) < np.mean((np.cov(few.T, ddof=0) - truth) ** 2) * 20


@pytest.mark.parametrize("size", [1e-150, 1e-80, 1e70])
def test_the_shrinkage_does_not_depend_on_the_unit(size):
    X = load_iris().data
    expected = OAS().fit(X).shrinkage_
    assert OAS().fit(X * size).shrinkage_ == pytest.approx(expected, rel=1e-9)
