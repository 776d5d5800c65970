"""Classification by stochastic gradient descent."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier as Peer

import gramian
from gramian import (
    LinearSVC,
    LogisticRegression,
    Ridge,
    SGDClassifier,
    SGDRegressor,
)
from gramian.base.errors import DataError, ParameterError
from gramian.objectives import (
    Exponential,
)
from tests.linear_model.sgd.sgd_data import rows


def test_optimal_steps_are_those_of_scikit_learn():
    X, y = rows(200)
    common = {"max_iter": 1, "tol": None, "shuffle": False, "alpha": 0.01}
    for loss in ("hinge", "log_loss", "perceptron"):
        ours, theirs = (cls(loss, **common).fit(X, y) for cls in (SGDClassifier, Peer))
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6)


def test_it_converges_to_the_minimum():
    X, y = rows(400)
    alpha, common = 0.01, {"alpha": 0.01, "max_iter": 300, "tol": None, "average": True}
    svm = SGDClassifier("hinge", random_state=0, **common).fit(X, y)
    C = 1 / (alpha * len(y))
    exact = LinearSVC(loss="hinge", C=C, tol=1e-8, intercept_scaling=100, max_iter=10_000_000)
    np.testing.assert_allclose(svm.coef_, exact.fit(X, y).coef_, atol=0.03)
    logistic = SGDClassifier("log_loss", random_state=0, **common).fit(X, y)
    exact = LogisticRegression(C=C, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(logistic.coef_, exact.coef_, atol=0.03)
    np.testing.assert_allclose(logistic.predict_proba(X), exact.predict_proba(X), atol=0.01)
    target = X @ [1.0, 2.0, 0.0, -1.0] + 3
    line = SGDRegressor(random_state=0, eta0=0.05, **common).fit(X, target)
    exact = Ridge(alpha=alpha * len(y)).fit(X, target)
    np.testing.assert_allclose(line.coef_, exact.coef_, atol=0.02)


def test_boosting_s_loss_and_absolute_errors_find_what_they_seek():
    X, y = rows(400)
    common = {"max_iter": 200, "tol": None, "average": True, "random_state": 0}
    steps = {"learning_rate": "invscaling", "eta0": 0.05, "alpha": 0.1}
    machine = SGDClassifier("exponential", **steps, **common).fit(X, y)
    slopes = Exponential().derivative(y, machine.decision_function(X)) / len(y)
    np.testing.assert_allclose(slopes @ X + 0.1 * machine.coef_[0], 0, atol=0.01)
    assert slopes.sum() == pytest.approx(0, abs=0.01)
    target = X @ [1.0, 2.0, 0.0, -1.0] + 3
    target[::10] += 1000  # a median does not mind
    line = SGDRegressor("absolute_error", alpha=0.0, eta0=0.05, **common).fit(X, target)
    np.testing.assert_allclose(line.coef_, [1, 2, 0, -1], atol=0.05)


def test_an_average_from_step_0_is_none():
    X, y = rows()
    plain, zero = (SGDClassifier(average=a, random_state=0).fit(X, y) for a in (False, 0))
    np.testing.assert_array_equal(plain.coef_, zero.coef_)


def test_partial_fit_goes_on_where_it_was():
    X, y = rows(100)
    short = {"shuffle": False, "learning_rate": "constant", "eta0": 1e-3}  # the cost falls
    whole = SGDClassifier(max_iter=1, tol=None, **short).fit(X, y)
    parts = SGDClassifier(**short)
    for cut in (slice(0, 30), slice(30, 100)):
        parts.partial_fit(X[cut], y[cut], classes=[-1, 1])
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-9)
    assert parts.t_ == whole.t_ == 101
    line = SGDRegressor(shuffle=False).partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    once = SGDRegressor(shuffle=False, max_iter=1, tol=None).fit(X, y)
    np.testing.assert_allclose(line.coef_, once.coef_, rtol=1e-9)


def test_a_saved_model_can_go_on(tmp_path):
    X, y = rows(100)
    model = SGDClassifier(random_state=0).partial_fit(X, y, classes=[-1, 1])
    gramian.save(model, tmp_path / "model.gram")
    again = gramian.load(tmp_path / "model.gram").partial_fit(X, y)
    assert again.score(X, y) > 0.8


def test_early_stopping_and_adaptive_steps():
    X, y = load_iris(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    stopped = SGDClassifier(early_stopping=True, random_state=0).fit(X, y)
    assert stopped.n_iter_ < 100
    assert stopped.score(X, y) > 0.85
    adaptive = SGDRegressor(
        learning_rate="adaptive", eta0=0.05, alpha=0.0, tol=1e-4, max_iter=5000, random_state=0
    ).fit(X, X @ np.ones(4))
    assert adaptive.score(X, X @ np.ones(4)) > 0.999


def test_what_cannot_work_is_told():
    X, y = rows()
    with pytest.raises(ParameterError, match="alpha must be positive"):
        SGDClassifier(alpha=0).fit(X, y)
    with pytest.raises(ParameterError, match="eta0 must be positive"):
        SGDClassifier(learning_rate="constant", eta0=0.0).fit(X, y)
    with pytest.warns(ConvergenceWarning, match="grew without bound"):
        SGDRegressor(learning_rate="constant", eta0=100.0, tol=None, max_iter=200).fit(X * 1e3, y)
    with pytest.raises(DataError, match="on the first call"):
        SGDClassifier().partial_fit(X, y)
    with pytest.raises(DataError, match="balanced"):
        SGDClassifier(class_weight="balanced").partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(AttributeError):
        SGDClassifier().fit(X, y).predict_proba(X)
