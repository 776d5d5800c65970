"""Levels are trained one after the other."""

import numpy as np
import pytest

from gramian.base.callbacks import Task
from gramian.neural_network import StackedDenoisingAutoencoder
from gramian.neural_network.autoencoder.greedy import Coding, train_levels
from gramian.neural_network.torch_training.training import Settings

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def levels(X, sizes, **coding):
    task = Task.of(StackedDenoisingAutoencoder(), steps=None)
    given = {"activation": "sigmoid", "output": "identity", "loss": "squared_error", "tied": False}
    return train_levels(
        "Stack",
        X,
        sizes,
        Coding(**{**given, **coding}),
        Settings(batch_size=20, max_iter=5),
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
    assert [len(history.losses) for history in histories] == [5, 5]


def test_levels_above_the_first_reconstruct_codes():
    coding = Coding("sigmoid", "identity", "squared_error", False)
    assert coding.of_level(0) == ("identity", "squared_error")
    assert coding.of_level(1) == ("sigmoid", "squared_error")
    bits = Coding("sigmoid", "sigmoid", "cross_entropy", False)
    assert bits.of_level(1) == ("sigmoid", "cross_entropy")
    assert Coding("tanh", "sigmoid", "cross_entropy", False).of_level(1) == (
        "tanh",
        "squared_error",
    )


def test_the_second_level_is_an_autoencoder_of_the_codes(rng):
    X = rng.random((60, 6))
    found, _ = levels(X, (4, 3))
    codes = 1 / (1 + np.exp(-(X @ found["encoder0.weight"].T + found["encoder0.bias"])))
    alone, _ = levels(codes, (3,), output="sigmoid")
    assert alone["encoder0.weight"].shape == found["encoder1.weight"].shape
