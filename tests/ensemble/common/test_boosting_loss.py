"""What boosting needs from a loss: initial scores, gradients, a link."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logit

from gramian.ensemble.common import boosting_loss as losses
from gramian.ensemble.common.boosting_loss import damped_step, deviance

SMOOTH = {
    "squared": losses.squared(),
    "poisson": losses.poisson(),
    "gamma": losses.gamma(),
    "logistic": losses.logistic(),
    "exponential": losses.exponential(),
    "softmax": losses.softmax(3),
}


def targets(name, rng, n=20):
    if name in ("logistic", "exponential"):
        return rng.integers(2, size=n).astype(float)
    if name == "softmax":
        return rng.integers(3, size=n).astype(float)
    return rng.exponential(size=n) + 0.1


@pytest.mark.parametrize("name", SMOOTH)
def test_slopes_are_the_derivatives_of_the_value(name, rng):
    loss, y = SMOOTH[name], targets(name, rng)
    z = rng.normal(size=(loss.n_scores, len(y)))
    w = rng.uniform(1, 2, size=len(y))
    slope, curvature = np.empty(z.shape, np.float32), np.empty(z.shape, np.float32)
    loss.slopes(y, w, z, slope, curvature)
    for k in range(loss.n_scores):
        step = np.zeros_like(z)
        step[k] = 1e-5
        difference = (loss.value(y, z + step) - loss.value(y, z - step)) / 2e-5
        assert_allclose(slope[k], w * difference, rtol=1e-4, atol=1e-5)
    assert (curvature > 0).all()


@pytest.mark.parametrize("name", SMOOTH)
def test_the_start_is_the_best_constant(name, rng):
    loss, y = SMOOTH[name], targets(name, rng)
    w = rng.uniform(1, 2, size=len(y))
    start = loss.initial_scores(y, w)
    at = deviance(loss, y, np.tile(start[:, None], (1, len(y))), w)
    for k in range(loss.n_scores):
        for step in (-1e-3, 1e-3):
            moved = start.copy()
            moved[k] += step
            assert at < deviance(loss, y, np.tile(moved[:, None], (1, len(y))), w)


@pytest.mark.parametrize(("q", "expected"), [(0.25, 2.0), (0.5, 3.0), (0.75, 4.0)])
def test_quantiles_start_at_the_quantile_and_have_slopes_of_two_values(q, expected):
    loss, y = losses.quantile(q), np.arange(1.0, 6.0)
    assert loss.initial_scores(y, None).tolist() == [expected]
    slope, curvature = np.empty((1, 5), np.float32), np.empty((1, 5), np.float32)
    loss.slopes(y, None, np.full((1, 5), 2.5), slope, curvature)
    assert_allclose(slope[0], [1 - q, 1 - q, -q, -q, -q])
    assert loss.leaf_quantile == q


def test_links_and_homogeneity():
    p = losses.exponential().mean(np.array([[0.5]]))
    assert logit(p[0, 0]) == pytest.approx(1.0)  # the score is half the log odds
    assert losses.poisson().mean(np.array([[np.log(3.0)]]))[0, 0] == pytest.approx(3.0)
    assert_allclose(losses.softmax(3).mean(np.zeros((3, 1))), 1 / 3)
    assert losses.squared().homogeneous
    assert losses.poisson().log_homogeneous
    assert not losses.gamma().log_homogeneous
    y, z, zero = np.array([2.0, 3.0]), np.array([[0.1, 0.2]]), np.zeros((1, 2))
    loss = losses.poisson()
    scaled = loss.value(8 * y, z + np.log(8)) - loss.value(8 * y, zero + np.log(8))
    assert_allclose(scaled, 8 * (loss.value(y, z) - loss.value(y, zero)))


def test_targets_out_of_range_are_reported():
    assert "requires y >= 0" in losses.poisson().problem_with(np.array([-1.0, 2.0]))
    assert "requires y >= 0" in losses.poisson().problem_with(np.zeros(2))
    assert "requires y > 0" in losses.gamma().problem_with(np.array([0.0, 2.0]))
    assert losses.squared().problem_with(np.array([-1.0])) == ""


def test_long_newton_steps_grow_logarithmically():
    x = np.array([-2.0, 0.5, 2.0, 2.0 + np.e - 1, -(2.0 + np.e - 1)])
    assert_allclose(damped_step(x), [-2.0, 0.5, 2.0, 3.0, -3.0])


@pytest.mark.parametrize("name", SMOOTH)
def test_native_slopes_are_the_derivatives_of_the_objectives(name, rng):
    loss, y = SMOOTH[name], targets(name, rng)
    z = rng.normal(size=(loss.n_scores, len(y)))
    slope, curvature = np.empty(z.shape, np.float32), np.empty(z.shape, np.float32)
    loss.slopes(y, None, z, slope, curvature)
    exact = loss.derivatives(y, z)
    assert_allclose(slope, exact[0], rtol=1e-4, atol=1e-5)
    assert_allclose(curvature, exact[1], rtol=1e-4, atol=1e-5)
