"""Saturated and dead units, and gradients that vanish."""

import numpy as np
import pytest

from gramian.textbook.networks import layer_diagnostics
from gramian.textbook.networks.backprop import Node, sigmoid, squared_error


def test_saturation_counts_both_ends():
    """E44: outputs near 0 or near 1."""
    [layer] = layer_diagnostics([[[0.01, 0.5, 0.99, 0.4]]], "sigmoid")
    assert layer.saturated == 0.5
    [layer] = layer_diagnostics([[[-0.99, 0.0, 0.95, 0.4]]], "tanh")
    assert layer.saturated == 0.5


def test_a_relu_is_dead_where_it_is_zero_for_every_row():
    [layer] = layer_diagnostics([[[0.0, 1.0], [0.0, 0.0]]], "relu")
    assert (layer.saturated, layer.dead) == (0.75, 0.5)


def test_a_map_is_one_unit():
    maps = np.zeros((2, 3, 3, 2))
    maps[0, 1, 1, 0] = 1.0
    [layer] = layer_diagnostics([maps], "relu")
    assert layer.dead == 0.5


def test_gradients_vanish_through_saturated_sigmoids(rng):
    """Each layer multiplies by s(1 - s) <= 1/4, and by next to nothing where it is saturated."""

    def norms(scale):
        weights = [Node(scale * rng.normal(size=(8, 8))) for _ in range(6)]
        x, outputs = Node(rng.normal(size=(20, 8))), []
        for w in weights:
            x = sigmoid(x @ w)
            outputs.append(x.value)
        squared_error(x, np.zeros((20, 8))).backward()
        return layer_diagnostics(outputs, "sigmoid", [w.gradient for w in weights])

    mild, strong = norms(0.3), norms(30.0)
    assert mild[0].gradient_norm < 1e-2 * mild[-1].gradient_norm
    assert max(layer.saturated for layer in mild) < 0.1
    assert min(layer.saturated for layer in strong) > 0.8


def test_gradients_explode_through_many_large_layers(rng):
    """Each layer is 3 times an orthogonal matrix, which makes what passes it 3 times as long."""
    X = rng.normal(size=(20, 8))
    matrices = [3 * np.linalg.qr(rng.normal(size=(8, 8)))[0] for _ in range(6)]

    def first_norm(depth):
        weights, y, outputs = [Node(w) for w in matrices[:depth]], Node(X), []
        for w in weights:
            y = y @ w
            outputs.append(y.value)
        squared_error(y, y.value - 1.0).backward()  # dE/dy is 1/n everywhere
        layers = layer_diagnostics(outputs, "identity", [w.gradient for w in weights])
        assert all(layer.saturated == layer.dead == 0 for layer in layers)
        return layers[0].gradient_norm

    for depth in (2, 4, 6):
        assert first_norm(depth) == pytest.approx(3 ** (depth - 1) * first_norm(1))


def test_bad_requests():
    with pytest.raises(ValueError, match="for each of the 1 layers"):
        layer_diagnostics([[[0.5]]], ["relu", "tanh"])
    with pytest.raises(ValueError, match="'softsign'"):
        layer_diagnostics([[[0.5]]], "softsign")


def test_the_names_of_the_estimators_are_known():
    values = [[0.99, 0.5], [0.98, 0.01]]
    ours, theirs = (layer_diagnostics([values], name)[0] for name in ("sigmoid", "logistic"))
    assert (ours.saturated, ours.dead) == (theirs.saturated, theirs.dead)


def test_no_rows_are_an_error():
    with pytest.raises(ValueError, match=r"at least one row; got shape \(0, 3\)"):
        layer_diagnostics([np.zeros((0, 3))], "relu")
