"""Gradient boosting in function space, for regression."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble as sk
from sklearn.datasets import load_diabetes, load_iris

from gramian import (
    FunctionalGradientBoostingClassifier,
    FunctionalGradientBoostingRegressor,
    LinearRegression,
)


def test_one_iteration_of_least_squares_is_least_squares(rng):
    """f = mean + gamma h with h fitted to y - mean: gamma is 1."""
    X = rng.normal(size=(100, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=100)
    model = FunctionalGradientBoostingRegressor(
        estimator=LinearRegression(), n_estimators=1, learning_rate=1.0
    ).fit(X, y)
    assert model.steps_[0] == pytest.approx(1, abs=1e-4)
    assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X), atol=1e-3)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile"])
def test_every_iteration_lowers_the_loss(loss):
    X, y = load_diabetes(return_X_y=True)
    model = FunctionalGradientBoostingRegressor(loss=loss, n_estimators=25).fit(X, y)
    assert (np.diff(model.train_score_) <= 1e-9).all()
    *_, last = model.staged_predict(X)
    assert_allclose(last, model.predict(X))


def test_trees_reach_scikit_learns_quality():
    X, y = load_diabetes(return_X_y=True)
    ours = FunctionalGradientBoostingRegressor(n_estimators=60).fit(X[:300], y[:300])
    theirs = sk.GradientBoostingRegressor(n_estimators=60).fit(X[:300], y[:300])
    assert ours.score(X[300:], y[300:]) == pytest.approx(theirs.score(X[300:], y[300:]), abs=0.05)
    X, y = load_iris(return_X_y=True)
    model = FunctionalGradientBoostingClassifier(n_estimators=10).fit(X, y)
    assert model.score(X, y) > 0.97
    assert_allclose(model.predict_proba(X).sum(axis=1), 1)
