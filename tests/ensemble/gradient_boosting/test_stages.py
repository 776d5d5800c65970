"""Iterations of gradient boosting: line search, and one step per leaf for trees."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import DecisionTreeRegressor, GradientBoostingRegressor, Ridge
from gramian.ensemble.common import boosting_loss
from gramian.ensemble.gradient_boosting.stage_loss import StageLoss
from gramian.ensemble.gradient_boosting.stages import line_minimum
from tests.ensemble.problems import curved

LOSSES = ["squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma"]


def test_the_least_squares_step_is_a_projection(rng):
    """argmin_gamma |y - gamma h|^2 = y . h / h . h, with weights too."""
    y, h, w = rng.normal(size=20), rng.normal(size=20), rng.random(20)
    h *= np.sign(y @ (w * h))
    step = line_minimum(StageLoss(boosting_loss.squared()), y, w, np.zeros((1, 20)), h[None])
    assert step == pytest.approx((w * y) @ h / ((w * h) @ h), abs=1e-5)
    uphill = line_minimum(StageLoss(boosting_loss.squared()), y, w, np.zeros((1, 20)), -h[None])
    assert uphill == 0


@pytest.mark.parametrize("loss", LOSSES)
def test_decision_tree_learners_equal_the_default_trees(loss):
    """One leaf step for both: the same splits and values."""
    X, y = curved()
    y = np.exp(y)
    weights = np.linspace(0.5, 2, len(y))
    settings = {"loss": loss, "n_estimators": 6, "random_state": 0}
    trees = GradientBoostingRegressor(**settings, max_depth=2).fit(X, y, weights)
    learner = GradientBoostingRegressor(**settings, estimator=DecisionTreeRegressor(max_depth=2))
    assert_allclose(learner.fit(X, y, weights).predict(X), trees.predict(X), rtol=1e-9)
    assert_allclose(learner.train_score_, trees.train_score_, rtol=1e-9)


@pytest.mark.parametrize("estimator", [None, Ridge(), DecisionTreeRegressor(max_depth=2)])
def test_without_a_line_search_gamma_is_one(estimator):
    X, y = curved()
    model = GradientBoostingRegressor(
        loss="absolute_error",
        estimator=estimator,
        line_search=False,
        learning_rate=0.3,
        n_estimators=4,
    ).fit(X, y)
    assert model.steps_.tolist() == [0.3] * 4
    assert len(model.estimators_) == model.n_estimators_ == len(model.train_score_) == 4
    total = np.median(y) + 0.3 * sum(m.predict(X) for m in model.estimators_[:, 0])
    assert_allclose(model.predict(X), total)
    first = model.estimators_[0, 0].predict(X)
    assert np.abs(first).max() <= 1.5  # means of signs
