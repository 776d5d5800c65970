"""MLPRegressor: outputs, losses, agreement with scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.neural_network import MLPRegressor as Theirs
from sklearn.preprocessing import StandardScaler

from gramian import MLPRegressor, PoissonRegressor
from gramian.linear_model import Ridge

pytestmark = [
    pytest.mark.numeric,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]


@pytest.mark.parametrize("solver", ["adam", "sgd"])
@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
def test_epochs_agree_with_scikit_learn(solver, loss):
    X, y = load_diabetes(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), y / 100
    settings = {
        "loss": loss,
        "hidden_layer_sizes": (17,),
        "solver": solver,
        "shuffle": False,
        "warm_start": True,
        "batch_size": 60,
        "random_state": 0,
    }
    ours = MLPRegressor(max_iter=1, **settings).fit(X, y)
    theirs = Theirs(max_iter=1, **settings).fit(X, y)
    theirs.coefs_ = [coef.copy() for coef in ours.coefs_]
    theirs.intercepts_ = [intercept.copy() for intercept in ours.intercepts_]
    ours.set_params(max_iter=6).fit(X, y)
    theirs.set_params(max_iter=6).fit(X, y)
    np.testing.assert_allclose(ours.loss_curve_[1:], theirs.loss_curve_[1:], rtol=1e-6)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-6)


def test_without_hidden_layers_it_is_ridge_regression():
    """NE-05: linear units and the squared error; penalty alpha / (2 n) |w|^2."""
    X, y = load_diabetes(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), (y - y.mean()) / y.std()
    net = MLPRegressor(hidden_layer_sizes=(), solver="lbfgs", alpha=3.0, tol=1e-10, max_iter=5000)
    line = Ridge(alpha=3.0).fit(X, y)
    net.fit(X, y)
    np.testing.assert_allclose(net.coefs_[0][:, 0], line.coef_, atol=1e-5)
    np.testing.assert_allclose(net.intercepts_[0], line.intercept_, atol=1e-6)


def test_poisson_without_hidden_layers_is_poisson_regression():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = rng.poisson(np.exp(X @ [0.3, -0.2, 0.1] + 0.5))
    settings = {"hidden_layer_sizes": (), "solver": "lbfgs", "tol": 1e-9, "max_iter": 2000}
    net = MLPRegressor(loss="poisson", alpha=300 * 0.1, **settings).fit(X, y)
    line = PoissonRegressor(alpha=0.1, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(net.predict(X), line.predict(X), rtol=1e-4)
    with pytest.raises(ValueError, match="y must be >= 0 with loss='poisson'"):
        MLPRegressor(loss="poisson").fit(X, y - 5.0)
    with pytest.raises(ValueError, match="needs loss='squared_error'"):
        MLPRegressor(loss="poisson", output_activation="logistic").fit(X, y)


def test_sigmoid_outputs_stay_within_0_and_1():
    """E44: linear outputs are the default; sigmoid ones, for bounded targets, saturate."""
    X = np.linspace(-4, 4, 80)[:, None]
    y = 1 / (1 + np.exp(-3 * X[:, 0]))
    settings = {"hidden_layer_sizes": (), "solver": "lbfgs", "alpha": 0.0, "tol": 1e-10}
    bounded = MLPRegressor(output_activation="logistic", max_iter=1000, **settings).fit(X, y)
    np.testing.assert_allclose(bounded.coefs_[0], 3.0, rtol=1e-3)
    far = np.array([[-100.0], [100.0]])
    np.testing.assert_allclose(bounded.predict(far), [0, 1], atol=1e-9)
    assert np.abs(MLPRegressor(**settings).fit(X, y).predict(far)).max() > 5


def test_several_outputs_are_fitted_together():
    """NE-08: one hidden layer shared by all outputs."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-2, 2, size=(200, 1))
    Y = np.column_stack([np.sin(X[:, 0]), np.cos(X[:, 0]), X[:, 0] ** 2])
    model = MLPRegressor(hidden_layer_sizes=(20,), activation="tanh", solver="lbfgs", max_iter=800)
    assert model.fit(X, Y).predict(X).shape == (200, 3)
    assert model.score(X, Y) > 0.999


