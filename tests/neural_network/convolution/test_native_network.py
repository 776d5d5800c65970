"""Networks of native code against the same layers in NumPy."""

import numpy as np
import pytest

from gramian import ConvClassifier, ConvRegressor, set_num_threads
from gramian.base.runtime.threads import get_num_threads
from gramian.neural_network import (
    Conv,
    Dense,
    Dropout,
    LeNet5,
    Pool,
)
from gramian.neural_network.convolution.forward import initial_weights
from gramian.neural_network.convolution.native_network import native_network

STAGES = [
    Conv(5, (3, 2), padding="same", activation="identity"),
    Pool(2),
    Conv(9, 2),
    Pool(2),
]
LAYERS = [*STAGES, Dense(7, "tanh"), Dense(6, "sigmoid"), Dense(8)]


def images(n, shape, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, *shape)).astype(dtype)


def by_layers(monkeypatch, model, *args, **kwargs):
    """Fit without the native network."""
    with monkeypatch.context() as patch:
        where = "gramian.neural_network.convolution.conv_estimator.native_network"
        patch.setattr(where, lambda *_: None)
        return model.fit(*args, **kwargs)


def assert_same_weights(a, b, tol):
    assert a.weights_.keys() == b.weights_.keys()
    for name, weight in a.weights_.items():
        np.testing.assert_allclose(weight, b.weights_[name], rtol=tol, atol=tol, err_msg=name)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "settings",
    [
        {"alpha": 0.1},
        {"solver": "sgd", "learning_rate_init": 0.01, "alpha": 0.1},
        {"solver": "sgd", "learning_rate": "cosine", "learning_rate_init": 0.05},
    ],
)
def test_the_steps_match_the_layers(monkeypatch, settings, weighted):
    X, rng = images(100, (11, 12, 3)), np.random.default_rng(1)
    y = rng.integers(3, size=100)
    w = rng.random(100) if weighted else None
    make = lambda: ConvClassifier(  # noqa: E731
        LAYERS, batch_size=13, max_iter=3, random_state=0, **settings
    )
    ours = make().fit(X, y, sample_weight=w)
    theirs = by_layers(monkeypatch, make(), X, y, sample_weight=w)
    assert_same_weights(ours, theirs, 1e-10)
    np.testing.assert_allclose(ours.loss_curve_, theirs.loss_curve_, rtol=1e-10)


@pytest.mark.parametrize("targets", [1, 2])
@pytest.mark.parametrize("layers", [STAGES[:2], [*STAGES, Dense(6, "relu")]])
def test_regression_learns_as_by_layers(monkeypatch, layers, targets):
    X, rng = images(60, (10, 9, 2)), np.random.default_rng(1)
    y, w = rng.normal(size=(60, targets)), rng.random(60)
    make = lambda: ConvRegressor(  # noqa: E731
        layers, batch_size=25, max_iter=4, random_state=0, alpha=0.01
    )
    ours = make().fit(X, y, sample_weight=w)
    theirs = by_layers(monkeypatch, make(), X, y, sample_weight=w)
    assert_same_weights(ours, theirs, 1e-10)
    np.testing.assert_allclose(ours.loss_curve_, theirs.loss_curve_, rtol=1e-10)


def test_batches_beyond_the_memory_of_one_part(monkeypatch):
    X, y = images(1100, (8, 8, 1)), np.arange(1100) % 2
    layers = [Conv(3, 3), Pool(2), Dense(4)]
    make = lambda: ConvClassifier(layers, batch_size=1100, max_iter=3, random_state=0)  # noqa: E731
    assert_same_weights(make().fit(X, y), by_layers(monkeypatch, make(), X, y), 1e-10)


def test_single_precision_learns_the_same(monkeypatch):
    X, y = images(200, (28, 28, 1), dtype=np.float32), np.arange(200) % 10
    make = lambda: LeNet5((28, 28, 1), max_iter=2, batch_size=64, random_state=0)  # noqa: E731
    ours, theirs = make().fit(X, y), by_layers(monkeypatch, make(), X, y)
    assert ours.weights_["layer0.weight"].dtype == np.float32
    assert_same_weights(ours, theirs, 1e-4)


@pytest.mark.parametrize("rows", [1, 8, 9, 300])
def test_outputs_match_the_module(rows):
    X, y = images(300, (11, 12, 3)), np.arange(300) % 4
    model = ConvClassifier(LAYERS, max_iter=1, random_state=0).fit(X, y)
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    module = model.to_torch()
    with torch.no_grad():
        wanted = module(torch.from_numpy(np.moveaxis(X[:rows], -1, 1).copy())).numpy()
    np.testing.assert_allclose(model.decision_function(X[:rows]), wanted, rtol=1e-10, atol=1e-12)


def test_the_threads_do_not_change_the_weights():
    X, y = images(90, (28, 28, 1), dtype=np.float32), np.arange(90) % 10
    layers = [Conv(6, 5), Pool(2), Dropout(0.2), Dense(50), Dropout(0.5), Dense(20)]
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            model = ConvClassifier(layers, max_iter=2, batch_size=37, random_state=0).fit(X, y)
            found.append((model, model.decision_function(X)))
    finally:
        set_num_threads(before)
    for model, outputs in found[1:]:
        np.testing.assert_array_equal(outputs, found[0][1])
        for name, weight in model.weights_.items():
            np.testing.assert_array_equal(weight, found[0][0].weights_[name])


def test_dropout_changes_training_but_not_prediction():
    X, y = images(80, (12, 12, 1)), np.arange(80) % 2
    plain = [Conv(4, 3), Pool(2), Dense(16)]
    dropped = [Conv(4, 3), Pool(2), Dropout(0.5), Dense(16), Dropout(0.5)]
    a = ConvClassifier(plain, max_iter=3, random_state=0).fit(X, y)
    b = ConvClassifier(dropped, max_iter=3, random_state=0).fit(X, y)
    assert a.loss_curve_ != b.loss_curve_
    np.testing.assert_array_equal(b.decision_function(X), b.decision_function(X))
    c = ConvClassifier(dropped, max_iter=3, random_state=0).fit(X, y)
    np.testing.assert_array_equal(b.decision_function(X), c.decision_function(X))


def test_weights_go_to_a_vector_and_back():
    layers, shape = [*LAYERS, Dense(3, "identity")], (11, 12, 3)
    native = native_network(layers, shape, "softmax")
    weights = initial_weights(layers, shape, 0, np.float64)
    vector = native.join(weights)
    assert vector.shape == (native.size,)
    found = native.split(vector)
    assert found.keys() == weights.keys()
    for name, weight in weights.items():
        np.testing.assert_array_equal(found[name], weight)


@pytest.mark.parametrize(
    "layers",
    [
        [Dense(3)],
        [Conv(4, 3), Dense(3)],
        [Conv(4, 3, activation="tanh"), Pool(2), Dense(3)],
        [Conv(4, 3), Pool(2, "average"), Dense(3)],
        [Conv(4, 3), Pool(2), Conv(4, 2), Dense(3)],
        [Conv(4, 3), Pool(2), Dropout(0.1), Dropout(0.1), Dense(3)],
    ],
)
def test_other_layers_are_computed_in_numpy(layers):
    assert native_network([*layers, Dense(2, "identity")], (12, 12, 1), "softmax") is None
    X, y = images(20, (12, 12, 1)), np.arange(20) % 2
    model = ConvClassifier(layers, max_iter=1, random_state=0).fit(X, y)
    assert model.decision_function(X).shape == (20,)
