"""Epochs of stochastic gradient descent and when they end."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

import gramian
from gramian import SGDClassifier, SGDRegressor
from gramian.base.errors import DataError, ParameterError
from tests.linear_model.sgd.sgd_data import rows


def test_average_zero_means_no_averaging():
    X, y = rows()
    plain, zero = (SGDClassifier(average=a, random_state=0).fit(X, y) for a in (False, 0))
    np.testing.assert_array_equal(plain.coef_, zero.coef_)


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


def test_settings_that_cannot_work_are_refused():
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


@pytest.mark.parametrize(
    ("penalty", "expected"),
    [("l2", (0.5, 0.0)), ("l1", (0.5, 1.0)), ("elasticnet", (0.5, 0.3)), (None, (0.0, 0.0))],
)
def test_the_strength_and_the_l1_fraction_of_a_penalty(penalty, expected):
    model = SGDClassifier(penalty=penalty, alpha=0.5, l1_ratio=0.3)
    assert model._penalty() == expected


def test_training_stops_after_n_iter_no_change_epochs():
    X, y = rows(100)
    settings = {"tol": 1e9, "random_state": 0}  # no epoch improves by so much
    assert SGDClassifier(n_iter_no_change=4, **settings).fit(X, y).n_iter_ == 5
    assert SGDClassifier(n_iter_no_change=2, **settings).fit(X, y).n_iter_ == 3
    assert SGDClassifier(tol=None, max_iter=7).fit(X, y).n_iter_ == 7


def test_steps_that_are_too_long_end_no_worse_than_the_start():
    X, y = rows(50)
    target = 3 * y

    def cost(model):
        return np.square(target - model.predict(100 * X)).mean() / 2

    model = SGDRegressor(learning_rate="constant", eta0=1.0, max_iter=5, tol=None, alpha=0.0)
    with pytest.warns(ConvergenceWarning, match="grew without bound"):
        model.fit(100 * X, target)
    assert cost(model) <= np.square(target).mean() / 2


def test_a_fit_that_still_improves_gives_a_warning():
    X, y = rows(100)
    with pytest.warns(ConvergenceWarning, match="still falls after max_iter=2 epochs"):
        SGDClassifier(max_iter=2, tol=1e-12, random_state=0).fit(X, y)


@pytest.mark.parametrize("part", [0.0, 1.0])
def test_early_stopping_needs_rows_on_both_sides(part):
    X, y = np.arange(12.0)[:, None], np.arange(12) % 2
    model = gramian.SGDClassifier(early_stopping=True, validation_fraction=part)
    with pytest.raises(ValueError, match=r"SGDClassifier: validation_fraction must .* in \(0, 1\)"):
        model.fit(X, y)
    with pytest.raises(
        DataError, match="SGDClassifier: rows cannot be held out for early stopping"
    ):
        model.set_params(validation_fraction=0.99).fit(X, y)
