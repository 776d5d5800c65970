"""The update rules as written, against the graph of backprop.py."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.networks import relu_softmax_gradients, sigmoid_layer_step
from gramian.textbook.networks.backprop import (
    Node,
    cross_entropy,
    l2_penalty,
    relu,
    sigmoid,
    squared_error,
)


@pytest.mark.parametrize("task", ["regression", "classes"])
def test_the_changes_are_minus_eta_times_the_gradient(rng, task):
    n, d, h, k, eta = 6, 3, 4, 2, 0.3
    X, W, V = rng.normal(size=(n, d)), rng.normal(size=(h, d + 1)), rng.normal(size=(k, h + 1))
    R = np.eye(k)[rng.integers(k, size=n)] if task == "classes" else rng.normal(size=(n, k))
    step = sigmoid_layer_step(X, R, W, V, eta, task=task)

    w, w0, v, v0 = Node(W[:, 1:].T), Node(W[:, 0]), Node(V[:, 1:].T), Node(V[:, 0])
    y = sigmoid(Node(X) @ w + w0) @ v + v0
    E = cross_entropy(y, R) if task == "classes" else squared_error(y, R)
    E.backward()
    assert step.cost == pytest.approx(n * float(E.value))  # a sum, where the graph has the mean
    assert_allclose(step.change_in_W[:, 1:], -eta * n * w.gradient.T, atol=1e-12)
    assert_allclose(step.change_in_W[:, 0], -eta * n * w0.gradient, atol=1e-12)
    assert_allclose(step.change_in_V[:, 1:], -eta * n * v.gradient.T, atol=1e-12)
    assert_allclose(step.change_in_V[:, 0], -eta * n * v0.gradient, atol=1e-12)


def test_a_small_step_lowers_the_cost(rng):
    X, R = rng.normal(size=(8, 2)), rng.normal(size=(8, 1))
    W, V = rng.normal(size=(3, 3)), rng.normal(size=(1, 4))
    step = sigmoid_layer_step(X, R, W, V, 1e-3)
    after = sigmoid_layer_step(X, R, W + step.change_in_W, V + step.change_in_V, 1e-3)
    assert after.cost < step.cost


def test_relu_softmax_and_a_penalty(rng):
    """NE-09: dE/dW = (z - y) h' + 2 l W, dE/dV = [W'(z - y) * 1(h > 0)] x' + 2 l V."""
    x, V, W = rng.normal(size=4), rng.normal(size=(5, 4)), rng.normal(size=(3, 5))
    y = np.array([0.0, 1.0, 0.0])
    in_V, in_W = relu_softmax_gradients(x, y, V, W, 0.2)

    v, w = Node(V.T), Node(W.T)
    E = cross_entropy(relu(Node(x[None]) @ v) @ w, y[None]) + l2_penalty([v, w], 0.2)
    E.backward()
    assert_allclose(in_V, v.gradient.T, atol=1e-12)
    assert_allclose(in_W, w.gradient.T, atol=1e-12)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"W \(h, d \+ 1\)"):
        sigmoid_layer_step([[1.0]], [[1.0]], [[1.0]], [[1.0, 1.0]], 0.1)


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="task must be 'regression' or 'classes'; got 'class'"):
        sigmoid_layer_step([[1.0]], [[1.0]], [[0.0, 0.0]], [[0.0, 2.0]], 0.1, task="class")
    with pytest.raises(ValueError, match=r"V \(m, d\) and W \(k, m\); got \(2,\)"):
        relu_softmax_gradients([1.0, 2.0], [1, 0], [[2.0]], [[0.0], [0.0]])
