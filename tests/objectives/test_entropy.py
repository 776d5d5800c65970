"""Cross-entropy losses of scores and of probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import expit

from gramian.objectives import BinaryCrossEntropy, CrossEntropy, Logistic, Softmax
from gramian.objectives.entropy import log_odds, logistic_losses


@pytest.mark.parametrize("cls", [Softmax, CrossEntropy])
@given(scores=st.lists(st.floats(0.05, 1), min_size=2, max_size=4), soft=st.booleans())
def test_derivatives_of_losses_of_a_row(cls, scores, soft):
    loss, z, K, h = cls(), np.array([scores]), len(scores), 1e-6
    y = np.full((1, K), 1 / K) if soft else np.array([K - 1])
    for k in range(K):
        e = h * np.eye(K)[k]
        slope = (loss.value(y, z + e) - loss.value(y, z - e)) / (2 * h)
        assert_allclose(loss.derivative(y, z)[:, k], slope, rtol=1e-5, atol=1e-7)
        bend = (loss.derivative(y, z + e) - loss.derivative(y, z - e)) / (2 * h)
        assert_allclose(loss.curvature(y, z)[:, k], bend, rtol=1e-4, atol=1e-6)


@given(z=st.lists(st.floats(-30, 30), min_size=2, max_size=5))
def test_softmax_curvature_lies_between_0_and_its_bound(z):
    eigenvalues = np.linalg.eigvalsh(Softmax().curvature([0], np.array([z]))[0])
    assert eigenvalues[0] >= -1e-12
    assert eigenvalues[-1] <= Softmax().curvature_bound + 1e-12


@pytest.mark.slow
@given(a=st.floats(-50, 50), b=st.floats(-50, 50), y=st.integers(0, 1))
def test_softmax_of_two_is_the_sigmoid_of_the_difference(a, b, y):
    """T28."""
    assert_allclose(Softmax().mean([[a, b]])[0, 1], expit(b - a), rtol=1e-10)
    assert_allclose(
        Softmax().value([y], [[a, b]])[0], Logistic().value(y, b - a), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("z", [-1e4, -40.0, 0.0, 40.0, 1e4])
@pytest.mark.parametrize("y", [0.0, 0.3, 1.0])
def test_the_logistic_loss_neither_overflows_nor_cancels(y, z):
    from math import exp, log1p

    exact = (1 - y) * z + log1p(exp(-z)) if z > 0 else -y * z + log1p(exp(z))
    assert_allclose(Logistic().value(y, z), exact, rtol=1e-15)
    assert np.isfinite(Softmax().value([0], [[z, -z]])).all()


def test_the_best_scores_of_classes_are_their_proportions():
    y, weights = np.array([0, 1, 2, 2]), np.array([1.0, 1.0, 1.0, 5.0])
    scores = Softmax().best_constant(y, weights)
    assert_allclose(Softmax().mean(scores), [1 / 8, 1 / 8, 6 / 8])


def test_log_odds_stay_finite_for_one_class():
    assert log_odds(np.array([0.0, 1.0, 1.0, 1.0]), None) == pytest.approx(np.log(3))
    assert log_odds(np.array([0.0, 1.0]), np.array([1.0, 3.0])) == pytest.approx(np.log(3))
    assert np.isfinite(log_odds(np.ones(4), None)).all()


def test_a_certain_and_wrong_probability_costs_infinity():
    assert BinaryCrossEntropy().value([1.0, 0.0], [0.0, 0.0]).tolist() == [np.inf, 0.0]
    assert CrossEntropy().value([1], [[1.0, 0.0]]) == [np.inf]


@pytest.mark.parametrize("cls", [Softmax, CrossEntropy])
def test_the_curvature_in_each_score_is_the_diagonal(cls):
    z = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    whole = cls().curvature(np.array([0, 2]), z)
    assert_allclose(cls().own_curvature(np.array([0, 2]), z), whole.diagonal(axis1=1, axis2=2))
    assert Logistic().own_curvature(1.0, 0.0) == 0.25


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_logistic_losses_in_one_pass(dtype, rng):
    z, y = rng.normal(scale=10, size=50).astype(dtype), rng.integers(2, size=50).astype(dtype)
    p, losses = logistic_losses(y, z)
    assert p.dtype == losses.dtype == dtype
    rtol = 1e-5 if dtype == np.float32 else 1e-12
    np.testing.assert_allclose(p, Logistic().mean(z), rtol=rtol)
    np.testing.assert_allclose(losses, Logistic().value(y, z), rtol=rtol, atol=rtol)
