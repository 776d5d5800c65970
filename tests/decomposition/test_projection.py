import numpy as np
import pytest
import scipy.stats
from sklearn import decomposition as peer
from sklearn.datasets import load_iris

from gramian import PCA
from gramian.base.errors import DataError
from gramian.decomposition.projection import gaussian_log_density

X = load_iris().data


@pytest.mark.parametrize("k", [1, 2, 3])
def test_covariance_precision_and_scores_are_scikit_learns(k):
    ours, theirs = PCA(k).fit(X), peer.PCA(k).fit(X)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-12)
    np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), atol=1e-8)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), atol=1e-8)
    assert ours.score(X) == pytest.approx(theirs.score(X))


def test_the_precision_is_the_inverse():
    model = PCA(2).fit(X)
    np.testing.assert_allclose(model.get_precision() @ model.get_covariance(), np.eye(4), atol=1e-9)


def test_reconstruction_errors_are_what_the_components_leave():
    model = PCA(2).fit(X)
    away = X - model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(model.reconstruction_error(X), (away**2).sum(axis=1), atol=1e-12)
    left = PCA().fit(X).explained_variance_[2:].sum() * (len(X) - 1)
    assert model.reconstruction_error(X).sum() == pytest.approx(left)


def test_the_density_is_the_normal_one():
    covariance = np.array([[2.0, 0.3], [0.3, 1.0]])
    points = np.random.default_rng(0).normal(size=(5, 2))
    expected = scipy.stats.multivariate_normal([1.0, 2.0], covariance).logpdf(points)
    found = gaussian_log_density(points, np.array([1.0, 2.0]), np.linalg.inv(covariance))
    np.testing.assert_allclose(found, expected)


def test_coordinates_of_another_width_are_refused():
    with pytest.raises(DataError, match="rows of 2 columns"):
        PCA(2).fit(X).inverse_transform(X)


def test_large_means_cost_no_digits():
    near, far = PCA(2).fit(X), PCA(2).fit(X + 1e6)
    np.testing.assert_allclose(far.transform(X + 1e6), near.transform(X), atol=1e-8)
