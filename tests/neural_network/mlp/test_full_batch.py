"""Second-order and conjugate-gradient training."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from gramian import MLPClassifier, MLPRegressor
from gramian.linear_model import LogisticRegression
from gramian.neural_network.mlp.descent import Steps
from gramian.neural_network.mlp.full_batch import NetworkProblem
from gramian.neural_network.mlp.network import Network
from gramian.objectives.derivatives import numeric_hessian
from tests.neural_network.mlp.reference import random_rows, started

pytestmark = pytest.mark.numeric


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["lbfgs", "conjugate", "newton"])
def test_every_solver_finds_a_stationary_point(solver):
    """NE-26: the weights as one vector, minimised by `gramian.solvers`."""
    X = np.linspace(-3, 3, 60)[:, None]
    model = MLPRegressor(
        hidden_layer_sizes=(5,),
        activation="tanh",
        solver=solver,
        alpha=0.01,
        tol=1e-5,
        max_iter=2000,
        random_state=0,
    ).fit(X, np.sin(X[:, 0]))
    assert model.history_["gradient_norm"][-1] < 2e-3
    assert model.score(X, np.sin(X[:, 0])) > 0.97
    assert model.loss_curve_[-1] <= model.loss_curve_[0]


def test_without_hidden_layers_it_is_logistic_regression():
    """NE-31: K linear outputs and their softmax, the penalty alpha = 1 / C."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    X = rng.normal(size=(200, 4)) + np.eye(3, 4)[y]
    net = MLPClassifier((), solver="lbfgs", alpha=0.5, tol=1e-9, max_iter=2000, random_state=0)
    line = LogisticRegression(C=2.0, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(net.fit(X, y).predict_proba(X), line.predict_proba(X), atol=1e-5)


def test_the_hessian_agrees_with_the_loss():
    network = Network((2, 3, 1), ("tanh",), "squared")
    rows = random_rows(network, 20)
    problem = NetworkProblem(started(network), Steps("none", alpha=0.1), rows)
    x = started(network).parameters
    value, gradient, H = problem.second_order(x)
    assert value == problem.value(x)
    np.testing.assert_array_equal(gradient, problem.gradient(x))
    np.testing.assert_allclose(H, numeric_hessian(problem.value, x), atol=1e-5)
    assert "rows" in problem.lacking()


def test_limits_and_conflicts_are_named():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    with pytest.raises(ValueError, match="at most 3000 parameters"):
        MLPClassifier((1000,), solver="newton").fit(X, y)
    for wrong in ({"dropout": 0.5}, {"batch_norm": True}, {"emphasis": "loss"}):
        with pytest.raises(ValueError, match="needs a stochastic solver"):
            MLPClassifier(solver="lbfgs", **wrong).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        assert MLPClassifier((5,), solver="lbfgs", max_iter=2).fit(X, y).n_iter_ == 2
    few = MLPClassifier((5,), solver="lbfgs", max_fun=4, random_state=0)
    with pytest.warns(ConvergenceWarning, match="stopped after max_fun evaluations"):
        assert few.fit(X, y).n_iter_ <= 4


@pytest.mark.parametrize("solver", ["lbfgs", "conjugate", "newton"])
def test_masked_weights_stay_zero_and_the_others_are_fitted(solver):
    """NE-32: a step of Newton's is not led into weights that do not exist."""
    X = np.random.default_rng(0).normal(size=(60, 4))
    mask = np.ones((4, 6))
    mask[::2, ::2] = 0
    settings = {"hidden_layer_sizes": (6,), "activation": "tanh", "alpha": 0.01, "max_iter": 500}
    model = MLPRegressor(solver=solver, masks=[mask, None], random_state=0, **settings)
    model.fit(X, np.tanh(X[:, 0] - X[:, 1]))
    assert (model.coefs_[0][mask == 0] == 0).all()
    assert (model.coefs_[0][mask == 1] != 0).all()
    assert model.history_["gradient_norm"][-1] < 1e-2
    assert model.score(X, np.tanh(X[:, 0] - X[:, 1])) > 0.99


@pytest.mark.parametrize("solver", ["lbfgs", "conjugate", "newton"])
@pytest.mark.parametrize("max_iter", [1, 3, 500])
def test_the_curve_has_every_iteration_and_ends_at_the_loss(solver, max_iter):
    X = np.linspace(-1, 1, 30)[:, None]
    model = MLPRegressor(hidden_layer_sizes=(3,), solver=solver, max_iter=max_iter, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, X[:, 0] ** 2)
    assert len(model.loss_curve_) == len(model.history_["gradient_norm"]) == model.n_iter_
    assert model.loss_curve_[-1] == model.loss_ == model.best_loss_


def test_a_hessian_does_not_use_up_the_evaluations():
    network = Network((3, 2, 1), ("tanh",), "squared")
    descent = started(network)
    problem = NetworkProblem(descent, Steps("none"), random_rows(network, 20), max_fun=1)
    assert problem.second_order(descent.parameters)[2].shape == (11, 11)


def test_single_precision_input_gives_single_precision_weights():
    X = np.linspace(-1, 1, 40, dtype=np.float32)[:, None]
    model = MLPRegressor(hidden_layer_sizes=(4,), solver="lbfgs", random_state=0)
    model.fit(X, X[:, 0])
    assert model.coefs_[0].dtype == np.float32 == model.predict(X).dtype
