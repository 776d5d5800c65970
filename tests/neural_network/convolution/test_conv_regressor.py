"""Numeric targets, one and several."""

import numpy as np
import pytest

from gramian.neural_network import Conv, ConvRegressor, Dense, Pool


def test_it_learns_the_frequency_of_a_wave(rng):
    t = np.arange(40)
    y = rng.uniform(0.5, 1.5, size=600)
    X = np.sin(y[:, None] * t / 3 + rng.uniform(0, 6, size=(600, 1))).astype(np.float32)
    model = ConvRegressor(
        [Conv(8, 5), Pool(2), Conv(8, 5), Pool(2), Dense(32)],
        learning_rate_init=3e-3,
        batch_size=50,
        max_iter=30,
        random_state=0,
    ).fit(X[:500], y[:500])
    assert model.score(X[500:], y[500:]) > 0.9
    assert model.predict(X).dtype == np.float32


def test_several_targets(rng):
    X = rng.normal(size=(50, 6))
    Y = np.column_stack([X[:, 0], X[:, 1] + 1])
    model = ConvRegressor([], learning_rate_init=0.05, random_state=0).fit(X, Y)
    assert model.predict(X).shape == (50, 2)
    assert model.n_outputs_ == 2
    assert model.score(X, Y) > 0.99
    assert ConvRegressor([], max_iter=1).fit(X, Y[:, :1]).predict(X).shape == (50, 1)


def test_the_loss_is_half_the_mean_square(rng):
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    model = ConvRegressor([Dense(4)], max_iter=1, learning_rate_init=1e-12, random_state=0)
    residuals = y - model.fit(X, y).predict(X)
    assert model.loss_curve_[0] == pytest.approx((residuals**2).mean() / 2)


def test_the_penalty_shrinks_the_weights_and_not_the_biases(rng):
    """The minimum of (y - w x - b)^2 / 2 + alpha/2 w^2 is that of ridge regression."""
    X = rng.normal(size=(200, 1))
    y = 3 * X[:, 0] + 5 + 0.1 * rng.normal(size=200)
    model = ConvRegressor(
        [],
        alpha=1.0,
        learning_rate_init=0.1,
        learning_rate="cosine",
        max_iter=600,
        n_iter_no_change=None,
        random_state=0,
    ).fit(X, y)
    centred = X[:, 0] - X[:, 0].mean()
    ridge = (centred * y).mean() / ((centred**2).mean() + 1.0)
    assert model.weights_["layer0.weight"].item() == pytest.approx(ridge, rel=1e-3)
    assert model.weights_["layer0.bias"].item() == pytest.approx(
        y.mean() - ridge * X.mean(), rel=1e-3
    )


def test_weights_in_one_batch_are_repetitions_and_only_their_ratios_count(rng):
    X, k = rng.normal(size=(20, 5)), rng.integers(1, 4, size=20)
    y = X[:, 0] * X[:, 1]
    settings = {"solver": "sgd", "learning_rate_init": 0.05, "max_iter": 20, "random_state": 0}
    model = ConvRegressor([Conv(3, 2), Dense(4)], **settings)
    weighted, scaled = (model.fit(X, y, sample_weight=w).predict(X) for w in (k, 1000.0 * k))
    repeated = model.fit(np.repeat(X, k, axis=0), np.repeat(y, k)).predict(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-9)
    np.testing.assert_allclose(weighted, scaled, atol=1e-9)


def test_held_out_targets_must_be_as_many():
    X = np.random.default_rng(0).normal(size=(20, 6))
    model = ConvRegressor([Conv(2, 2)], max_iter=1)
    with pytest.raises(ValueError, match="y_val must have as many targets as y, 2; got 1"):
        model.fit(X, X[:, :2], X_val=X, y_val=X[:, 0])
