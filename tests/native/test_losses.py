"""The core's losses are those of gramian.objectives: each native derivative against its formula."""

import numpy as np
import pytest

from gramian import _native
from gramian.ensemble.common import boosting_loss
from gramian.linear_model.sgd.stochastic_steps import Steps, loss_by_name

SCORES = np.array([-30.0, -2.5, -1.0, -0.3, 0.0, 0.4, 1.0, 2.5, 30.0])


@pytest.mark.parametrize(
    ("loss", "targets"),
    [
        (boosting_loss.squared(), [-1.5, 2.0]),
        (boosting_loss.absolute(), [-1.5, 2.0]),
        (boosting_loss.quantile(0.9), [-1.5, 2.0]),
        (boosting_loss.poisson(), [0.0, 3.0]),
        (boosting_loss.gamma(), [0.5, 3.0]),
        (boosting_loss.logistic(), [0.0, 1.0]),
        (boosting_loss.exponential(), [0.0, 1.0]),
    ],
    ids=lambda v: getattr(v, "policy", ""),
)
def test_slopes_of_boosting(loss, targets):
    z, y = (a.ravel().copy() for a in np.meshgrid(SCORES, targets))
    slope, curvature = np.empty((1, len(z)), np.float32), np.empty((1, len(z)), np.float32)
    loss.slopes(y, None, z[None], slope, curvature)
    labels = boosting_loss.signed_labels(loss.loss, y)
    np.testing.assert_allclose(slope[0], loss.loss.derivative(labels, z), rtol=1e-6)
    if loss.unit_curvature:
        assert (curvature == 1).all()
    else:
        np.testing.assert_allclose(curvature[0], loss.loss.curvature(labels, z), rtol=1e-6)


def test_slopes_of_several_classes():
    loss = boosting_loss.softmax(3)
    z = np.random.default_rng(0).normal(size=(3, 20))
    y = np.arange(20) % 3 * 1.0
    slope, curvature = np.empty((3, 20), np.float32), np.empty((3, 20), np.float32)
    loss.slopes(y, None, z, slope, curvature)
    np.testing.assert_allclose(slope.T, loss.loss.derivative(y, z.T), rtol=1e-5, atol=1e-6)
    diagonal = loss.loss.curvature(y, z.T)[:, np.arange(3), np.arange(3)]
    np.testing.assert_allclose(curvature.T, diagonal, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "hinge",
        "squared_hinge",
        "perceptron",
        "log_loss",
        "modified_huber",
        "exponential",
        "squared_error",
        "huber",
        "epsilon_insensitive",
        "squared_epsilon_insensitive",
    ],
)
def test_a_stochastic_step_goes_against_the_derivative(name):
    """One row x = 1 with weight w = z and no penalty: w moves by -eta L'(y, z), the loss is L."""
    epsilon = 0.0 if name == "perceptron" else 0.25
    loss = loss_by_name(name, epsilon)
    for z in SCORES[1:-1]:
        for y in (-1.0, 1.0):
            steps = Steps(1, name, epsilon, 0.0, 0.0, "constant", 0.5, 0.0, False, np.inf)
            steps.set([z], 0.0)
            value = steps.epoch(np.ones((1, 1)), np.array([y]), None, np.zeros(1, np.int32))
            assert value == pytest.approx(float(loss.value(y, z)), rel=1e-12, abs=1e-300)
            step = -0.5 * float(loss.derivative(y, z))
            assert steps.w[0] == pytest.approx(z + step, rel=1e-12, abs=1e-12)


def test_the_core_knows_no_other_loss():
    with pytest.raises(ValueError, match="loss"):
        _native.boost_gradients(
            "cubic", 0.5, np.zeros(1), None, np.zeros((1, 1)), np.zeros((1, 1), np.float32), None
        )
