"""Classes: learning, weights, labels that do not fit."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from gramian import LogisticRegression
from gramian.neural_network import Conv, ConvClassifier, Dense, Dropout, Pool


def test_it_learns_where_a_pattern_is_not_what_is_where(rng):
    """Neighbours of one sign or of two, anywhere: shared filters find it, a linear model cannot."""
    n, length = 400, 20
    X = 0.1 * rng.normal(size=(n, length))
    y = rng.integers(2, size=n)
    signs = rng.choice([-1.0, 1.0], size=n)
    for row, place in enumerate(rng.integers(length - 2, size=n)):
        X[row, place : place + 2] += signs[row] * np.array([1.0, 1.0 if y[row] else -1.0])
    layers = [Conv(8, 2), Pool(19), Dense(8)]
    model = ConvClassifier(layers, learning_rate_init=0.02, batch_size=50, random_state=0)
    model.fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.97
    assert LogisticRegression().fit(X[:300], y[:300]).score(X[300:], y[300:]) < 0.8


@pytest.mark.slow
def test_relu_and_dropout_together_on_digits():
    """CN-09, and a score that a smaller network reaches in seconds."""
    digits = load_digits()
    X, y = (digits.images / 16).astype(np.float32), digits.target
    layers = [Conv(16, 3, padding="same"), Pool(2), Dropout(0.2), Dense(64), Dropout(0.3)]
    model = ConvClassifier(
        layers, max_iter=12, batch_size=32, learning_rate_init=3e-3, random_state=0
    ).fit(X[:1200], y[:1200])
    assert model.score(X[1200:], y[1200:]) > 0.93
    p = model.predict_proba(X[1200:])
    assert p.dtype == np.float32
    np.testing.assert_allclose(p.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X[1200:]))


def test_two_classes_have_one_score(rng):
    X, y = rng.normal(size=(30, 4)), np.array(["no", "yes"])[rng.integers(2, size=30)]
    model = ConvClassifier([Dense(4)], max_iter=3, random_state=0).fit(X, y)
    p, score = model.predict_proba(X), model.decision_function(X)
    np.testing.assert_allclose(np.log(p[:, 1] / p[:, 0]), score, atol=1e-10)


def test_one_class_is_predicted_everywhere(rng):
    """As by MLPClassifier and scikit-learn's, whose networks have no use for a second class."""
    X = rng.normal(size=(12, 5))
    model = ConvClassifier([Conv(2, 2)], max_iter=3, random_state=0).fit(X, ["a"] * 12)
    assert set(model.predict(X)) == {"a"}
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((12, 1)))


def test_weights_in_one_batch_are_repetitions(rng):
    X, y, k = rng.normal(size=(20, 5)), rng.integers(3, size=20), rng.integers(1, 4, size=20)
    model = ConvClassifier([Conv(3, 2), Dense(4)], max_iter=20, random_state=0)
    weighted = model.fit(X, y, sample_weight=k).predict_proba(X)
    repeated = model.fit(np.repeat(X, k, axis=0), np.repeat(y, k)).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-8)


@pytest.mark.parametrize(("value", "factor"), [({1: 3.0}, 3.0), ("balanced", 15 / 5)])
def test_class_weights_multiply_the_weights_of_rows(rng, value, factor):
    X, y = rng.normal(size=(20, 5)), (np.arange(20) % 4 == 0).astype(int)
    k = np.ones(20) if value == "balanced" else rng.uniform(1, 2, size=20)
    settings = {"solver": "sgd", "learning_rate_init": 0.1, "max_iter": 9, "random_state": 0}
    one = ConvClassifier([Dense(4)], class_weight=value, **settings).fit(X, y, sample_weight=k)
    plain = ConvClassifier([Dense(4)], **settings)
    other = plain.fit(X, y, sample_weight=np.where(y, factor * k, k)).predict_proba(X)
    np.testing.assert_allclose(one.predict_proba(X), other, atol=1e-12)
    assert np.abs(plain.fit(X, y, sample_weight=k).predict_proba(X) - other).max() > 0.05


def test_labels_of_held_out_rows_must_be_known(rng):
    X = rng.normal(size=(10, 4))
    with pytest.raises(ValueError, match="y_val contains 2, which is not in y"):
        ConvClassifier(max_iter=1).fit(X, np.arange(10) % 2, X_val=X, y_val=np.full(10, 2))


def test_the_mean_of_the_loss_is_the_cross_entropy(rng):
    """With a step size of next to nothing, the loss of the first epoch is that of the weights."""
    X, y = rng.normal(size=(30, 4)), rng.integers(3, size=30)
    model = ConvClassifier([Dense(4)], max_iter=1, learning_rate_init=1e-12, random_state=0)
    p = model.fit(X, y).predict_proba(X)
    assert model.loss_curve_[0] == pytest.approx(-np.log(p[np.arange(30), y]).mean())
