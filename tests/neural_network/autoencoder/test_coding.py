"""Codes and reconstructions against NumPy, losses and gradients against differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from gramian.neural_network.autoencoder.coding import (
    decoded,
    decoder_sums,
    encoded,
    level_weights,
    losses_of,
    reconstruction_gradient,
)


def arrays(tied, inputs=5, units=3):
    found = level_weights(0, inputs, units, tied, 0, np.float64)
    rng = np.random.default_rng(2)
    return {k: w + 0.2 * rng.normal(size=w.shape) for k, w in found.items()}


@pytest.mark.parametrize("tied", [True, False])
def test_encoder_and_decoder_are_the_equations(rng, tied):
    """AE-01: y = s(Wx + b), z = s(W'y + b'), W' = W^T where tied."""
    x, a = rng.random((4, 5)), arrays(tied)
    y = encoded(a, x, range(1), "sigmoid")
    assert_allclose(y, expit(x @ a["encoder0.weight"].T + a["encoder0.bias"]), atol=1e-12)
    back = a["encoder0.weight"].T if tied else a["decoder0.weight"]
    z = decoded(a, y, range(1), "sigmoid", "sigmoid")
    assert_allclose(z, expit(y @ back.T + a["decoder0.bias"]), atol=1e-12)


def test_both_losses(rng):
    """AE-02 and E47."""
    x, sums = rng.random((4, 5)), rng.normal(size=(4, 5))
    z = expit(sums)
    squares = losses_of(sums, x, "sigmoid", "squared_error")
    assert_allclose(squares, ((x - z) ** 2).sum(axis=1))
    entropy = losses_of(sums, x, "sigmoid", "cross_entropy")
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
        sums = decoder_sums(values, encoded(values, x, range(1), "tanh"), 0)
        return losses_of(sums, x, output, loss).mean()

    found = {k: np.empty_like(w) for k, w in a.items()}
    value = reconstruction_gradient(a, 0, x, x, "tanh", output, loss, found)
    assert value == pytest.approx(mean_loss(a))
    for name, w in a.items():
        slopes, step = np.empty(w.shape), 1e-6
        for place in np.ndindex(*w.shape):
            ends = []
            for sign in (1, -1):
                moved = {k: v.copy() for k, v in a.items()}
                moved[name][place] += sign * step
                ends.append(mean_loss(moved))
            slopes[place] = (ends[0] - ends[1]) / (2 * step)
        assert_allclose(found[name], slopes, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize(("output", "loss"), CASES)
def test_gradients_match_torch(rng, output, loss, tied):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    clean, noisy, a = rng.random((150, 5)), rng.random((150, 5)), arrays(tied)
    found = {k: np.empty_like(w) for k, w in a.items()}
    value = reconstruction_gradient(a, 0, noisy, clean, "sigmoid", output, loss, found)
    w = {k: torch.tensor(array, requires_grad=True) for k, array in a.items()}
    code = torch.sigmoid(torch.tensor(noisy) @ w["encoder0.weight"].T + w["encoder0.bias"])
    back = w["encoder0.weight"] if tied else w["decoder0.weight"].T
    sums, x = code @ back + w["decoder0.bias"], torch.tensor(clean)
    if loss == "cross_entropy":
        F = torch.nn.functional
        theirs = F.binary_cross_entropy_with_logits(sums, x, reduction="sum") / 150
    else:
        z = sums if output == "identity" else getattr(torch, output)(sums)
        theirs = (z - x).square().sum() / 150
    theirs.backward()
    assert value == pytest.approx(theirs.item())
    for name, tensor in w.items():
        assert_allclose(found[name], tensor.grad.numpy(), atol=1e-12)
