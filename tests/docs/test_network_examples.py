"""The examples of networks run, and what their texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


@pytest.mark.slow
def test_networks_by_hand():
    found = run("plot_networks_by_hand")
    assert ((found["learned"] > 0.5).ravel() == [False, True, True, False]).all()
    t, truth = found["t"], found["f"](found["t"])
    errors = {name: np.abs(curve - truth).max() for name, curve in found["units"].items()}
    assert errors["12 ReLUs"] < errors["12 steps"] < 1
    near = t < 0.3
    taylor = found["series"]["Taylor, degree 4, at 0"]
    assert np.abs(taylor - truth)[near].max() < 0.02
    free, decayed = found["networks"]
    assert free.score(found["X"], found["y"]) == 1.0  # every one of the noisy points
    sizes = [sum((coef**2).sum() for coef in model.coefs_) for model in (free, decayed)]
    assert sizes[1] < sizes[0] / 10


@pytest.mark.slow
def test_double_descent_of_networks_and_trees():
    """LT-28: the test error rises until the model interpolates, and falls again."""
    found = run("plot_double_descent")
    train, test = found["nets"].T
    peak = test.argmax()
    assert 0 < peak < len(test) - 1
    assert train[peak + 1 :].max() < 1e-3
    assert test[-1] < 0.6 * test[peak]
    train, test = found["trees"][len(found["leaves"]) - 1 :].T
    assert train.max() < 1e-6
    assert test[-1] < 0.5 * test[0]


@pytest.mark.slow
def test_what_a_convolutional_network_sees():
    found = run("plot_lenet_digits")
    assert found["model"].score(found["X_test"], found["y_test"]) > 0.95
    assert found["shift_invariance"](found["pixel"]) == 3 / 8
    assert found["found"]["class"] > 3 / 8


@pytest.mark.slow
def test_autoencoders():
    found = run("plot_autoencoders")
    errors = found["errors"]
    assert all(np.diff(errors["autoencoder"]) < 0)
    noisy = found["model"].reconstruct(found["X_new"])
    assert ((noisy - found["X_new"]) ** 2).mean() < found["X_new"].var() / 2
