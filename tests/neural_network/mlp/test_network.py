"""Shape, parameters and outputs of networks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax

import gramian
from gramian.neural_network.mlp.network import NORM_EPSILON, Network, Parameters, folded
from tests.neural_network.mlp.reference import ACTIVATIONS, started

pytestmark = pytest.mark.numeric


def forward(network, layers, X):
    h = X
    for W, b, f in zip(layers.coefs[:-1], layers.intercepts[:-1], network.activations, strict=True):
        h = ACTIVATIONS[f][0](h @ W + b)
    z = h @ layers.coefs[-1] + layers.intercepts[-1]
    last = {
        "squared": lambda z: z,
        "squared_logistic": expit,
        "poisson": np.exp,
        "logistic": expit,
        "softmax": lambda z: softmax(z, axis=1),
    }
    return last[network.output](z)


@pytest.mark.parametrize(
    "output", ["squared", "squared_logistic", "poisson", "logistic", "softmax"]
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("n", [1, 8, 9, 300])
@pytest.mark.parametrize("widths", [(7, 33, 5, 3), (7, 33, 5, 1), (7, 1, 17, 1), (7, 20, 1, 1)])
def test_outputs_equal_the_matrix_form(output, dtype, n, widths):
    """NE-01: h_l = f_l(h_{l-1} W_l + b_l), with an activation per layer."""
    network = Network(widths, ("tanh", "relu"), output)
    layers = network.split(started(network).parameters)
    X = np.random.default_rng(n).normal(size=(n, 7))
    cast = Parameters(*([part.astype(dtype) for part in group] for group in layers))
    found = network.outputs(X.astype(dtype), cast, None, None)
    assert found.dtype == dtype
    tol = 1e-12 if dtype == np.float64 else 2e-5
    np.testing.assert_allclose(found, forward(network, layers, X), rtol=tol, atol=tol)


@pytest.mark.parametrize(
    "network",
    [
        Network((70, 61, 10), ("logistic",), "softmax"),
        Network((70, 61, 1), ("logistic",), "logistic"),
        Network((70, 1, 61, 1), ("tanh", "logistic"), "squared"),
    ],
)
def test_a_row_has_the_same_bits_alone_and_among_others(network):
    layers = network.split(started(network).parameters)
    X = np.random.default_rng(0).normal(size=(500, 70))
    together = network.outputs(X, layers, None, None)
    alone = np.vstack([network.outputs(X[i : i + 1], layers, None, None) for i in range(20)])
    np.testing.assert_array_equal(alone, together[:20])


@given(z=st.tuples(*2 * [st.floats(-500, 500)]))
def test_softmax_of_two_is_the_sigmoid_of_the_difference(z):
    """T28: p_1 = e^a / (e^a + e^b) = sigma(a - b)."""
    pair = Network((2, 2), (), "softmax")
    single = Network((2, 1), (), "logistic")
    X = np.array([z])
    two = pair.outputs(X, Parameters([np.eye(2)], [np.zeros(2)], [], []), None, None)
    one = single.outputs(
        X, Parameters([np.array([[1.0], [-1.0]])], [np.zeros(1)], [], []), None, None
    )
    np.testing.assert_allclose(two[0, 0], one[0, 0], rtol=1e-12, atol=1e-300)


@given(st.floats(-700, 700))
def test_tanh_is_a_shifted_sigmoid(z):
    """E43: 2 sigma(2 z) - 1 is tanh itself, not its derivative."""
    one = [np.ones((1, 1)), np.ones((1, 1))]
    at = np.zeros(1)
    network = Network((1, 1, 1), ("tanh",), "squared")
    found = network.outputs(np.array([[z]]), Parameters(one, [at, at], [], []), None, None)
    np.testing.assert_allclose(found[0, 0], 2 * expit(2 * z) - 1, atol=1e-15)
    np.testing.assert_allclose(found[0, 0], np.tanh(z), rtol=1e-14)


def test_batch_normalisation_folds_into_the_weights():
    """gamma (x W + b - mean) / sqrt(var + delta) + beta."""
    rng = np.random.default_rng(0)
    network = Network((4, 6, 2), ("identity",), "squared", batch_norm=True)
    layers = network.split(rng.normal(size=network.size))
    mean, variance = rng.normal(size=6), rng.uniform(0.5, 2, 6)
    X = rng.normal(size=(9, 4))
    z = X @ layers.coefs[0] + layers.intercepts[0]
    h = layers.gammas[0] * (z - mean) / np.sqrt(variance + NORM_EPSILON) + layers.betas[0]
    expected = h @ layers.coefs[1] + layers.intercepts[1]
    np.testing.assert_allclose(network.outputs(X, layers, mean, variance), expected, rtol=1e-12)
    coefs, _ = folded(layers, mean, variance)
    assert coefs[0] is not layers.coefs[0]


def test_split_and_join_are_inverse():
    network = Network((3, 4, 5, 2), ("relu", "relu"), "squared", batch_norm=True)
    vector = np.arange(float(network.size))
    assert network.size == 3 * 4 + 4 * 5 + 5 * 2 + 4 + 5 + 2 + 2 * 9
    np.testing.assert_array_equal(network.join(network.split(vector), float), vector)


@pytest.mark.parametrize("threads", [2, 3])
def test_outputs_have_the_same_bits_for_any_threads(threads):
    network = Network((100, 64, 4), ("tanh",), "softmax")
    layers = network.split(started(network).parameters)
    X = np.random.default_rng(0).normal(size=(3000, 100))
    before = gramian.get_num_threads()
    try:
        gramian.set_num_threads(1)
        alone = network.outputs(X, layers, None, None)
        gramian.set_num_threads(threads)
        np.testing.assert_array_equal(network.outputs(X, layers, None, None), alone)
    finally:
        gramian.set_num_threads(before)
