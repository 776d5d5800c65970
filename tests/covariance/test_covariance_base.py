import numpy as np
import pytest
from scipy.spatial.distance import mahalanobis
from scipy.stats import multivariate_normal
from sklearn import covariance as peer
from sklearn.datasets import load_iris

from gramian import OAS, EmpiricalCovariance, LedoitWolf
from gramian.base.errors import DataError

X = load_iris().data
model = EmpiricalCovariance().fit(X)


def test_distances_are_mahalanobis():
    VI = np.linalg.inv(np.cov(X.T, ddof=0))
    expected = [mahalanobis(x, X.mean(axis=0), VI) ** 2 for x in X[:10]]
    np.testing.assert_allclose(model.mahalanobis(X[:10]), expected)
    assert model.mahalanobis(X).mean() == pytest.approx(4)  # the number of columns


def test_the_density_is_the_normal_one():
    expected = multivariate_normal(X.mean(axis=0), np.cov(X.T, ddof=0)).logpdf(X)
    np.testing.assert_allclose(model.score_samples(X), expected)
    assert model.score(X) == pytest.approx(peer.EmpiricalCovariance().fit(X).score(X))


@pytest.mark.parametrize("norm", ["frobenius", "spectral"])
@pytest.mark.parametrize("scaling", [True, False])
@pytest.mark.parametrize("squared", [True, False])
def test_errors_are_scikit_learns(norm, scaling, squared):
    theirs = peer.EmpiricalCovariance().fit(X)
    expected = theirs.error_norm(np.eye(4), norm=norm, scaling=scaling, squared=squared)
    assert model.error_norm(np.eye(4), norm, scaling, squared) == pytest.approx(expected)


def test_a_singular_covariance_has_a_pseudoinverse():
    flat = np.column_stack([X[:, 0], 2 * X[:, 0]])
    found = EmpiricalCovariance(store_precision=False).fit(flat)
    assert found.precision_ is None
    np.testing.assert_allclose(found.get_precision(), np.linalg.pinv(np.cov(flat.T, ddof=0)))
    assert np.isfinite(found.mahalanobis(flat)).all()


def test_the_density_of_a_singular_covariance_is_that_on_its_plane():
    flat = np.column_stack([X, X[:, 0] - X[:, 1]])
    known = multivariate_normal(flat.mean(axis=0), np.cov(flat.T, ddof=0), allow_singular=True)
    found = EmpiricalCovariance().fit(flat).score_samples(flat)
    np.testing.assert_allclose(found, known.logpdf(flat), atol=1e-6)


def test_another_size_or_norm_is_refused():
    with pytest.raises(DataError, match=r"shape \(4, 4\)"):
        model.error_norm(np.eye(3))
    with pytest.raises(DataError, match="got 'max'"):
        model.error_norm(np.eye(4), "max")


@pytest.mark.parametrize("store", [True, False])
def test_float32_knows_the_rank_of_wide_rows(store):
    X = np.random.default_rng(0).normal(size=(30, 200))
    distances = EmpiricalCovariance().fit(X).mahalanobis(X)
    rows = X.astype(np.float32)
    narrow = EmpiricalCovariance(store_precision=store).fit(rows).mahalanobis(rows)
    np.testing.assert_allclose(distances, 29.0, rtol=1e-10)
    np.testing.assert_allclose(narrow, distances, rtol=1e-3)


def test_the_unit_of_a_column_changes_no_distance():
    X = np.random.default_rng(0).normal(size=(300, 3))
    units = np.array([1.0, 1e-9, 1e6])
    model, scaled = EmpiricalCovariance().fit(X), EmpiricalCovariance().fit(X * units)
    np.testing.assert_allclose(scaled.mahalanobis(X * units), model.mahalanobis(X), rtol=1e-9)
    assert scaled.score(X * units) == pytest.approx(model.score(X) - np.log(units).sum())


@pytest.mark.parametrize("kind", [EmpiricalCovariance, LedoitWolf, OAS])
def test_the_covariance_of_one_row_gives_a_warning(kind):
    with pytest.warns(UserWarning, match="Only one sample available"):
        one = kind().fit(X[:1])
    np.testing.assert_array_equal(one.covariance_, np.zeros((4, 4)))


def test_an_unknown_norm_is_the_error_of_either_library():
    with pytest.raises(DataError, match="norm must be 'frobenius' or 'spectral'"):
        model.error_norm(model.covariance_, norm="foo")
    with pytest.raises(NotImplementedError):
        model.error_norm(model.covariance_, norm="foo")
