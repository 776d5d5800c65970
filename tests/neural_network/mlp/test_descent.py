"""Gradients against finite differences, epochs against the obvious loop."""

import platform
from dataclasses import replace

import numpy as np
import pytest

import gramian
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Network
from gramian.objectives.derivatives import numeric_gradient
from tests.neural_network.mlp.reference import (
    loss_and_gradient,
    one_epoch,
    random_rows,
    started,
    targets,
)

pytestmark = pytest.mark.numeric

NETWORKS = {
    "softmax": Network((5, 7, 3), ("tanh",), "softmax"),
    "two classes": Network((5, 17, 9, 1), ("logistic", "tanh"), "logistic"),
    "several labels": Network((4, 6, 2), ("identity",), "logistic"),
    "linear": Network((3, 2), (), "squared"),
    "sigmoid output": Network((3, 6, 2), ("tanh",), "squared_logistic"),
    "counts": Network((3, 6, 2), ("tanh",), "poisson"),
    "relu": Network((4, 9, 8, 1), ("relu", "relu"), "squared"),
    "one unit": Network((5, 1, 9, 1, 3), ("logistic", "tanh", "identity"), "softmax"),
    "one sigmoid": Network((60, 1), (), "squared_logistic"),
    "one rate": Network((3, 1, 1), ("tanh",), "poisson"),
    "one normal unit": Network((4, 1, 3, 1), ("tanh", "logistic"), "logistic", batch_norm=True),
    "batch norm": Network((5, 7, 6, 3), ("tanh", "logistic"), "softmax", batch_norm=True),
}


def differences(descent, steps, rows):
    """The gradient by central differences."""
    value = lambda x: replace(descent, parameters=np.array(x)).gradient(steps, rows)[0]  # noqa: E731
    return numeric_gradient(value, descent.parameters)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("dropped", [False, True])
def test_every_gradient_agrees_with_finite_differences(name, dropped):
    """NE-03, T49: activations, losses, penalty, batch normalisation, dropout at fixed masks."""
    network = NETWORKS[name]
    rows = random_rows(network, 37)
    dropout = (0.2, *(0.5,) * (len(network.widths) - 2)) if dropped else ()
    steps = Steps("none", alpha=0.3, penalize_intercepts=True, dropout=dropout, seed=3)
    descent = started(network)
    _, gradient = descent.gradient(steps, rows)
    np.testing.assert_allclose(gradient, differences(descent, steps, rows), atol=2e-8)


def test_the_gradient_of_many_rows_is_summed_over_parts():
    network = NETWORKS["softmax"]
    rows = random_rows(network, 1700)
    value, gradient = started(network).gradient(Steps("none", alpha=0.5), rows)
    expected = loss_and_gradient(
        network, started(network).parameters, rows.X, targets(rows, 3), rows.weights, 0.5
    )
    assert value == pytest.approx(expected[0], rel=1e-12)
    np.testing.assert_allclose(gradient, expected[1], atol=1e-13)


@pytest.mark.parametrize("output", ["softmax", "logistic", "squared"])
def test_the_derivative_by_the_last_sums_is_z_minus_y(output):
    """NE-07: of softmax with cross-entropy, and alike of the other two, it is output - target."""
    network = Network((1, 3), (), output)
    rows = random_rows(network, 1, weighted=False)
    descent = started(network)
    gradient = network.split(descent.gradient(Steps("none"), rows)[1])
    expected = descent.outputs(rows.X)[0] - targets(rows, 3)[0]
    np.testing.assert_allclose(gradient.intercepts[0], expected, atol=1e-14)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_the_logistic_loss_of_many_outputs_is_a_sum_of_logarithms(dtype):
    """Those of untrained outputs are all log 2, and a product of so many numbers 2 is infinite."""
    network = Network((1, 5001), (), "logistic")
    rows = random_rows(network, 2, dtype=dtype, weighted=False)
    silent = Descent.begin(network, np.zeros(network.size, dtype), "none")
    assert silent.gradient(Steps("none"), rows)[0] == pytest.approx(5001 * np.log(2), rel=1e-6)
    sure = Descent.begin(network, np.full(network.size, 30, dtype), "none")
    ones = replace(rows, X=np.ones((2, 1), dtype), values=np.ones((2, 5001), dtype))
    assert sure.gradient(Steps("none"), ones)[0] < 1e-12


