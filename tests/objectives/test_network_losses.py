"""Losses of network outputs: those of objectives, from predictions and from sums."""

import numpy as np
import pytest
from scipy.special import expit, softmax

from gramian.objectives import Logistic, Poisson, Softmax, SquaredError
from gramian.objectives.network_losses import output_losses, tensor_losses

NAMES = ["squared", "squared_logistic", "poisson", "logistic", "softmax"]


def case(name, rng):
    """Targets, sums, predictions and the expected losses."""
    z, Y = rng.normal(size=(6, 3)), rng.random((6, 3))
    if name == "softmax":
        Y /= Y.sum(axis=1, keepdims=True)
        return Y, z, softmax(z, axis=1), Softmax().value(Y, z)
    if name == "logistic":
        return Y, z, expit(z), Logistic().value(Y, z).sum(axis=1)
    if name == "poisson":
        least = Y - Y * np.log(Y)
        return Y, z, np.exp(z), (Poisson().value(Y, z) - least).sum(axis=1)
    p = expit(z) if name == "squared_logistic" else z
    return Y, z, p, SquaredError().value(Y, p).sum(axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_losses_of_predictions(name, rng):
    Y, _, P, expected = case(name, rng)
    np.testing.assert_allclose(output_losses(name, Y, P), expected, rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_losses_of_tensors_are_the_same(name, rng):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    Y, z, _, expected = case(name, rng)
    found = tensor_losses(torch, name, torch.tensor(z), torch.tensor(Y))
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["softmax", "logistic"])
def test_a_certain_mistake_has_a_finite_loss(name):
    found = output_losses(name, np.array([[0.0, 1.0]]), np.array([[0.0, 0.0]]))
    assert 700 < found.item() < 710
