"""Classification by stochastic gradient descent."""

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier as Peer

from gramian import LinearSVC, LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from gramian.objectives import Exponential
from tests.linear_model.sgd.sgd_data import rows


def test_optimal_steps_match_scikit_learn():
    X, y = rows(200)
    common = {"max_iter": 1, "tol": None, "shuffle": False, "alpha": 0.01}
    for loss in ("hinge", "log_loss", "perceptron"):
        ours, theirs = (cls(loss, **common).fit(X, y) for cls in (SGDClassifier, Peer))
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-6)


@pytest.mark.slow
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


def test_exponential_and_absolute_losses_find_their_minima():
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
