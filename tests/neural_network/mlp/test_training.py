"""Stopping, histories, divergence."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import log_loss

from gramian import EarlyStopping, MLPClassifier, MLPRegressor, TimeBudget
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.mlp.training import mean_loss

pytestmark = pytest.mark.numeric


def digits():
    X, y = load_digits(return_X_y=True)
    return (X / 16)[:600], y[:600]


def test_the_history_has_the_curves_of_training_and_validation():
    """NE-28: cost and error of both, per epoch."""
    X, y = digits()
    model = MLPClassifier((20,), max_iter=8, random_state=0, learning_rate_init=0.01)
    with pytest.warns(ConvergenceWarning, match="still improves after max_iter=8"):
        model.fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:])
    assert set(model.history_) == {
        "loss",
        "error",
        "learning_rate",
        "gradient_norm",
        "validation_loss",
        "validation_score",
    }
    assert all(len(curve) == model.n_iter_ == 8 for curve in model.history_.values())
    assert model.loss_curve_ == model.history_["loss"]
    assert model.validation_scores_ == model.history_["validation_score"]
    assert model.best_validation_score_ == max(model.validation_scores_)
    assert model.best_loss_ is None
    assert model.history_["error"][-1] < model.history_["error"][0]
    assert model.score(X[400:], y[400:]) == pytest.approx(model.best_validation_score_)


def test_early_stopping_ends_after_the_patience():
    X, y = digits()
    model = MLPClassifier(
        (30,), early_stopping=True, n_iter_no_change=3, learning_rate_init=0.02, random_state=1
    ).fit(X, y)
    scores = model.validation_scores_
    assert model.n_iter_ < 200
    stalled = [s < max(scores[:i]) + 1e-4 for i, s in enumerate(scores) if i > 0]
    assert all(stalled[-4:])


def test_the_weights_of_the_best_validation_score_are_kept():
    """Their labels are wrong, so that each epoch lowers their score."""
    X, y = digits()
    model = MLPClassifier((20,), n_iter_no_change=8, learning_rate_init=0.02, random_state=0)
    model.fit(X, y == 0, X_val=X, y_val=y != 0)
    assert model.validation_scores_[-1] < model.best_validation_score_
    assert model.score(X, y != 0) == pytest.approx(model.best_validation_score_)


def test_an_adaptive_rate_falls_where_training_no_longer_improves():
    """With a `tol` that no epoch reaches, by 5 after every two epochs, down to 1e-6."""
    X, y = digits()
    settings = {"solver": "sgd", "tol": 1e9, "n_iter_no_change": 1, "random_state": 0}
    model = MLPClassifier((5,), learning_rate="adaptive", learning_rate_init=0.1, **settings)
    rates = np.array(model.fit(X, y).history_["learning_rate"])
    np.testing.assert_allclose(rates[1:], 0.1 / 5.0 ** (np.arange(len(rates) - 1) // 2))
    assert rates[-1] <= 1e-6 < rates[-3]


def test_inverse_scaling_counts_the_rows_presented():
    X, y = digits()
    model = MLPClassifier((5,), solver="sgd", learning_rate="invscaling", max_iter=4)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    expected = 0.001 / np.sqrt(600 * np.arange(4) + 1)
    np.testing.assert_allclose(model.history_["learning_rate"], expected)


def test_without_improvement_of_the_loss_training_ends():
    X, y = digits()
    model = MLPClassifier((10,), tol=0.5, n_iter_no_change=2, random_state=0).fit(X, y)
    assert model.n_iter_ < 20
    assert model.best_loss_ == min(model.loss_curve_)


def test_a_diverging_rate_stops_with_advice_and_keeps_the_best_epoch():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    model = MLPRegressor(
        hidden_layer_sizes=(), solver="sgd", learning_rate_init=1.7, momentum=0.9, random_state=0
    )
    with pytest.warns(ConvergenceWarning, match="lower learning_rate_init.*best epoch are kept"):
        model.fit(X, X[:, 0])
    assert model.n_iter_ < 50
    kept = ((X[:, 0] - model.predict(X)) ** 2).mean() / 2
    assert kept < 100 * model.loss_curve_[0]  # 1000 times it, and more, made training stop


@pytest.mark.parametrize("kind", [MLPClassifier, MLPRegressor])
@pytest.mark.filterwarnings("ignore:.*not converged")
def test_rows_to_stop_by_count_by_their_weights(kind):
    X, y = digits()
    y = (y > 4).astype(float)
    w = np.where(np.arange(200) < 20, 50.0, 1.0)
    model = kind(hidden_layer_sizes=(5,), max_iter=4, random_state=0)
    model.fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:], sample_weight_val=w)
    weighted = model.score(X[400:], y[400:], sample_weight=w)
    assert model.best_validation_score_ == pytest.approx(weighted, rel=1e-6)
    assert model.score(X[400:], y[400:]) != pytest.approx(weighted, rel=1e-3)


def test_a_loss_that_is_never_finite_is_an_error():
    X = np.full((30, 3), 1e30, dtype=np.float32)
    with pytest.raises(ValueError, match="not finite in the first epoch; lower learning_rate_init"):
        MLPRegressor(solver="sgd", random_state=0).fit(X, np.arange(30.0))


@pytest.mark.parametrize("rate", [20.0, 1e3])
def test_a_loss_that_explodes_at_once_is_an_error(rate):
    """It must be less than a thousand times that of the first batch, not of the first epoch."""
    X, y = digits()
    model = MLPClassifier((20,), solver="sgd", learning_rate_init=rate, random_state=0)
    with pytest.raises(ValueError, match="without bound in the first epoch; lower learning_rate_i"):
        model.fit(30 * X, y)


def test_a_network_that_has_learned_all_may_be_trained_further():
    """Its loss is nearly 0, and may well rise to a thousand times that for a while."""
    X = np.linspace(-1, 1, 50)[:, None]
    model = MLPRegressor(hidden_layer_sizes=(), solver="lbfgs", alpha=0, tol=1e-12, random_state=0)
    model.set_params(warm_start=True).fit(X, X[:, 0])
    assert model.loss_ < 1e-12
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(solver="sgd", tol=1e-6).fit(X, X[:, 0])
        model.set_params(solver="adam").fit(X, X[:, 0])
    assert model.loss_ < 1e-3


def test_callbacks_end_training():
    X, y = digits()
    model = MLPClassifier((10,), random_state=0).set_callbacks(TimeBudget(0.0)).fit(X, y)
    assert model.n_iter_ == 1
    watched = MLPClassifier((10,), random_state=0, tol=0)
    watched.set_callbacks(EarlyStopping(X[:50], y[:50], patience=1, tol=0.2)).fit(X[50:], y[50:])
    assert watched.n_iter_ < 200


def test_verbose_prints_a_line_for_every_epoch(capsys):
    X, y = digits()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        MLPClassifier((5,), max_iter=3, verbose=True, random_state=0).fit(X, y)
    assert capsys.readouterr().out.count("MLPClassifier: Iteration") == 3


def test_mean_loss_matches_scikit_learn():
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.ones(3), 50)
    codes = rng.integers(0, 3, 50).astype(np.int32)
    weights = rng.uniform(size=50)
    rows = Examples(np.zeros((50, 1)), codes, None, weights=weights)
    expected = log_loss(codes, P, sample_weight=weights)
    assert mean_loss("softmax", P, rows) == pytest.approx(expected)
    assert mean_loss("logistic", P[:, 1:2], Examples(rows.X, codes == 1, None)) == pytest.approx(
        log_loss(codes == 1, P[:, 1])
    )
    counts = Examples(rows.X, None, np.full((50, 1), 2.0))
    assert mean_loss("poisson", np.full((50, 1), 2.0), counts) == pytest.approx(0)
    assert mean_loss("squared", np.zeros((50, 1)), counts) == pytest.approx(2)
