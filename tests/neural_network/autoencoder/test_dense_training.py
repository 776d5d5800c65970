"""Levels as native perceptrons, against the same levels in NumPy."""

import numpy as np
import pytest

import gramian
from gramian.base.callbacks import Task
from gramian.neural_network import Autoencoder, DenoisingAutoencoder
from gramian.neural_network.autoencoder import greedy
from gramian.neural_network.autoencoder.dense_training import DenseTraining, native_output
from gramian.neural_network.autoencoder.greedy import AutoencoderSettings, train_levels
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.training.training import Settings

CROSS_ENTROPY = ("sigmoid", "cross_entropy")
LOSSES = [CROSS_ENTROPY, ("sigmoid", "squared_error"), ("identity", "squared_error")]


def trained(
    X, settings, activation="sigmoid", sizes=(4,), X_val=None, noise_level=0.0, loss=CROSS_ENTROPY
):
    task = Task.of(Autoencoder(), steps=None)
    coding = AutoencoderSettings(activation, *loss, False, "masking", noise_level)
    return train_levels(
        "Stack", X, sizes, coding, settings, 0, lambda _: task, lambda weights: weights, X_val
    )


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("solver", ["adam", "sgd"])
@pytest.mark.parametrize("activation", ["sigmoid", "tanh", "relu", "identity"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_weights_and_losses_match_numpy(monkeypatch, rng, solver, activation, dtype, loss):
    """The penalty, the factor of squared errors and changing rates included."""
    X, X_val = (rng.random((n, 7)).astype(dtype) for n in (40, 15))
    settings = Settings(
        solver=solver,
        batch_size=15,
        max_iter=12,
        learning_rate_init=0.02,
        learning_rate="cosine",
        alpha=0.01,
    )
    ours, history = trained(X, settings, activation, X_val=X_val, loss=loss)
    monkeypatch.setattr(greedy, "native_output", lambda *_: None)
    theirs, expected = trained(X, settings, activation, X_val=X_val, loss=loss)
    assert ours.keys() == theirs.keys()
    exact = 1e-10 if dtype == np.float64 else 1e-4
    tol = exact if solver == "sgd" else 1e-3  # Adam's epsilon is added at another place
    for name, w in theirs.items():
        assert ours[name].dtype == dtype
        np.testing.assert_allclose(ours[name], w, atol=tol)
    np.testing.assert_allclose(history[0].training, expected[0].training, rtol=1e-3)
    np.testing.assert_allclose(history[0].validation, expected[0].validation, rtol=1e-3)


def test_masked_inputs_are_hidden_and_the_clean_ones_rebuilt(rng):
    """AE-03: half of the copies of a bit can be hidden, and the others tell what it is."""
    bits = rng.integers(0, 2, size=(300, 3))
    X = np.repeat(bits, 6, axis=1).astype(np.float32)
    model = DenoisingAutoencoder(
        8, noise_level=0.5, loss="cross_entropy", learning_rate_init=0.02, random_state=0
    ).fit(X)
    hidden = X * (rng.random(X.shape) > 0.5)
    seen = np.repeat(hidden.reshape(300, 3, 6).max(axis=2), 6, axis=1) == X
    right = (model.reconstruct(hidden) > 0.5) == X
    assert right[seen].mean() > 0.95
    plain = Autoencoder(8, loss="cross_entropy", learning_rate_init=0.02, random_state=0).fit(X)
    assert right.mean() > ((plain.reconstruct(hidden) > 0.5) == X).mean() + 0.05


def test_masking_noise_does_not_scale_the_other_inputs():
    """Of 4000 ones 7 in 10 are left, so that their mean, the code, is 0.7 and not 1."""
    d, code = 4000, 0.7
    weights = {
        "encoder0.weight": np.full((1, d), 1 / d),
        "encoder0.bias": np.zeros(1),
        "decoder0.weight": np.full((d, 1), 2.0),
        "decoder0.bias": np.zeros(d),
    }
    rows, names = np.ones((20, d)), ("encoder0", "decoder0")
    level = DenseTraining(
        names,
        weights,
        "identity",
        "logistic",
        Examples(rows, None, rows),
        Settings(),
        0,
        noise_level=0.3,
    )
    loss, _ = level.epoch(1e-300)
    assert loss / d == pytest.approx(np.log1p(np.exp(-2 * code)), rel=0.02)


def test_the_same_bits_for_any_threads(rng):
    X, before, found = rng.random((700, 150)), gramian.get_num_threads(), []
    try:
        for threads in (1, 2, 3):
            gramian.set_num_threads(threads)
            settings = Settings(batch_size=350, max_iter=2)
            found.append(trained(X, settings, sizes=(80,), noise_level=0.3)[0])
    finally:
        gramian.set_num_threads(before)
    for other in found[1:]:
        for name, w in found[0].items():
            np.testing.assert_array_equal(other[name], w)


def test_what_native_code_can_train():
    plain = ("sigmoid", "cross_entropy", False)
    assert native_output(*plain, "masking", 0.3) == ("logistic", 1.0)
    assert native_output(*plain, "gaussian", 0.0) == ("logistic", 1.0)
    assert native_output("sigmoid", "squared_error", False, "masking", 0) == (
        "squared_logistic",
        2.0,
    )
    assert native_output(*plain, "gaussian", 0.3) is None
    assert native_output(*plain, lambda x, level, rng: x, 0.0) is None
    assert native_output("sigmoid", "cross_entropy", True, "masking", 0.3) is None
    assert native_output("tanh", "squared_error", False, "masking", 0.3) is None


def test_a_diverging_rate_is_an_error_with_advice(rng):
    settings = Settings(solver="sgd", learning_rate_init=1e9, batch_size=10)
    with pytest.raises(ValueError, match=r"^Stack: training diverges: .*lower learning_r"):
        trained(rng.random((60, 5)), settings, "relu")
