import numpy as np
import pytest
from sklearn import decomposition as peer
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning

from gramian import FactorAnalysis
from gramian.base.errors import ParameterError

rng = np.random.default_rng(0)
WINE = load_wine().data
TRUE = np.array([[2.0, 1.0, 1.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 2.0, 1.0]])
NOISE = np.array([0.5, 1.0, 0.7, 0.4, 0.6, 1.2])
X = rng.normal(size=(20_000, 2)) @ TRUE + rng.normal(size=(20_000, 6)) * np.sqrt(NOISE) + 5


@pytest.mark.parametrize("method", ["ml", "em", "principal"])
def test_the_covariance_is_factors_plus_noise(method):
    model = FactorAnalysis(2, method=method, tol=1e-4, rotation="varimax").fit(X)
    truth = TRUE.T @ TRUE + np.diag(NOISE)
    np.testing.assert_allclose(model.get_covariance(), truth, atol=0.15)
    np.testing.assert_allclose(model.noise_variance_, NOISE, atol=0.15)
    W = model.components_
    np.testing.assert_allclose((W**2).sum(axis=0) + model.noise_variance_, X.var(axis=0), rtol=0.01)
    loads = np.sort(np.abs(W), axis=0)
    np.testing.assert_allclose(loads[0], 0, atol=0.1)  # simple structure
    np.testing.assert_allclose(loads[1], TRUE.max(axis=0), atol=0.1)


def test_the_likelihood_is_scikit_learns_or_higher():
    scaled = WINE / WINE.std(axis=0)
    ours = FactorAnalysis(3, tol=1e-6, max_iter=5000).fit(scaled)
    theirs = peer.FactorAnalysis(3, tol=1e-6, max_iter=5000, svd_method="lapack").fit(scaled)
    assert ours.score(scaled) >= theirs.score(scaled) - 1e-6
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-2)
    assert ours.score(scaled) * len(scaled) == pytest.approx(ours.loglike_[-1], rel=1e-6)


@pytest.mark.parametrize("method", ["ml", "em"])
def test_no_iteration_lowers_the_likelihood(method):
    model = FactorAnalysis(2, method=method, tol=1e-8, max_iter=3000).fit(X[:300])
    assert (np.diff(model.loglike_) > -1e-6).all()


def test_the_scale_of_the_columns_has_no_effect():
    scale = np.geomspace(1e-3, 1e3, 6)
    plain, scaled = FactorAnalysis(2).fit(X), FactorAnalysis(2).fit(X * scale)
    np.testing.assert_allclose(scaled.components_, plain.components_ * scale, rtol=1e-6, atol=1e-9)


def test_scores_are_the_expected_factors_and_covary_as_the_loadings():
    model = FactorAnalysis(2, tol=1e-4).fit(X)
    C, W = model.get_covariance(), model.components_
    Z = model.transform(X[:5])
    np.testing.assert_allclose(Z, (X[:5] - model.mean_) @ np.linalg.solve(C, W.T), atol=1e-8)
    np.testing.assert_allclose(model.get_precision() @ C, np.eye(6), atol=1e-8)


def test_a_rotation_leaves_the_model_alone():
    plain, turned = FactorAnalysis(2).fit(X), FactorAnalysis(2, rotation="quartimax").fit(X)
    np.testing.assert_allclose(plain.get_covariance(), turned.get_covariance(), atol=1e-9)


def test_what_cannot_be_done_is_said():
    with pytest.raises(ParameterError, match="at most n_features=6"):
        FactorAnalysis(7).fit(X[:10])
    with pytest.raises(ParameterError, match="must contain 6 positive numbers"):
        FactorAnalysis(2, noise_variance_init=[1.0]).fit(X[:10])
    with pytest.warns(ConvergenceWarning, match="did not converge after max_iter=1"):
        FactorAnalysis(2, max_iter=1, tol=0).fit(X[:50])
    started = FactorAnalysis(2, noise_variance_init=NOISE, tol=1e-5).fit(X)
    assert started.score(X) == pytest.approx(FactorAnalysis(2, tol=1e-5).fit(X).score(X), abs=1e-6)
    constant = FactorAnalysis(1).fit(np.column_stack([X[:50], np.ones(50)]))
    assert np.isfinite(constant.transform(np.ones((1, 7)))).all()


@pytest.mark.parametrize("method", ["ml", "em", "principal"])
def test_a_constant_column_has_no_noise_and_stops_nothing(method):
    alone = FactorAnalysis(2, method=method).fit(X)
    model = FactorAnalysis(2, method=method).fit(np.c_[X, np.full(len(X), 3.0)])
    assert model.noise_variance_[-1] < 1e-6
    assert model.n_iter_ > 1
    np.testing.assert_allclose(model.noise_variance_[:-1], alone.noise_variance_, rtol=1e-2)


@pytest.mark.parametrize("size", [1e-150, 1e-60, 1e150])
@pytest.mark.parametrize("rotation", [None, "varimax", "quartimax"])
def test_scores_do_not_depend_on_the_unit(size, rotation):
    X = load_iris().data
    model = FactorAnalysis(2, rotation=rotation)
    scores, density = model.fit(X).transform(X), model.score(X)
    np.testing.assert_allclose(model.fit(X * size).transform(X * size), scores, atol=1e-9)
    assert model.score(X * size) + 4 * np.log(size) == pytest.approx(density)