def updates(optimizer, g, w, memory, t, rate, steps):
    """One step of each method as the textbook writes it."""
    m, v, top = memory
    if optimizer == "sgd":
        m[:] = steps.momentum * m - rate * g
        return w + (steps.momentum * m - rate * g if steps.nesterov else m)
    if optimizer == "adagrad":
        v += g**2
        return w - rate * g / (np.sqrt(v) + steps.epsilon)
    v[:] = steps.beta_2 * v + (1 - steps.beta_2) * g**2
    if optimizer == "rmsprop":
        return w - rate * g / (np.sqrt(v) + steps.epsilon)
    m[:] = steps.beta_1 * m + (1 - steps.beta_1) * g
    top[:] = np.maximum(top, v) if optimizer == "amsgrad" else v
    rate = rate * np.sqrt(1 - steps.beta_2**t) / (1 - steps.beta_1**t)
    return w - rate * m / (np.sqrt(top) + steps.epsilon)


@pytest.mark.parametrize("nesterov", [False, True])
@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "rmsprop", "adam", "amsgrad"])
@pytest.mark.parametrize("outputs", [1, 4])
def test_an_epoch_makes_the_steps_of_the_textbook(optimizer, nesterov, outputs):
    """NE-10, NE-20: mini-batches, and every optimiser, on two hidden layers."""
    network = Network(
        (20, 33, 53, outputs), ("relu", "logistic"), "logistic" if outputs == 1 else "softmax"
    )
    rows = random_rows(network, 230)
    steps = Steps(optimizer, alpha=0.7, batch_size=50, nesterov=nesterov)
    native = started(network, optimizer)
    w, memory, losses = native.parameters.copy(), np.zeros((3, network.size)), []
    Y = targets(rows, outputs)
    for epoch in range(2):
        done = one_epoch(native, steps, rows, rate=0.02)
        losses.clear()
        for t, first in enumerate(range(0, 230, 50)):
            at = slice(first, first + 50)
            value, g = loss_and_gradient(network, w, rows.X[at], Y[at], rows.weights[at], 0.7)
            losses.append(value * rows.weights[at].sum())
            w = updates(optimizer, g, w, memory, 5 * epoch + t + 1, 0.02, steps)
    np.testing.assert_allclose(native.parameters, w, rtol=1e-6, atol=1e-8)  # small v amplify
    assert done.loss == pytest.approx(sum(losses) / rows.weights.sum(), rel=1e-10)
    assert native.t == 10


def test_per_layer_rates_scale_the_steps_of_their_layer():
    """NE-21."""
    network = NETWORKS["softmax"]
    rows = random_rows(network, 30)
    moves = []
    for rates in ((1.0, 1.0), (3.0, 0.5)):
        steps = Steps("sgd", momentum=0.0, layer_rates=rates, batch_size=30)
        descent = started(network, "sgd")
        before = descent.parameters.copy()
        one_epoch(descent, steps, rows)
        moves.append(network.split(descent.parameters - before))
    for layer, factor in enumerate((3.0, 0.5)):
        np.testing.assert_allclose(
            moves[1].coefs[layer], factor * moves[0].coefs[layer], rtol=1e-9, atol=1e-14
        )


