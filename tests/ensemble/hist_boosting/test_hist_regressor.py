"""Histogram boosting for regression."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble as sk
from sklearn.datasets import load_diabetes
from sklearn.model_selection import cross_val_score

from gramian import HistGradientBoostingRegressor
from tests.ensemble.problems import wave


def test_one_tree_of_squared_error_predicts_means_of_its_leaves(rng):
    X, y = wave(rng)
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0).fit(X, y)
    leaf = model.apply(X)[:, 0, 0]
    assert len(np.unique(leaf)) == 31
    for k in np.unique(leaf):
        assert_allclose(model.predict(X)[leaf == k], y[leaf == k].mean(), rtol=1e-5)


def test_every_tree_lowers_the_training_loss(rng):
    X, y = wave(rng)
    losses = [
        np.mean((y - p) ** 2)
        for p in HistGradientBoostingRegressor(max_iter=40).fit(X, y).staged_predict(X)
    ]
    assert (np.diff(losses) < 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "poisson", "gamma"])
def test_losses_reach_scikit_learns_quality(loss):
    X, y = load_diabetes(return_X_y=True)
    ours, theirs = (
        cross_val_score(model, X, y, cv=3).mean()
        for model in (
            HistGradientBoostingRegressor(loss=loss, max_iter=50),
            sk.HistGradientBoostingRegressor(loss=loss, max_iter=50),
        )
    )
    assert ours == pytest.approx(theirs, abs=0.03)


def test_quantile_loss_covers_its_proportion(rng):
    X = rng.uniform(size=(4000, 1))
    y = X[:, 0] * (1 + rng.normal(size=4000))
    model = HistGradientBoostingRegressor("quantile", quantile=0.8, max_iter=50).fit(X, y)
    assert (y <= model.predict(X)).mean() == pytest.approx(0.8, abs=0.02)


def test_the_start_is_the_best_constant(rng):
    y = rng.gamma(2, size=300)
    X = np.zeros((300, 1))
    expected = {"squared_error": y.mean(), "poisson": y.mean(), "gamma": y.mean()}
    expected["absolute_error"] = np.median(y)
    for loss, constant in expected.items():
        model = HistGradientBoostingRegressor(loss, max_iter=1).fit(X, y)
        assert model.predict(X[:1])[0] == pytest.approx(constant), loss


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("seed", range(3))
def test_weighted_quantile_leaves_minimise_the_loss_and_every_iteration_lowers_it(seed, q):
    """Ties decide which trees are grown, but not the value of a leaf."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 3))
    y = np.sin(2 * X[:, 0]) + X[:, 1] + rng.standard_t(2, size=150)
    w = rng.exponential(size=150) * (rng.random(150) < 0.9)

    def pinball(r, weights):
        return np.sum(weights * np.where(r < 0, q - 1, q) * r)

    settings = {"loss": "quantile", "quantile": q, "early_stopping": False}
    one = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, **settings).fit(X, y, w)
    for answer in np.unique(one.predict(X)):
        own = one.predict(X) == answer
        least = min(pinball(y[own] - at, w[own]) for at in y[own])
        assert pinball(y[own] - answer, w[own]) <= least * (1 + 1e-9)
    model = HistGradientBoostingRegressor(max_iter=30, **settings).fit(X, y, w)
    losses = np.array([pinball(y - z, w) for z in model.staged_predict(X)])
    assert (np.diff(losses) <= 1e-12 * losses[0]).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_infinite_values_are_ordered_last_and_first(dtype):
    X = np.r_[np.full(40, np.inf), np.full(40, -np.inf), np.linspace(-1, 1, 80)][:, None]
    y = np.r_[np.full(40, 3.0), np.full(40, -3.0), np.zeros(80)]
    model = HistGradientBoostingRegressor(min_samples_leaf=5).fit(X.astype(dtype), y)
    np.testing.assert_allclose(model.predict(X.astype(dtype)), y, atol=1e-3)
