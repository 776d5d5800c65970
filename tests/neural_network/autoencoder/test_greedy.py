"""Levels are trained one after the other."""

import numpy as np
import pytest
from scipy.special import expit

from gramian.base.callbacks import Task
from gramian.neural_network import StackedDenoisingAutoencoder
from gramian.neural_network.autoencoder.greedy import AutoencoderSettings, train_levels
from gramian.neural_network.training.training import Settings

FEW = Settings(batch_size=20, max_iter=5)


def levels(X, sizes, settings=FEW, **coding):
    task = Task.of(StackedDenoisingAutoencoder(), steps=None)
    defaults = {
        "activation": "sigmoid",
        "output": "identity",
        "loss": "squared_error",
        "tied": False,
    }
    return train_levels(
        "Stack",
        X,
        sizes,
        AutoencoderSettings(**{**defaults, **coding}),
        settings,
        0,
        lambda _: task,
        lambda weights: weights,
    )


def test_a_level_is_not_changed_by_those_above_it(rng):
    """AE-05."""
    X = rng.random((60, 6))
    one, _ = levels(X, (4,), noise_level=0.3)
    two, histories = levels(X, (4, 3), noise_level=0.3)
    for name, w in one.items():
        np.testing.assert_array_equal(w, two[name])
    assert two["encoder1.weight"].shape == (3, 4)
    assert [len(history.training) for history in histories] == [5, 5]


def test_the_codes_of_held_out_rows_are_held_out_above(rng):
    X, X_val = rng.random((60, 6)), rng.random((20, 6))
    task = Task.of(StackedDenoisingAutoencoder(), steps=None)
    coding = AutoencoderSettings("sigmoid", "identity", "squared_error", False)
    found, (_, second) = train_levels(
        "Stack", X, (4, 3), coding, FEW, 0, lambda _: task, lambda weights: weights, X_val
    )

    def layer(name, x):
        return expit(x @ found[f"{name}.weight"].T + found[f"{name}.bias"])

    codes = layer("encoder0", X_val)
    errors = ((codes - layer("decoder1", layer("encoder1", codes))) ** 2).sum(axis=1)
    assert min(second.validation) == pytest.approx(errors.mean(), rel=1e-6)


def test_levels_above_the_first_reconstruct_codes():
    coding = AutoencoderSettings("sigmoid", "identity", "squared_error", False)
    assert coding.of_level(0) == ("identity", "squared_error")
    assert coding.of_level(1) == ("sigmoid", "squared_error")
    bits = AutoencoderSettings("sigmoid", "sigmoid", "cross_entropy", False)
    assert bits.of_level(1) == ("sigmoid", "cross_entropy")
    assert AutoencoderSettings("tanh", "sigmoid", "cross_entropy", False).of_level(1) == (
        "tanh",
        "squared_error",
    )


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
def test_the_second_level_reconstructs_the_codes_of_the_first(rng, loss):
    """Its loss, at a rate of next to nothing, is that of its own weights on those codes."""
    X, still = rng.random((60, 6)), Settings(batch_size=60, max_iter=1, learning_rate_init=1e-12)
    output = "sigmoid" if loss == "cross_entropy" else "identity"
    found, (_, second) = levels(X, (4, 3), still, loss=loss, output=output)

    def layer(name, x):
        return expit(x @ found[f"{name}.weight"].T + found[f"{name}.bias"])

    codes = layer("encoder0", X)
    z = layer("decoder1", layer("encoder1", codes))
    each = (codes - z) ** 2
    if loss == "cross_entropy":
        each = -(codes * np.log(z) + (1 - codes) * np.log(1 - z))
    assert second.training == pytest.approx([each.sum(axis=1).mean()], rel=1e-6)
