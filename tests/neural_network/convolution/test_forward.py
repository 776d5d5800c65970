"""The forward pass against plain NumPy, and its gradients against differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gramian.neural_network import (
    BatchNorm,
    Conv,
    Dense,
    Dropout,
    FilterBank,
    LocallyConnected,
    Pool,
)
from gramian.neural_network.convolution.forward import forward, initial_weights, steps
from gramian.neural_network.torch_training.tensors import generator_of, tensor_of, tensors_of

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


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
    [found] = steps(layers, shape, tensors_of(weights), tensor_of(images.reshape(4, -1)))
    sums = plain_convolution(
        images, weights["layer0.weight"], weights["layer0.bias"], stride, kind is LocallyConnected
    )
    assert_allclose(found.movedim(1, -1).numpy(), np.tanh(sums), atol=1e-12)


def test_a_convolution_along_a_signal(rng):
    """CN-02: the correlation of NumPy."""
    layers = [Conv(1, 4, padding="same", activation="identity")]
    weights = weights_of(layers, (9, 1))
    x = rng.normal(size=9)
    found = forward(layers, (9, 1), tensors_of(weights), tensor_of(x[None]))
    padded = np.concatenate([np.zeros(1), x, np.zeros(2)])
    expected = np.correlate(padded, weights["layer0.weight"][0, 0], mode="valid")
    assert_allclose(found.numpy().ravel(), expected + weights["layer0.bias"], atol=1e-12)


@pytest.mark.parametrize(("kind", "reduce"), [("max", np.max), ("average", np.mean)])
def test_pools_reduce_blocks(rng, kind, reduce):
    images = rng.normal(size=(2, 6, 6, 3))
    found = forward([Pool(2, kind)], (6, 6, 3), {}, tensor_of(images.reshape(2, -1)))
    blocks = images.reshape(2, 3, 2, 3, 2, 3)
    assert_allclose(found.movedim(1, -1).numpy(), reduce(blocks, axis=(2, 4)), atol=1e-12)


def test_blocks_may_be_rectangles(rng):
    """CN-04: p x q."""
    images = rng.normal(size=(2, 6, 6, 3))
    found = forward([Pool((2, 3))], (6, 6, 3), {}, tensor_of(images.reshape(2, -1)))
    blocks = images.reshape(2, 3, 2, 2, 3, 3)
    assert_allclose(found.movedim(1, -1).numpy(), blocks.max(axis=(2, 4)))


def test_activations_may_wait_for_a_maximum(rng):
    """An increasing function of a maximum is the maximum of the function."""
    shape = (8, 8, 1)
    for activation in ("relu", "tanh", "sigmoid"):
        layers = [Conv(2, 3, activation=activation), Pool(2), Dense(3, activation)]
        weights = tensors_of(weights_of(layers, shape))
        rows = tensor_of(rng.normal(size=(5, 64)))
        *_, plain = steps(layers, shape, weights, rows)
        assert_allclose(forward(layers, shape, weights, rows), plain, atol=1e-12)


def test_batch_normalisation_uses_the_batch_in_training_and_averages_after(rng):
    layers, x = [BatchNorm(momentum=0.5)], rng.normal(3.0, 2.0, size=(50, 4))
    weights = tensors_of(initial_weights(layers, (4, 1), 0, np.float64))
    trained = forward(layers, (4, 1), weights, tensor_of(x), training=True).numpy()
    assert_allclose(trained.mean(), 0, atol=1e-12)
    assert_allclose(trained.std(), 1, atol=1e-4)
    assert_allclose(weights["layer0.running_mean"].numpy(), 0.5 * x.mean())
    before = weights["layer0.running_mean"].clone()
    one = forward(layers, (4, 1), weights, tensor_of(x[:1]))
    all_of_them = forward(layers, (4, 1), weights, tensor_of(x))
    assert_allclose(one, all_of_them[:1])
    assert torch.equal(before, weights["layer0.running_mean"])


def test_dropout_is_off_outside_training_and_keeps_the_mean_in_it():
    """T29: half of the hidden units, the others doubled."""
    layers, x = [Dropout(0.5)], torch.ones(200, 50, dtype=torch.float64)
    assert torch.equal(forward(layers, (50, 1), {}, x).flatten(1), x)
    dropped = forward(layers, (50, 1), {}, x, training=True, generator=generator_of(0))
    assert set(np.unique(dropped.numpy())) == {0.0, 2.0}
    assert dropped.mean().item() == pytest.approx(1.0, abs=0.05)


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
    arrays = weights_of(layers, shape)
    rows = tensor_of(rng.normal(size=(5, int(np.prod(shape)))))

    def cost(values):
        out = forward(layers, shape, tensors_of(values), rows, training=True)
        return out.square().sum() / 2

    weights = tensors_of(arrays)
    learned = [k for k in weights if "running" not in k]
    for k in learned:
        weights[k].requires_grad_(True)
    (forward(layers, shape, weights, rows, training=True).square().sum() / 2).backward()
    for k in learned:
        slopes, step = np.empty(arrays[k].shape), 1e-6
        for place in np.ndindex(*arrays[k].shape):
            ends = []
            for sign in (1, -1):
                moved = {name: w.copy() for name, w in arrays.items()}
                moved[k][place] += sign * step
                ends.append(cost(moved).item())
            slopes[place] = (ends[0] - ends[1]) / (2 * step)
        assert_allclose(weights[k].grad.numpy(), slopes, rtol=1e-5, atol=1e-6)


def test_initial_weights_have_the_variance_of_their_rule():
    """E45: 2 / fan_in before a ReLU, 2 / (fan_in + fan_out) elsewhere."""
    layers = [Dense(300), Dense(200, "tanh")]
    weights = initial_weights(layers, (400, 1), 0, np.float64)
    assert weights["layer0.weight"].var() == pytest.approx(2 / 400, rel=0.05)
    assert weights["layer1.weight"].var() == pytest.approx(2 / 500, rel=0.05)
    assert not weights["layer0.bias"].any()
