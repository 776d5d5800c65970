"""Native networks of convolutions, maxima and dense layers."""

import signal

import numpy as np
import pytest

from gramian import set_num_threads
from gramian.base.runtime.threads import get_num_threads
from gramian.neural_network import Conv, Dense, Dropout, Pool
from gramian.neural_network.convolution.native_network import NativeTraining, native_network
from gramian.neural_network.training.training import Settings

CASES = {
    "one channel": ((6, 7, 1), [Conv(3, 3), Pool(2)]),
    "zeros around": ((5, 8, 3), [Conv(17, (2, 3), padding="same", activation="identity"), Pool(2)]),
    "two stages": ((12, 11, 2), [Conv(5, 3), Pool(2), Conv(9, 2, padding="same"), Pool(2)]),
    "many filters": ((9, 9, 4), [Conv(33, 4), Pool(2)]),
}


def problem(name, output="softmax", n=13, dtype=np.float64):
    shape, stages = CASES[name]
    rng = np.random.default_rng(3)
    network = native_network([*stages, Dense(6, "tanh"), Dense(4, "identity")], shape, output)
    assert network is not None
    rows = rng.normal(size=(n, int(np.prod(shape)))).astype(dtype)
    targets = rng.integers(4, size=n) if output == "softmax" else rng.normal(size=(n, 4))
    vector = (0.3 * rng.normal(size=network.size)).astype(dtype)
    return network, rows, targets, vector


def loss(network, rows, targets, vector):
    """The mean loss of the rows, from the outputs of prediction."""
    out = network.outputs(vector, rows)
    if targets.ndim == 2:
        return 0.5 * float(np.mean((out - targets) ** 2))
    shifted = out - out.max(axis=1, keepdims=True)
    own = shifted[np.arange(len(out)), targets]
    return float(np.mean(np.log(np.exp(shifted).sum(axis=1)) - own))


def trained(network, rows, targets, vector, **settings):
    defaults = {"solver": "sgd", "learning_rate_init": 1e-3, "momentum": 0.0, "alpha": 0.0}
    settings = Settings(**{**defaults, "batch_size": len(rows), **settings})
    training = NativeTraining(network, settings, rows, targets, None, 0, vector.copy())
    first = training.run(1e-3, np.arange(len(rows)))[1]
    return training.parameters, first


@pytest.mark.parametrize("output", ["softmax", "squared"])
@pytest.mark.parametrize("name", CASES)
def test_a_step_goes_down_the_gradient(name, output):
    network, rows, targets, vector = problem(name, output)
    moved, first = trained(network, rows, targets, vector)
    gradient = (vector - moved) / 1e-3
    rng, h = np.random.default_rng(0), 1e-6
    assert first == pytest.approx(loss(network, rows, targets, vector), rel=1e-9)
    for k in rng.choice(network.size, size=40, replace=False):
        step = h * (np.arange(network.size) == k)
        up = loss(network, rows, targets, vector + step)
        down = loss(network, rows, targets, vector - step)
        assert gradient[k] == pytest.approx((up - down) / (2 * h), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_batches_of_any_size_give_the_same_bits_for_any_number_of_threads(name, dtype):
    network, rows, targets, vector = problem(name, n=150, dtype=dtype)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            parameters, _ = trained(network, rows, targets, vector, solver="adam", batch_size=64)
            found.append((parameters, network.outputs(parameters, rows)))
    finally:
        set_num_threads(before)
    for parameters, outputs in found:
        np.testing.assert_array_equal(parameters, found[0][0])
        np.testing.assert_array_equal(outputs, found[0][1])
        assert not np.array_equal(parameters, vector)


def test_dropout_leaves_units_out_in_training_only():
    shape, stages = CASES["one channel"]
    layers = [*stages, Dropout(0.5), Dense(6, "tanh"), Dense(4, "identity")]
    network = native_network(layers, shape, "softmax")
    plain, rows, targets, vector = problem("one channel")
    np.testing.assert_array_equal(network.outputs(vector, rows), plain.outputs(vector, rows))
    moved, first = trained(network, rows, targets, vector)
    assert first != pytest.approx(loss(plain, rows, targets, vector), rel=1e-6)
    assert not np.array_equal(moved, trained(plain, rows, targets, vector)[0])


@pytest.mark.parametrize("solver", ["sgd", "adam"])
def test_an_interrupted_epoch_changes_nothing(solver):
    """Neither the filters nor the dense layers, though many steps have been made."""
    network, rows, targets, vector = problem("many filters", n=3000)
    settings = Settings(solver=solver, learning_rate_init=1e-3, batch_size=10)
    training = NativeTraining(network, settings, rows, targets, None, 0, vector.copy())
    training.run(1e-3, np.arange(50))
    arrays = [training.parameters, training.first, training.second]
    before = [None if array is None else array.copy() for array in arrays]
    long = np.tile(np.arange(len(rows)), 1000)  # minutes, if nothing stopped it

    def press(*_):
        raise KeyboardInterrupt

    earlier = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            training.run(1e-3, long)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
    for array, was in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, was)
