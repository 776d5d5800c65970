"""Training by PyTorch makes the steps of the native trainer."""

import numpy as np
import pytest

from gramian import MLPClassifier
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Network
from gramian.neural_network.mlp.torch_descent import TorchDescent
from tests.neural_network.mlp.reference import one_epoch, random_rows, started

pytestmark = pytest.mark.numeric

NETWORKS = {
    "softmax": Network((5, 7, 3), ("tanh",), "softmax"),
    "two classes": Network((5, 9, 6, 1), ("logistic", "relu"), "logistic"),
    "counts": Network((3, 6, 2), ("tanh",), "poisson"),
    "sigmoid output": Network((3, 6, 2), ("identity",), "squared_logistic"),
    "batch norm": Network((5, 7, 6, 3), ("tanh", "relu"), "softmax", batch_norm=True),
}


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "rmsprop", "adam", "amsgrad"])
@pytest.mark.parametrize("name", NETWORKS)
def test_the_steps_match_the_native_trainer(name, optimizer):
    pytest.importorskip("torch")
    network = NETWORKS[name]
    rows = random_rows(network, 130)
    rates = tuple(1 + i for i in range(len(network.widths) - 1))
    mask = np.ones(network.size)
    network.split(mask).coefs[0][::2] = 0
    order, losses = np.arange(130, dtype=np.int32)[::-1].copy(), np.zeros((2, 130))
    steps = Steps(optimizer, alpha=0.3, layer_rates=rates, penalize_intercepts=True, batch_size=50)
    native = started(network, optimizer, mask=mask)
    other = TorchDescent.on("a test", started(network, optimizer, mask=mask), "cpu")
    for _ in range(2):
        one, two = (
            descent.epoch(steps, 0.01, rows, order, rows.weights, each)
            for descent, each in zip((native, other), losses, strict=True)
        )
        assert two.loss == pytest.approx(one.loss, rel=1e-8)
        assert two.gradient_norm == pytest.approx(one.gradient_norm, rel=1e-6)
        assert two.right == one.right
    np.testing.assert_allclose(other.parameters, native.parameters, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-6)
    assert (network.split(other.parameters).coefs[0][::2] == 0).all()
    assert other.t == native.t
    if network.batch_norm:
        np.testing.assert_allclose(other.variance, native.variance, rtol=1e-8)


def test_dropout_and_noise_are_drawn_from_the_seed():
    pytest.importorskip("torch")
    network = NETWORKS["softmax"]
    rows = random_rows(network, 60)
    found = []
    for seed in (1, 1, 2):
        steps = Steps("adam", dropout=(0.1, 0.5), noise=0.1, seed=seed)
        descent = TorchDescent.on("a test", started(network, "adam"), "cpu")
        one_epoch(descent, steps, rows)
        found.append(descent.parameters)
    np.testing.assert_array_equal(found[0], found[1])
    assert (found[0] != found[2]).any()


def test_inputs_are_left_out_and_noise_has_its_deviation():
    """Of one row of ones, the step of a weight is zero where its input is left out."""
    pytest.importorskip("torch")
    network = Network((4000, 1), (), "squared")
    rows = Examples(np.ones((1, 4000)), None, np.ones((1, 1)))

    def change(**settings):
        begun = Descent.begin(network, np.zeros(network.size), "sgd")
        descent = TorchDescent.on("a test", begun, "cpu")
        one_epoch(descent, Steps("sgd", momentum=0.0, nesterov=False, **settings), rows, rate=1.0)
        return network.split(descent.parameters).coefs[0][:, 0]

    plain, dropped, noisy = change(), change(dropout=(0.3,)), change(noise=0.5)
    np.testing.assert_allclose(plain, 1.0)
    assert (dropped == 0).mean() == pytest.approx(0.3, abs=0.04)  # 5 standard deviations
    np.testing.assert_allclose(dropped[dropped != 0], 1 / 0.7)
    assert (noisy - plain).std() == pytest.approx(0.5, rel=0.06)


def test_without_torch_or_a_gpu_the_error_says_what_to_do():
    with pytest.raises((ImportError, ValueError), match=r"gramian\[nn\]|finds no CUDA device"):
        MLPClassifier(device="cuda", max_iter=1).fit(np.eye(3), [0, 1, 0])
