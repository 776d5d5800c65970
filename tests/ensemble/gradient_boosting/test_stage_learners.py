"""Boosting of any regressor: line search, weights, subsamples, stopping."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris

from gramian import (
    DecisionTreeRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    KNeighborsRegressor,
    LinearRegression,
    Ridge,
)
from tests.ensemble.problems import curved

LOSSES = ["squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma"]


def test_one_iteration_of_least_squares_is_least_squares(rng):
    """f = mean + gamma h with h fitted to y - mean: gamma is 1."""
    X = rng.normal(size=(100, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=100)
    model = GradientBoostingRegressor(
        estimator=LinearRegression(), n_estimators=1, learning_rate=1.0
    ).fit(X, y)
    assert model.steps_[0] == pytest.approx(1, abs=1e-6)
    assert_allclose(model.predict(X), LinearRegression().fit(X, y).predict(X), atol=1e-5)


def test_the_line_search_minimises_the_loss(rng):
    X = rng.normal(size=(300, 2))
    y = X[:, 0] + 0.5 * rng.normal(size=300) > 0
    model = GradientBoostingClassifier(estimator=Ridge(), n_estimators=1, learning_rate=1.0)
    direction = model.fit(X, y).estimators_[0][0].predict(X)
    sign = np.where(y, 1, -1)

    def loss(gamma):
        return np.logaddexp(0, -sign * (model._initial.start[0] + gamma * direction)).mean()

    gamma = model.steps_[0]
    assert loss(gamma) <= min(loss(gamma * 0.99), loss(gamma * 1.01)) + 1e-12
    assert model.train_score_[0] == pytest.approx(2 * loss(gamma))  # scikit-learn's factor


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("learner", [Ridge(), KNeighborsRegressor(), DecisionTreeRegressor()])
def test_every_loss_falls_with_every_learner(loss, learner):
    X, y = load_diabetes(return_X_y=True)
    if isinstance(learner, DecisionTreeRegressor):
        learner = learner.set_params(max_depth=3)
    model = GradientBoostingRegressor(loss=loss, n_estimators=8, estimator=learner).fit(X, y)
    assert (np.diff(model.train_score_) <= 1e-9).all() or loss == "huber"  # whose delta moves
    *_, last = model.staged_predict(X)
    assert_array_equal(last, model.predict(X))
    assert model.estimators_.shape == (8, 1)


def test_each_class_has_its_own_learner():
    X, y = load_iris(return_X_y=True)
    for learner in (Ridge(), DecisionTreeRegressor(max_depth=2)):
        model = GradientBoostingClassifier(n_estimators=10, estimator=learner).fit(X, y)
        assert model.score(X, y) > 0.9
        assert model.estimators_.shape == (10, 3)
        assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_the_same_seed_draws_the_same_rows():
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(
        subsample=0.5, n_estimators=6, random_state=0, estimator=KNeighborsRegressor()
    )
    first, again = clone(model).fit(X, y), clone(model).fit(X, y)
    assert_array_equal(first.predict(X), again.predict(X))
    assert first.oob_improvement_.shape == (6,)


def test_early_stopping_with_validation_rows():
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(
        n_estimators=400, n_iter_no_change=3, estimator=KNeighborsRegressor(), learning_rate=0.5
    ).fit(X[:300], y[:300], X_val=X[300:], y_val=y[300:])
    assert len(model.validation_score_) == model.n_estimators_ < 400
    loss = np.mean((model.predict(X[300:]) - y[300:]) ** 2)
    assert model.validation_score_[-1] == pytest.approx(loss)


def test_a_warm_start_continues_with_the_learners():
    X, y = curved()
    settings = {"estimator": Ridge(), "subsample": 0.6, "random_state": 1}
    whole = GradientBoostingRegressor(n_estimators=7, **settings).fit(X, y * 1e200)
    parts = GradientBoostingRegressor(n_estimators=3, warm_start=True, **settings)
    parts.fit(X, y * 1e200).set_params(n_estimators=7).fit(X, y * 1e200)
    assert_allclose(parts.predict(X), whole.predict(X))
    with pytest.raises(ValueError, match="`estimator` has changed"):
        parts.set_params(estimator=None, n_estimators=8).fit(X, y)


@pytest.mark.parametrize("exponent", [-900, -300, -65, 70, 140, 300, 900])
@pytest.mark.parametrize(
    "model",
    [
        GradientBoostingClassifier(n_estimators=5, random_state=0),
        GradientBoostingRegressor(n_estimators=5, random_state=0, estimator=LinearRegression()),
        GradientBoostingRegressor(n_estimators=5, loss="quantile", alpha=0.3, random_state=0),
    ],
)
def test_scaling_all_sample_weights_has_no_effect(model, exponent):
    X, y = curved()
    if "Classifier" in type(model).__name__:
        y = y > 1
    weights = np.arange(1.0, 1 + len(y)) / len(y)
    fits = [clone(model).fit(X, y, np.ldexp(weights, k)) for k in (0, exponent)]
    assert_allclose(fits[1].predict(X), fits[0].predict(X), rtol=1e-5, atol=1e-6)
