"""Codes and reconstructions against NumPy, losses and gradients against differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from gramian.neural_network.autoencoder.coding import (
    backward_reconstruction,
    decoded,
    decoder_sums,
    encoded,
    level_weights,
    losses_of,
    products_of,
)
from gramian.neural_network.torch_training.tensors import tensor_of, tensors_of

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def arrays(tied, inputs=5, units=3):
    found = level_weights(0, inputs, units, tied, 0, np.float64)
    rng = np.random.default_rng(2)
    return {k: w + 0.2 * rng.normal(size=w.shape) for k, w in found.items()}


@pytest.mark.parametrize("tied", [True, False])
def test_encoder_and_decoder_are_the_equations(rng, tied):
    """AE-01: y = s(Wx + b), z = s(W'y + b'), W' = W^T where tied."""
    x, a = rng.random((4, 5)), arrays(tied)
    weights = tensors_of(a)
    y = encoded(weights, tensor_of(x), range(1), "sigmoid")
    assert_allclose(y, expit(x @ a["encoder0.weight"].T + a["encoder0.bias"]), atol=1e-12)
    back = a["encoder0.weight"].T if tied else a["decoder0.weight"]
    z = decoded(weights, y.clone(), range(1), "sigmoid", "sigmoid")
    assert_allclose(z, expit(y.numpy() @ back.T + a["decoder0.bias"]), atol=1e-12)


def test_both_losses(rng):
    """AE-02 and E47."""
    x, sums = rng.random((4, 5)), rng.normal(size=(4, 5))
    z = expit(sums)
    squares = losses_of(tensor_of(sums.copy()), tensor_of(x), "sigmoid", "squared_error")
    assert_allclose(squares, ((x - z) ** 2).sum(axis=1))
    entropy = losses_of(tensor_of(sums.copy()), tensor_of(x), "sigmoid", "cross_entropy")
    assert_allclose(entropy, -(x * np.log(z) + (1 - x) * np.log(1 - z)).sum(axis=1))


CASES = [
    ("sigmoid", "cross_entropy"),
    ("sigmoid", "squared_error"),
    ("tanh", "squared_error"),
    ("relu", "squared_error"),
    ("identity", "squared_error"),
]


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize(("output", "loss"), CASES)
def test_gradients_agree_with_differences(rng, output, loss, tied):
    x, a = rng.random((6, 5)), arrays(tied)

    def mean_loss(values):
        weights = tensors_of({k: w.copy() for k, w in values.items()})
        sums = decoder_sums(weights, encoded(weights, tensor_of(x), range(1), "tanh"), 0)
        return losses_of(sums, tensor_of(x), output, loss).mean().item()

    weights = tensors_of({k: w.copy() for k, w in a.items()})
    for w in weights.values():
        w.requires_grad_(True)
    sums = decoder_sums(weights, encoded(weights, tensor_of(x), range(1), "tanh"), 0)
    value = backward_reconstruction(sums, tensor_of(x), output, loss)
    assert value.item() == pytest.approx(mean_loss(a))
    for name, w in a.items():
        slopes, step = np.empty(w.shape), 1e-6
        for place in np.ndindex(*w.shape):
            ends = []
            for sign in (1, -1):
                moved = {k: v.copy() for k, v in a.items()}
                moved[name][place] += sign * step
                ends.append(mean_loss(moved))
            slopes[place] = (ends[0] - ends[1]) / (2 * step)
        assert_allclose(weights[name].grad.numpy(), slopes, rtol=1e-5, atol=1e-7)


def test_the_products_of_a_batch():
    assert products_of({"encoder0.weight": np.zeros((3, 5))}, 2) == 30