def test_weight_decay_shrinks_weights_and_intercepts_only_if_asked():
    """NE-17: the gradient of alpha |w|^2 / 2 is alpha w."""
    network = NETWORKS["linear"]
    rows = random_rows(network, 10, weighted=False)
    descent = started(network)
    plain = descent.gradient(Steps("none"), rows)[1]
    decayed = network.split(descent.gradient(Steps("none", alpha=2.0), rows)[1] - plain)
    layers = network.split(descent.parameters)
    np.testing.assert_allclose(decayed.coefs[0], 2.0 / 10 * layers.coefs[0], atol=1e-14)
    np.testing.assert_allclose(decayed.intercepts[0], 0, atol=1e-14)
    both = descent.gradient(Steps("none", alpha=2.0, penalize_intercepts=True), rows)[1] - plain
    np.testing.assert_allclose(both, 0.2 * descent.parameters, atol=1e-14)


def test_masked_weights_do_not_exist():
    """NE-32: a 0/1 mask multiplies the weights and their gradient."""
    network = NETWORKS["softmax"]
    mask = np.ones(network.size)
    network.split(mask).coefs[0][::2] = 0
    rows = random_rows(network, 60)
    descent = started(network, "adam", mask=mask)
    for _ in range(3):
        one_epoch(descent, Steps("adam", alpha=0.1, batch_size=7), rows)
    layers = network.split(descent.parameters)
    assert (layers.coefs[0][::2] == 0).all()
    assert (layers.coefs[0][1::2] != 0).all()


def test_dropout_drops_the_given_fraction_and_keeps_the_mean():
    """NE-18, T29: a unit is off with p = 0.5; what remains is doubled, so sums keep their mean."""
    network = Network((1, 4000, 1), ("identity",), "squared")
    descent = started(network)
    layers = network.split(descent.parameters)
    layers.coefs[0][...], layers.intercepts[0][...] = 0, 1
    layers.coefs[1][...], layers.intercepts[1][...] = 1 / 4000, 0
    rows = random_rows(network, 1, weighted=False)
    steps = Steps("none", dropout=(0.0, 0.5), seed=1)
    gradient = network.split(descent.gradient(steps, rows)[1]).coefs[1][:, 0]
    kept = gradient != 0
    assert abs(kept.mean() - 0.5) < 0.04  # 5 standard deviations
    error = gradient[kept][0] / 2  # the derivative by the output: output - target
    assert abs(error + rows.values[0, 0] - 1.0) < 0.08
    again = network.split(descent.gradient(replace(steps, seed=2), rows)[1]).coefs[1][:, 0]
    assert ((again != 0) != kept).any()


@pytest.mark.parametrize(("scales", "mean"), [(True, 1.0), (False, 0.7)])
def test_inputs_that_are_kept_are_scaled_or_not(scales, mean):
    """AE-03: masking noise only sets numbers to 0."""
    network = Network((4000, 1), (), "squared")
    vector = np.append(np.full(4000, 1 / 4000), 0.0)
    ones = Examples(np.ones((1, 4000)), None, np.zeros((1, 1)))
    steps = Steps("none", dropout=(0.3,), scales_inputs=scales)
    gradient = network.split(Descent.begin(network, vector, "none").gradient(steps, ones)[1])
    assert gradient.intercepts[0][0] == pytest.approx(mean, abs=0.05)  # the output


