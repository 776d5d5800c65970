"""Sizes of initial weights."""

import numpy as np
import pytest

from gramian import MLPClassifier, MLPRegressor
from gramian.neural_network.mlp.initialization import initial_parameters
from gramian.neural_network.mlp.network import Network

pytestmark = pytest.mark.numeric

VARIANCES = {"lecun": 1 / 300, "xavier": 2 / 500, "he": 2 / 300, "small": 1e-4, "zeros": 0.0}


@pytest.mark.parametrize("init", VARIANCES)
def test_the_variance_follows_the_rule(init):
    """NE-11, NE-12, E45: 1/n_in is LeCun's rule, 2/(n_in + n_out) Xavier's, 2/n_in He's."""
    network = Network((300, 200, 1), ("relu",), "squared")
    layers = network.split(initial_parameters(network, init, np.random.default_rng(0), float))
    assert layers.coefs[0].var() == pytest.approx(VARIANCES[init], rel=0.03)
    assert not any(intercept.any() for intercept in layers.intercepts)


@pytest.mark.parametrize(("activation", "factor"), [("relu", 6), ("logistic", 2)])
def test_glorot_is_the_uniform_initialization_of_scikit_learn(activation, factor):
    network = Network((300, 200, 1), (activation,), "squared")
    layers = network.split(initial_parameters(network, "glorot", np.random.default_rng(0), float))
    bound = np.sqrt(factor / 500)
    assert np.abs(layers.coefs[0]).max() == pytest.approx(bound, rel=1e-3)
    assert layers.coefs[0].std() == pytest.approx(bound / np.sqrt(3), rel=0.01)
    assert layers.intercepts[0].any()


def test_units_that_start_equal_stay_equal():
    """NE-13: symmetry is never broken; with logistic units the weights do move."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3))
    model = MLPRegressor(
        hidden_layer_sizes=(6,),
        activation="logistic",
        init="zeros",
        solver="sgd",
        learning_rate_init=0.1,
        max_iter=50,
        random_state=0,
    )
    with pytest.warns(match="not converged"):
        model.fit(X, X[:, 0] ** 2)
    assert model.coefs_[1].any()
    for coefs in (model.coefs_[0], model.coefs_[1].T):
        np.testing.assert_allclose(coefs, np.repeat(coefs[:, :1], 6, axis=1), rtol=1e-12)


def test_units_with_a_random_start_differ():
    X = np.random.default_rng(0).normal(size=(100, 3))
    model = MLPClassifier((6,), init="small", solver="lbfgs", random_state=0)
    model.fit(X, X[:, 0] * X[:, 1] > 0)
    assert np.linalg.matrix_rank(model.coefs_[0]) == 3
