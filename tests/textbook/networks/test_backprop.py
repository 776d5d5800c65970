"""The graph's gradients against differences, the identities of the activations, XOR learned."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.textbook.networks.backprop import (
    Node,
    cross_entropy,
    finite_differences,
    gradient_check,
    l2_penalty,
    relu,
    sigmoid,
    softmax,
    squared_error,
    tanh,
)


@pytest.mark.parametrize("activation", [sigmoid, tanh, relu, softmax])
@pytest.mark.parametrize("cost", [squared_error, cross_entropy])
def test_backpropagation_agrees_with_differences(rng, activation, cost):
    X, y = Node(rng.normal(size=(7, 3))), np.eye(2)[rng.integers(2, size=7)]
    W, b = Node(rng.normal(size=(3, 4))), Node(rng.normal(size=4))
    V = Node(rng.normal(size=(4, 2)))

    def loss():
        return cost(activation(X @ W + b) @ V, y) + l2_penalty([W, V], 0.1)

    assert gradient_check(loss, [X, W, b, V]) < 1e-8


def test_a_node_that_feeds_two_others_gets_the_sum_of_both_gradients(rng):
    """E = |xw|^2 / 2 with x used twice: dE/dx adds up over the edges that leave x."""
    x, w = Node(rng.normal(size=(1, 3))), Node(rng.normal(size=(3, 3)))

    def loss():
        return squared_error(x * tanh(x @ w) + x, np.zeros((1, 3)))

    assert gradient_check(loss, [x, w]) < 1e-8
    alone = Node([[2.0]])
    squared_error(alone * alone, [[0.0]]).backward()
    assert alone.gradient.item() == pytest.approx(16.0)  # d/dx x^4 / 2 = 2 x^3


def test_backward_visits_each_edge_once_not_each_path():
    """60 layers of y = x + x have 2^60 paths."""
    x = Node([[1.0]])
    y = x
    for _ in range(60):
        y = y + y
    E = squared_error(y, [[0.0]])
    E.backward()
    assert x.gradient.item() == 2.0**120


@pytest.mark.parametrize(
    ("activation", "slope"),
    [
        (sigmoid, lambda s: s * (1 - s)),
        (tanh, lambda t: 1 - t**2),
        (relu, lambda r: (r > 0).astype(float)),
    ],
)
def test_derivatives_follow_from_the_values(activation, slope):
    """T49 and E43: s' = s(1 - s), tanh' = 1 - tanh^2."""
    x = Node(np.linspace(-4, 4, 17)[None] + 0.01)
    value = activation(x).value
    total = activation(x) @ Node(np.ones((17, 1)))  # the sum, whose gradient is the derivative
    squared_error(total, total.value - 1).backward()
    assert_allclose(x.gradient, slope(value), atol=1e-12)
    assert_allclose(np.tanh(x.value), 2 * sigmoid(Node(2 * x.value)).value - 1, atol=1e-12)


def test_the_jacobian_of_softmax():
    """T49: dy_i/dx_j = y_i (1(i = j) - y_j)."""
    x = Node([[0.3, -1.0, 2.0]])
    y = softmax(x).value[0]
    for i in range(3):
        pick = Node(np.eye(3)[:, [i]])
        E = softmax(x) @ pick
        squared_error(E, E.value - 1).backward()
        assert_allclose(x.gradient[0], y[i] * (np.eye(3)[i] - y), atol=1e-12)


def test_softmax_of_two_is_the_sigmoid_of_the_difference():
    """T28."""
    scores = np.array([[1.0, -2.0], [0.0, 3.0]])
    p = softmax(Node(scores)).value[:, 0]
    assert_allclose(p, sigmoid(Node(scores[:, 0] - scores[:, 1])).value, atol=1e-12)


def test_the_gradient_of_softmax_and_cross_entropy_is_z_minus_y(rng):
    scores, y = Node(rng.normal(size=(4, 3))), np.eye(3)[[0, 2, 1, 1]]
    cross_entropy(scores, y).backward()
    assert_allclose(scores.gradient, (softmax(Node(scores.value)).value - y) / 4, atol=1e-12)


def test_differences_leave_the_weights_as_they_were(rng):
    w = Node(rng.normal(size=(3, 1)))
    before = w.value.copy()
    finite_differences(lambda: squared_error(Node(np.eye(3)) @ w, np.zeros((3, 1))), w)
    np.testing.assert_array_equal(w.value, before)


def test_units_of_the_user_and_thresholds_are_nodes(rng):
    """NE-04: a unit is its value and its derivative; that of a threshold is zero."""
    X, y, w = Node(rng.normal(size=(6, 3))), rng.normal(size=(6, 1)), Node(rng.normal(size=(3, 1)))

    def softplus(x):
        return Node(np.logaddexp(0, x.value), (x,), lambda g: (g / (1 + np.exp(-x.value)),))

    def threshold(x):
        return Node(x.value > 0, (x,), lambda g: (np.zeros_like(g),))

    assert gradient_check(lambda: squared_error(softplus(X @ w), y), [w]) < 1e-8
    assert set(np.unique(threshold(X @ w).value)) <= {0.0, 1.0}
    assert gradient_check(lambda: squared_error(threshold(X @ w), y), [w]) == 0


def test_backward_starts_at_one_number():
    with pytest.raises(ValueError, match="must start at a scalar"):
        Node([1.0, 2.0]).backward()


def test_a_learned_network_computes_xor():
    """A hidden layer of two units, gradient descent on the mean squared error."""
    X = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    y = np.array([[0.0], [1], [1], [0]])
    rng = np.random.default_rng(1)
    W, b = Node(rng.normal(size=(2, 3))), Node(np.zeros(3))
    V, c = Node(rng.normal(size=(3, 1))), Node(np.zeros(1))
    for _ in range(3000):
        output = sigmoid(tanh(Node(X) @ W + b) @ V + c)
        squared_error(output, y).backward()
        for w in (W, b, V, c):
            w.value -= 2.0 * w.gradient
    assert ((output.value > 0.5) == y).all()
    assert np.abs(output.value - y).max() < 0.1


def test_arrays_and_numbers_are_nodes_too(rng):
    X, y, w = rng.normal(size=(5, 3)), rng.normal(size=(5, 1)), Node(rng.normal(size=(3, 1)))

    def loss():
        z = tanh(X @ w * 2.0 - 0.5)
        return squared_error(1.0 - z + (0.1 * z) @ [[2.0]], y)

    assert gradient_check(loss, [w]) < 1e-8
    assert_allclose((1.0 + w - w).value, np.ones((3, 1)))


@pytest.mark.parametrize("cost", [squared_error, cross_entropy])
@pytest.mark.parametrize("y", [[1.0, 0.0, 1.0], [[1.0], [0.0], [1.0]]])
def test_targets_are_not_repeated(cost, y):
    """NumPy would subtract a vector from every column."""
    with pytest.raises(ValueError, match=r"y must be a matrix of the shape .*, \(3, 2\)"):
        cost(Node(np.zeros((3, 2))), y)
