"""The forward pass against plain NumPy, and its gradients against differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian import set_num_threads
from gramian.base.runtime.threads import get_num_threads
from gramian.neural_network import (
    BatchNorm,
    Conv,
    Dense,
    Dropout,
    FilterBank,
    LocallyConnected,
    Pool,
)
from gramian.neural_network.convolution.forward import (
    LayerNetwork,
    initial_weights,
    is_native,
    loss_and_slopes,
)
from gramian.objectives import Softmax, SquaredError


def weights_of(layers, shape, seed=0):
    weights = initial_weights(layers, shape, seed, np.float64)
    rng = np.random.default_rng(1)
    return {k: w + 0.1 * rng.random(w.shape) for k, w in weights.items()}


def plain_convolution(images, weight, bias, stride, local=False):
    """Sum by sum: channels last in, channels last out."""
    n, height, width, _ = images.shape
    filters = weight.shape[-1] if local else len(weight)
    k = 3
    rows, columns = (height - k) // stride + 1, (width - k) // stride + 1
    found = np.empty((n, rows, columns, filters))
    for i in range(rows):
        for j in range(columns):
            patch = images[:, i * stride : i * stride + k, j * stride : j * stride + k]
            patch = np.moveaxis(patch, -1, 1).reshape(n, -1)  # channel, row, column
            place = i * columns + j
            own = weight[place] if local else weight.reshape(filters, -1).T
            found[:, i, j] = patch @ own + (bias[place] if local else bias)
    return found


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("kind", [Conv, LocallyConnected])
def test_a_convolution_is_the_sum_over_each_patch(rng, kind, stride):
    """CN-01 and CN-03, with the bias inside the activation (E46)."""
    shape, layers = (7, 8, 2), [kind(3, 3, stride=stride, activation="tanh")]
    weights = weights_of(layers, shape)
    images = rng.normal(size=(4, *shape))
    [found] = LayerNetwork(layers, shape).feature_maps(weights, images.reshape(4, -1))
    sums = plain_convolution(
        images, weights["layer0.weight"], weights["layer0.bias"], stride, kind is LocallyConnected
    )
    assert_allclose(found, np.tanh(sums), atol=1e-12)


def test_a_convolution_along_a_signal(rng):
    """CN-02: the correlation of NumPy."""
    layers = [Conv(1, 4, padding="same", activation="identity")]
    weights = weights_of(layers, (9, 1))
    x = rng.normal(size=9)
    found = LayerNetwork(layers, (9, 1)).outputs(weights, x[None])
    padded = np.concatenate([np.zeros(1), x, np.zeros(2)])
    expected = np.correlate(padded, weights["layer0.weight"][0, 0], mode="valid")
    assert_allclose(found.ravel(), expected + weights["layer0.bias"], atol=1e-12)


@pytest.mark.parametrize(("kind", "reduce"), [("max", np.max), ("average", np.mean)])
def test_pools_reduce_blocks(rng, kind, reduce):
    images = rng.normal(size=(2, 6, 6, 3))
    found = LayerNetwork([Pool(2, kind)], (6, 6, 3)).outputs({}, images.reshape(2, -1))
    blocks = images.reshape(2, 3, 2, 3, 2, 3)
    assert_allclose(found, reduce(blocks, axis=(2, 4)), atol=1e-12)


def test_blocks_may_be_rectangles(rng):
    """CN-04: p x q."""
    images = rng.normal(size=(2, 6, 6, 3))
    found = LayerNetwork([Pool((2, 3))], (6, 6, 3)).outputs({}, images.reshape(2, -1))
    blocks = images.reshape(2, 3, 2, 2, 3, 3)
    assert_allclose(found, blocks.max(axis=(2, 4)))


def test_activations_may_wait_for_a_maximum(rng):
    """An increasing function of a maximum is the maximum of the function."""
    shape = (8, 8, 1)
    for activation in ("relu", "tanh", "sigmoid"):
        layers = [Conv(2, 3, activation=activation), Pool(2), Dense(3, activation)]
        weights, rows = weights_of(layers, shape), rng.normal(size=(5, 64))
        network = LayerNetwork(layers, shape)
        plain = network.feature_maps(weights, rows)[-1]
        assert_allclose(network.outputs(weights, rows), plain, atol=1e-12)


def trained_once(layers, shape, weights, rows, **seeds):
    """The gradients of a step in training; running averages change on the way."""
    network = LayerNetwork(layers, shape)
    units = network.outputs(weights, rows[:1]).size
    found = {name: np.empty_like(w) for name, w in weights.items() if "running" not in name}
    targets = np.zeros((len(rows), units))
    seeds = {"seed": 0, "t": 0, **seeds}
    value = network.gradient(weights, rows, targets, None, SquaredError(), found, **seeds)
    return value * units, {name: array * units for name, array in found.items()}  # not their mean


def test_batch_normalisation_uses_the_batch_in_training_and_averages_after(rng):
    layers, x = [BatchNorm(momentum=0.5)], rng.normal(3.0, 2.0, size=(50, 4))
    shape, network = (4,), LayerNetwork(layers, (4,))
    weights = initial_weights(layers, shape, 0, np.float64)
    value, _ = trained_once(layers, shape, weights, x)
    assert value == pytest.approx(4 / 2, rel=1e-4)  # half the variances after it, which are 1
    assert_allclose(weights["layer0.running_mean"], 0.5 * x.mean(axis=0))
    assert_allclose(weights["layer0.running_var"], 0.5 + 0.5 * x.var(axis=0, ddof=1))
    before = weights["layer0.running_mean"].copy()
    one, all_of_them = network.outputs(weights, x[:1]), network.outputs(weights, x)
    assert_allclose(one, all_of_them[:1])
    np.testing.assert_array_equal(before, weights["layer0.running_mean"])


def test_dropout_is_off_outside_training_and_keeps_the_mean_in_it():
    """T29: half of the hidden units, the others doubled."""
    layers, x = [Dropout(0.5)], np.ones((200, 50))
    np.testing.assert_array_equal(LayerNetwork(layers, (50,)).outputs({}, x), x)
    layers = [Dropout(0.5), Dense(1, "identity")]
    weights = {"layer1.weight": np.full((1, 50), 1 / 50), "layer1.bias": np.zeros(1)}
    _, found = trained_once(layers, (50,), weights, x)
    assert found["layer1.bias"].item() == pytest.approx(1.0, abs=0.05)  # the mean of the outputs
    again, other = (trained_once(layers, (50,), weights, x, t=t)[1] for t in (0, 1))
    assert found["layer1.bias"] == again["layer1.bias"]
    assert found["layer1.bias"] != other["layer1.bias"]


NETWORKS = {
    "convolution": ((6, 6, 2), [Conv(3, 3, activation="tanh"), Dense(2, "sigmoid")]),
    "strided, padded": ((7, 5, 1), [Conv(2, 3, stride=2, padding="same", activation="tanh")]),
    "local": ((6, 6, 1), [LocallyConnected(2, 3, stride=3, activation="tanh")]),
    "signal": ((11, 2), [Conv(2, 4, activation="sigmoid"), Pool(2, "average"), Dense(2)]),
    "maximum": ((6, 6, 1), [Conv(2, 3, activation="tanh"), Pool(2), Dense(2, "tanh")]),
    "mean": ((6, 6, 1), [Conv(2, 3), Pool(2, "average"), Dense(2, "tanh")]),
    "blocks of 2 x 3": ((6, 8, 1), [Conv(2, (3, 3), activation="tanh"), Pool((2, 3)), Dense(2)]),
    "blocks that overlap": ((7, 7, 1), [Conv(2, 3, activation="tanh"), Pool(3, stride=2)]),
    "given filters": (
        (5, 5, 1),
        [Conv(2, 2, activation="tanh"), FilterBank("edges", "tanh"), Dense(2, "tanh")],
    ),
    "normalised": ((4, 4, 1), [Conv(2, 3, activation="identity"), BatchNorm(), Dense(2, "tanh")]),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_gradients_agree_with_differences(name, rng):
    """Of a shared weight it is the sum over its places; of a maximum it goes to where it was."""
    shape, layers = NETWORKS[name]
    layers = [*layers, Dense(2, "identity")]
    arrays, rows = weights_of(layers, shape), rng.normal(size=(5, int(np.prod(shape))))

    def copy():
        return {k: w.copy() for k, w in arrays.items()}

    _, found = trained_once(layers, shape, copy(), rows)
    for k, gradient in found.items():
        slopes, step = np.empty(gradient.shape), 1e-6
        for place in np.ndindex(*gradient.shape):
            ends = []
            for sign in (1, -1):
                moved = copy()
                moved[k][place] += sign * step
                ends.append(trained_once(layers, shape, moved, rows)[0])
            slopes[place] = (ends[0] - ends[1]) / (2 * step)
        assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-6)


LAYERS = [
    Conv(5, 3, activation="tanh"),
    Pool(2, "average"),
    Dropout(0.3),
    Dense(9),
    Dense(3, "identity"),
]


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("normalised", [False, True])
def test_the_same_bits_for_any_number_of_threads(rng, normalised, channels):
    layers = [LAYERS[0], BatchNorm(), *LAYERS[1:]] if normalised else LAYERS
    shape = 20, 20, channels
    weights = initial_weights(layers, shape, 0, np.float32)
    rows, y = rng.normal(size=(150, 400 * channels)).astype(np.float32), rng.integers(3, size=150)
    network, before, answers = LayerNetwork(layers, shape), get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            own = {name: w.copy() for name, w in weights.items()}
            found = {name: np.empty_like(w) for name, w in own.items() if "running" not in name}
            loss = network.gradient(own, rows, y, None, Softmax(), found, 0, 0)
            answers.append([loss, *found.values(), network.outputs(own, rows)])
    finally:
        set_num_threads(before)
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


def test_losses_of_rows_are_means_over_targets_with_weights():
    y, z = np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[2.0, 0.0], [1.0, 3.0]])
    value, slopes = loss_and_slopes(SquaredError(), y, z, None, 2)
    assert value == pytest.approx((1 + 1) / 2)
    assert_allclose(slopes, [[0.5, 0], [0, 0.5]])
    value, slopes = loss_and_slopes(SquaredError(), y, z, np.array([2.0, 0.0]), 2)
    assert value == pytest.approx(1.0)
    assert_allclose(slopes, [[1, 0], [0, 0]])
    value, slopes = loss_and_slopes(Softmax(), np.array([1]), np.zeros((1, 2)), None, 1)
    assert value == pytest.approx(np.log(2))
    assert_allclose(slopes, [[0.5, -0.5]])


def test_which_layers_are_done_together():
    conv, shape = Conv(6, 5), (28, 28, 1)
    assert is_native(conv, Pool(2), shape)
    assert not is_native(conv, Pool(2, "average"), shape)
    assert not is_native(conv, Pool(3), shape)
    assert not is_native(conv, Dense(3), shape)
    assert not is_native(conv, None, shape)
    assert not is_native(Conv(6, 5, stride=2), Pool(2), shape)
    assert not is_native(Conv(256, 5), Pool(2), (28, 28, 64))
    assert not is_native(Conv(6, 5), Pool(2), (28, 1))


def test_initial_weights_have_the_variance_of_their_rule():
    """E45: 2 / fan_in before a ReLU, 2 / (fan_in + fan_out) elsewhere."""
    layers = [Dense(300), Dense(200, "tanh")]
    weights = initial_weights(layers, (400, 1), 0, np.float64)
    assert weights["layer0.weight"].var() == pytest.approx(2 / 400, rel=0.05)
    assert weights["layer1.weight"].var() == pytest.approx(2 / 500, rel=0.05)
    assert not weights["layer0.bias"].any()
