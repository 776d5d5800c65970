"""Learning rates."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor as Theirs

from gramian import MLPRegressor
from gramian.neural_network.mlp.descent import Steps
from gramian.neural_network.mlp.network import Network
from gramian.neural_network.mlp.rate_search import searched_rate
from gramian.neural_network.mlp.row_sampler import RowSampler
from tests.neural_network.mlp.reference import random_rows, started


def test_the_searched_rate_learns_fastest_on_a_subsample():
    network = Network((4, 10, 1), ("tanh",), "squared")
    rows = random_rows(network, 400)
    descent = started(network, "sgd")
    found = searched_rate(descent, Steps("sgd"), rows, seed=0)
    np.testing.assert_array_equal(descent.parameters, started(network).parameters)

    def loss_after_three_epochs(rate):
        trial, sampler = started(network, "sgd"), RowSampler(rows, seed=0, shuffle=True)
        for epoch in range(3):
            order = sampler.order(epoch)
            done = trial.epoch(Steps("sgd"), rate, rows, order, rows.weights)
        return done.loss if done.finite else np.inf

    rates = 10 ** np.arange(-4.5, 0.5, 0.5)
    assert found == min(rates, key=loss_after_three_epochs)
    assert rates[0] < found < rates[-1]  # neither too small nor divergent


def test_auto_finds_a_rate_where_the_default_is_far_too_small():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 3))
    y = X @ [1.0, 2.0, 3.0]
    settings = {"hidden_layer_sizes": (), "solver": "sgd", "max_iter": 20, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        slow, found = (
            MLPRegressor(learning_rate_init=rate, **settings).fit(X, y) for rate in (1e-5, "auto")
        )
    assert found.learning_rate_init_ > 1e-3
    assert found.loss_ < 0.1 * slow.loss_


def test_partial_fit_keeps_the_rate_that_was_found_first():
    X = np.random.default_rng(0).normal(size=(300, 3))
    make = lambda: MLPRegressor(  # noqa: E731
        hidden_layer_sizes=(), solver="sgd", learning_rate_init="auto", random_state=0
    )
    model = make().partial_fit(10 * X, X[:, 0])
    found = model.learning_rate_init_
    assert make().partial_fit(X, X[:, 0]).learning_rate_init_ > found
    assert model.partial_fit(X, X[:, 0]).learning_rate_init_ == found


def test_partial_fit_counts_rows_and_epochs_on():
    """The rates are scikit-learn's: divided by the root of the rows seen, in all calls."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    scaled = MLPRegressor(hidden_layer_sizes=(2,), solver="sgd", learning_rate="invscaling")
    falling = MLPRegressor(hidden_layer_sizes=(2,), learning_rate=lambda epoch: 1 / (epoch + 1))
    cosine = MLPRegressor(hidden_layer_sizes=(2,), learning_rate="cosine", max_iter=2)
    for _ in range(4):
        for model in (scaled, falling, cosine):
            model.partial_fit(X, X[:, 0])
    rates = [model.history_["learning_rate"] for model in (scaled, falling, cosine)]
    np.testing.assert_allclose(rates[0], 0.001 / np.sqrt([1, 41, 81, 121]))
    np.testing.assert_allclose(rates[1], 0.001 / np.arange(1, 5))
    np.testing.assert_allclose(rates[2], 0.001)
    theirs = Theirs(hidden_layer_sizes=(2,), solver="sgd", learning_rate="invscaling")
    for rate in rates[0][1:]:
        assert theirs.partial_fit(X, X[:, 0])._optimizer.learning_rate == pytest.approx(rate)


@pytest.mark.parametrize("wrong", [np.nan, -1.0, np.inf, None])
def test_a_function_must_return_a_rate(wrong):
    model = MLPRegressor(hidden_layer_sizes=(2,), learning_rate=lambda _: wrong)
    with pytest.raises(ValueError, match="learning_rate must return a finite factor >= 0"):
        model.fit(np.eye(4), np.arange(4.0))