def philox(seed, stream, counter):
    """The four words of a block of Philox4x32-10 (Salmon and others 2011)."""
    low = 2**32 - 1
    c, key = [counter & low, counter >> 32, stream & low, stream >> 32], [seed & low, seed >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ key[0], b & low, a >> 32 ^ c[3] ^ key[1], a & low]
        key = [(key[0] + 0x9E3779B9) & low, (key[1] + 0xBB67AE85) & low]
    return c


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("width", [5, 64, 150])
def test_masks_are_the_numbers_of_the_generator(width, dtype):
    """An input of row i is kept if its own 16 bits are not below p 2^16, for any registers."""
    network, seed = Network((width, 1), (), "squared"), 7 + 2**40
    descent = Descent.begin(network, np.zeros(network.size, dtype), "none")
    targets, weights = np.ones((3, 1), dtype), np.array([0.0, 0.0, 1.0])  # only the last row counts
    rows = Examples(np.ones((3, width), dtype), None, targets, weights=weights)
    steps = Steps("none", dropout=(0.3,), seed=seed)
    gradient = network.split(descent.gradient(steps, rows)[1]).coefs[0][:, 0]
    blocks = -(-width // 8)
    words = np.array([philox(seed, 0, 2 * blocks + k) for k in range(blocks)], dtype="<u4")
    drawn = words.view("<u2").ravel()[:width]
    np.testing.assert_array_equal(gradient != 0, drawn >= round(0.3 * 2**16))


@pytest.mark.parametrize("outputs", [1, 50])
def test_gradient_noise_has_its_deviation_and_decays(outputs):
    """NE-16: g <- g + N(0, s^2), s falling as (1 + t)^-decay."""
    network = Network((60, outputs), (), "squared")
    rows = random_rows(network, 5)
    steps = Steps("sgd", momentum=0.0, nesterov=False, batch_size=5)
    quiet, noisy = started(network, "sgd"), started(network, "sgd")
    deviations = []
    for _ in range(4):
        quiet.parameters[:] = noisy.parameters
        one_epoch(quiet, steps, rows, rate=1e-3)
        one_epoch(noisy, replace(steps, noise=0.5, noise_decay=1.0), rows, rate=1e-3)
        deviations.append(np.std(noisy.parameters - quiet.parameters) / 1e-3)
    tol = 5 / np.sqrt(2 * network.size)  # 5 standard deviations
    np.testing.assert_allclose(deviations, 0.5 / np.arange(1, 5), rtol=tol)


def test_batch_normalisation_standardises_a_batch_and_keeps_running_averages():
    """NE-19: in training by the batch; in prediction by averages, so the batch has no effect."""
    network = Network((3, 5, 1), ("identity",), "squared", batch_norm=True)
    descent = started(network, "sgd")
    rows = random_rows(network, 64, weighted=False)
    layers = network.split(descent.parameters.copy())
    z = rows.X @ layers.coefs[0] + layers.intercepts[0]
    one_epoch(descent, Steps("sgd", batch_size=64), rows, rate=0.0)
    np.testing.assert_allclose(descent.mean, 0.1 * z.mean(axis=0), atol=1e-14)
    np.testing.assert_allclose(descent.variance, 0.9 + 0.1 * z.var(axis=0, ddof=1), rtol=1e-12)
    whole = descent.outputs(rows.X)
    np.testing.assert_array_equal(descent.outputs(rows.X[:20]), whole[:20])


def test_a_weight_is_a_number_of_rows_also_for_batch_normalisation():
    network = NETWORKS["batch norm"]
    rows = random_rows(network, 20)
    k = np.random.default_rng(0).integers(0, 4, 20)
    repeated = replace(rows.take(np.repeat(np.arange(20), k)), weights=None)
    weighted = replace(rows, weights=k.astype(float))
    one, other = (
        started(network).gradient(Steps("none", alpha=0.2), data) for data in (weighted, repeated)
    )
    assert one[0] == pytest.approx(other[0], rel=1e-12)
    np.testing.assert_allclose(one[1], other[1], atol=1e-13)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("outputs", [1, 5])
def test_epochs_have_the_same_bits_for_any_threads(dtype, batch_norm, outputs):
    output = "logistic" if outputs == 1 else "softmax"
    network = Network((130, 70, 40, outputs), ("relu", "tanh"), output, batch_norm)
    rows = random_rows(network, 1300, dtype=dtype)
    steps = Steps("adam", alpha=0.1, dropout=(0.1, 0.5, 0.2), noise=0.01, batch_size=600)
    found = []
    before = gramian.get_num_threads()
    try:
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            descent = started(network, "adam", dtype)
            done = [one_epoch(descent, steps, rows) for _ in range(2)]
            found.append((descent.parameters, done))
    finally:
        gramian.set_num_threads(before)
    for parameters, done in found[1:]:
        np.testing.assert_array_equal(parameters, found[0][0])
        assert done == found[0][1]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("dropout", [(), (0.0, 0.0, 0.5)])
def test_wide_first_layers_have_the_same_bits_for_any_threads(dtype, dropout):
    network = Network((500, 291, 20, 3), ("relu", "tanh"), "softmax")
    rows = random_rows(network, 650, dtype=dtype)
    steps = Steps("adam", alpha=0.1, dropout=dropout, noise=0.01, batch_size=600)
    found = []
    before = gramian.get_num_threads()
    try:
        for threads in (1, 2, 3, 5):
            gramian.set_num_threads(threads)
            descent = started(network, "adam", dtype)
            done = [one_epoch(descent, steps, rows, rate=1e-3) for _ in range(2)]
            found.append((descent.parameters, done))
    finally:
        gramian.set_num_threads(before)
    for parameters, done in found[1:]:
        np.testing.assert_array_equal(parameters, found[0][0])
        assert done == found[0][1]


def test_single_precision_follows_double():
    network = NETWORKS["relu"]
    one, other = started(network, "adam"), started(network, "adam", np.float32)
    for _ in range(5):
        one_epoch(one, Steps("adam"), random_rows(network, 300))
        one_epoch(other, Steps("adam"), random_rows(network, 300, dtype=np.float32))
    np.testing.assert_allclose(other.parameters, one.parameters, atol=2e-3)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_lies_beyond_the_inputs_of_a_single_output_is_never_learned(dtype):
    """The 50 units below fill no whole registers, and sigma(0) is not 0 there."""
    network = Network((3, 50, 1), ("logistic",), "logistic")
    rows, steps = random_rows(network, 90, dtype=dtype), Steps("adam", batch_size=30)
    once, often = started(network, "adam", dtype), started(network, "adam", dtype)
    order = np.arange(90, dtype=np.int32)
    once.epoch(steps, 0.05, rows, np.tile(order, 20), rows.weights)
    for _ in range(20):  # each epoch begins with zeros there
        often.epoch(steps, 0.05, rows, order, rows.weights)
    np.testing.assert_array_equal(once.parameters, often.parameters)


def test_a_batch_without_weight_makes_no_step():
    network = NETWORKS["linear"]
    rows = random_rows(network, 20)
    descent = started(network, "adam")
    order = np.arange(20, dtype=np.int32)
    weights = np.repeat([0.0, 1.0], 10)
    descent.epoch(Steps("adam", batch_size=10), 0.1, rows, order, weights)
    assert descent.t == 1
    assert np.isfinite(descent.parameters).all()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="no switch for it")
