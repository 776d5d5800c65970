import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine

from gramian import PCA
from gramian.base.errors import DataError, ParameterError
from gramian.linalg import rayleigh_quotient
from gramian.textbook.dimension_reduction import deflation_pca, projection_criteria

rng = np.random.default_rng(0)
X = rng.normal(size=(100, 5)) @ rng.normal(size=(5, 5)) + 2


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_no_directions_are_better_by_any_of_the_three_criteria(k, seed):
    best = projection_criteria(X, PCA(k).fit(X).components_)
    other = np.linalg.qr(np.random.default_rng(seed).normal(size=(5, k)))[0].T
    others = projection_criteria(X, other)
    assert best.projected_variance >= others.projected_variance
    assert best.projection_error <= others.projection_error
    assert best.log_likelihood >= others.log_likelihood
    whole = X.var(axis=0).sum()
    assert others.projected_variance + others.projection_error == pytest.approx(whole)


def test_the_projected_variance_is_the_rayleigh_quotient_and_the_likelihood_that_of_the_model():
    covariance = np.cov(X.T, ddof=0)
    v = rng.normal(size=5)
    v /= np.linalg.norm(v)
    found = projection_criteria(X, [v])
    assert found.projected_variance == pytest.approx(float(rayleigh_quotient(covariance, v)))
    model = PCA(2).fit(X)
    n = len(X)
    model.explained_variance_ = model.explained_variance_ * (n - 1) / n
    model.noise_variance_ *= (n - 1) / n
    assert projection_criteria(X, model.components_).log_likelihood == pytest.approx(model.score(X))


@pytest.mark.parametrize("rows", [X, load_wine().data])
def test_one_after_the_other_are_all_at_once(rows):
    found, model = deflation_pca(rows, 3), PCA(3).fit(rows)
    np.testing.assert_allclose(found.variances, model.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(found.components, model.components_, atol=1e-6)


def test_deflation_goes_on_when_no_variance_is_left():
    found = deflation_pca([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], 3)
    np.testing.assert_allclose(found.components @ found.components.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(found.variances, [1.5, 0, 0], atol=1e-12)


def test_directions_and_numbers_are_checked():
    with pytest.raises(DataError, match="orthonormal"):
        projection_criteria(X, [[1.0, 1, 0, 0, 0]])
    with pytest.raises(ParameterError, match="between 1 and 5"):
        deflation_pca(X, 6)


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_components_one_by_one_do_not_depend_on_the_unit(size):
    X = load_iris().data
    expected, found = deflation_pca(X, 2), deflation_pca(X * size, 2)
    np.testing.assert_allclose(found.components, expected.components, atol=1e-9)
    np.testing.assert_allclose(found.variances / size / size, expected.variances, rtol=1e-9)