def test_a_network_passes_through_few_points():
    X = np.linspace(0, 1, 6)[:, None]
    y = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0])
    model = MLPRegressor(
        hidden_layer_sizes=(30,),
        activation="tanh",
        solver="lbfgs",
        alpha=0,
        init="he",
        max_iter=5000,
        n_init=3,
        random_state=0,
    )
    np.testing.assert_allclose(model.fit(X, y).predict(X), y, atol=0.05)


def test_weights_are_repeated_rows():
    """Where all rows form one batch, exactly; whatever the order of the rows."""
    rng = np.random.default_rng(0)
    X, k = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    y = X[:, 0] ** 2
    settings = {"hidden_layer_sizes": (6,), "activation": "tanh", "max_iter": 30, "random_state": 0}
    one = MLPRegressor(**settings).fit(X, y, sample_weight=k)
    other = MLPRegressor(**settings).fit(np.repeat(X, k, axis=0), np.repeat(y, k))
    np.testing.assert_allclose(one.predict(X), other.predict(X), rtol=1e-9)


def test_partial_fit_learns_from_parts():
    rng = np.random.default_rng(0)
    model = MLPRegressor(hidden_layer_sizes=(20,), learning_rate_init=0.01, random_state=0)
    for _ in range(150):
        X = rng.uniform(-2, 2, size=(100, 1))
        model.partial_fit(X, np.sin(X[:, 0]))
    X = np.linspace(-2, 2, 50)[:, None]
    assert model.score(X, np.sin(X[:, 0])) > 0.98


def test_early_stopping_needs_two_validation_rows():
    X, y = load_diabetes(return_X_y=True)
    model = MLPRegressor(hidden_layer_sizes=(3,), early_stopping=True, max_iter=5)
    with pytest.raises(ValueError, match=r"The validation set is too small \(1 of 10 rows\)"):
        model.fit(X[:10], y[:10])
    with pytest.raises(ValueError, match="needs at least 2 validation rows; got 1"):
        model.fit(X, y, X_val=X[:1], y_val=y[:1])


def small_network(**settings):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    model = MLPRegressor(hidden_layer_sizes=(5,), max_iter=20, random_state=0, **settings)
    return X, model.fit(X, X[:, 0] - X[:, 1] ** 2)


def test_masked_weights_stay_zero():
    mask = np.ones((3, 5))
    mask[1] = 0
    X, model = small_network(masks=[mask, None])
    assert (model.coefs_[0][1] == 0).all()
    assert (model.coefs_[0][[0, 2]] != 0).all()
    moved = X + np.array([0.0, 7.0, 0.0])  # a column that no unit sees
    np.testing.assert_array_equal(model.predict(moved), model.predict(X))


def test_a_layer_with_rate_zero_does_not_change():
    settings = {"solver": "sgd", "learning_rate_init": 0.01}
    _, begun = small_network(layer_rates=[0.0, 0.0], **settings)
    _, upper = small_network(layer_rates=[0.0, 1.0], **settings)
    _, both = small_network(**settings)
    np.testing.assert_array_equal(upper.coefs_[0], begun.coefs_[0])
    assert not np.allclose(upper.coefs_[1], begun.coefs_[1])
    assert not np.allclose(both.coefs_[0], begun.coefs_[0])


def test_noise_in_the_gradient_changes_the_path_and_follows_the_seed():
    _, plain = small_network()
    _, noisy = small_network(gradient_noise=0.1)
    _, again = small_network(gradient_noise=0.1)
    assert not np.allclose(noisy.coefs_[0], plain.coefs_[0])
    np.testing.assert_array_equal(noisy.coefs_[0], again.coefs_[0])
