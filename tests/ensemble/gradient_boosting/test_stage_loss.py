"""Slopes and steps of the losses."""

import numpy as np
import pytest
from scipy.special import expit

from gramian.ensemble.common import boosting_loss
from gramian.ensemble.gradient_boosting.stage_loss import HuberStage, Slopes, stage_loss


def test_slopes_of_two_and_of_three_classes():
    z = np.array([[0.3, -1.0]])
    two = stage_loss(boosting_loss.logistic()).slopes(np.array([1.0, 0.0]), z)
    p = expit(z)
    np.testing.assert_allclose(two.down, [1, 0] - p)
    np.testing.assert_allclose(two.curvature, p * (1 - p))
    three = stage_loss(boosting_loss.softmax(3)).slopes(np.array([2.0]), np.zeros((3, 1)))
    np.testing.assert_allclose(three.down[:, 0], [-1 / 3, -1 / 3, 2 / 3])
    np.testing.assert_allclose(three.curvature, 2 / 9)


def test_a_leaf_without_curvature_takes_no_step():
    loss = stage_loss(boosting_loss.logistic())
    rows = Slopes(np.array([0.5, 0.5]), np.array([0.0, 0.25]))
    steps = loss.steps(np.array([1, 2]), 3, rows, np.zeros(2), None)
    assert steps.tolist() == [0.0, 0.0, 2.0]


def test_delta_of_huber_is_a_quantile_of_the_errors():
    loss = HuberStage(0.5)
    loss.prepare(np.array([1.0, 2.0, 10.0]), np.zeros((1, 3)), None)
    assert loss.loss.loss.epsilon == pytest.approx(2.0)
    down = loss.slopes(np.array([1.0, 2.0, 10.0]), np.zeros((1, 3))).down[0]
    assert down.tolist() == [1.0, 2.0, 2.0]