def test_dead_units_leave_no_numbers_too_small_to_be_normal():
    """Their moments would otherwise stay subnormal for ever, at a hundred times the cost."""
    network = Network((3, 8, 1), ("relu",), "squared")
    descent = Descent.begin(network, np.zeros(network.size, np.float32), "adam")
    descent.moments["first"][:] = 1e-37
    rows = random_rows(network, 40, dtype=np.float32)
    for _ in range(60):
        one_epoch(descent, Steps("adam", batch_size=20), rows, rate=0.0)
    first = np.abs(network.split(descent.moments["first"]).coefs[0])
    assert (first == 0).all()


def test_wrong_arrays_are_refused():
    network = NETWORKS["softmax"]
    rows = random_rows(network, 10)
    descent = started(network, "adam")
    for wrong in (
        replace(rows, codes=np.full(10, 3, np.int32)),
        replace(rows, X=rows.X[:, :4].copy()),
        replace(rows, codes=rows.codes[:5]),
        replace(rows, X=rows.X.astype(np.float32)),
    ):
        with pytest.raises(ValueError, match=r"per row|per column|codes|the type of"):
            one_epoch(descent, Steps("adam"), wrong)
    with pytest.raises(ValueError, match="row numbers"):
        descent.epoch(Steps("adam"), 0.1, rows, np.array([10], np.int32), None)
