"""Slopes and steps of the losses."""

import numpy as np
import pytest
from scipy.special import expit

from gramian import GradientBoostingClassifier, GradientBoostingRegressor
from gramian.ensemble.common import boosting_loss
from gramian.ensemble.gradient_boosting.stage_loss import HuberStage, Slopes, StageLoss


def test_slopes_of_two_and_of_three_classes():
    z = np.array([[0.3, -1.0]])
    two = StageLoss(boosting_loss.logistic()).slopes(np.array([1.0, 0.0]), z)
    p = expit(z)
    np.testing.assert_allclose(two.down, [1, 0] - p)
    np.testing.assert_allclose(two.curvature, p * (1 - p))
    three = StageLoss(boosting_loss.softmax(3)).slopes(np.array([2.0]), np.zeros((3, 1)))
    np.testing.assert_allclose(three.down[:, 0], [-1 / 3, -1 / 3, 2 / 3])
    np.testing.assert_allclose(three.curvature, 2 / 9)


def test_a_leaf_without_curvature_takes_no_step():
    loss = StageLoss(boosting_loss.logistic())
    rows = Slopes(np.array([0.5, 0.5]), np.array([0.0, 0.25]))
    steps = loss.steps(np.array([1, 2]), 3, rows, np.zeros(2), None)
    assert steps.tolist() == [0.0, 0.0, 2.0]


def test_delta_of_huber_is_a_quantile_of_the_errors():
    loss = HuberStage(0.5)
    loss.prepare(np.array([1.0, 2.0, 10.0]), np.zeros((1, 3)), None)
    assert loss.delta == loss.loss.loss.epsilon == pytest.approx(2.0)
    down = loss.slopes(np.array([1.0, 2.0, 10.0]), np.zeros((1, 3))).down[0]
    assert down.tolist() == [1.0, 2.0, 2.0]


def test_each_leaf_takes_its_own_step(rng):
    """One round with rate 1: Newton steps for log loss, medians for absolute errors."""
    X = rng.normal(size=(400, 2))
    y = X[:, 0] + rng.normal(size=400)
    labels = (y > 0).astype(int)
    model = GradientBoostingClassifier(n_estimators=1, learning_rate=1.0, max_depth=2)
    z = model.fit(X, labels).decision_function(X)
    p = labels.mean()
    for leaf in np.unique(z):
        step = (labels[z == leaf] - p).mean() / (p * (1 - p))
        assert leaf - np.log(p / (1 - p)) == pytest.approx(step, rel=1e-9)
    median = GradientBoostingRegressor(loss="absolute_error", n_estimators=1, learning_rate=1.0)
    predicted = median.fit(X, y).predict(X)
    for leaf in np.unique(predicted):
        assert leaf == pytest.approx(np.median(y[predicted == leaf]), abs=1e-9)


def test_a_residual_of_zero_counts_as_positive():
    """At the kink boosting takes the slope just below it, as scikit-learn does."""
    y, z = np.array([1.0, 1.0, 1.0]), np.array([[0.0, 1.0, 2.0]])
    absolute = StageLoss(boosting_loss.absolute()).slopes(y, z).down[0]
    assert absolute.tolist() == [1.0, 1.0, -1.0]
    quantile = StageLoss(boosting_loss.quantile(0.75)).slopes(y, z).down[0]
    assert quantile.tolist() == [0.75, 0.75, -0.25]


def test_long_steps_with_a_log_link_are_damped():
    """A leaf of counts 100 times the mean would be e^99 times it after one Newton step."""
    rows = Slopes(np.array([99.0, 0.5]), np.array([1.0, 1.0]))
    steps = StageLoss(boosting_loss.poisson()).steps(np.array([0, 1]), 2, rows, np.zeros(2), None)
    np.testing.assert_allclose(steps, [2 + np.log1p(97.0), 0.5])
