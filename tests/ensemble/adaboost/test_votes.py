"""AdaBoost: its algebra, its edge cases, the figure of the book, and scikit-learn's stumps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.stats import chi2

import gramian
from gramian import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    DecisionStump,
    GradientBoostingClassifier,
    LinearRegression,
    vote_of,
)


def sphere(n, seed):
    """Hastie, Tibshirani and Friedman 2009, eq. 10.2: |x|^2 above the median of chi^2_10."""
    X = np.random.default_rng(seed).standard_normal((n, 10))
    return X, np.where((X**2).sum(axis=1) > chi2.ppf(0.5, 10), 1, -1)


def test_votes_of_perfect_blind_and_wrong_learners():
    """err 0: infinite vote; 1/2: none; 1: minus infinity; 60 % wrong is minus 40 % wrong."""
    assert vote_of(0.0) == math.inf
    assert vote_of(0.5) == 0
    assert vote_of(1.0) == -math.inf
    assert vote_of(0.6) == pytest.approx(-vote_of(0.4))
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        vote_of(1.5)


@given(error=st.floats(0.01, 0.99))
def test_the_vote_minimises_the_exponential_loss(error):
    def loss(beta):
        return (1 - error) * math.exp(-beta) + error * math.exp(beta)

    beta = vote_of(error)
    assert loss(beta) <= min(loss(beta - 1e-3), loss(beta + 1e-3))
    assert loss(beta) == pytest.approx(2 * math.sqrt(error * (1 - error)))


def test_a_learner_without_error_has_an_infinite_vote(tmp_path):
    X, y = np.arange(8.0)[:, None], np.repeat([0, 1], 4)
    model = AdaBoostClassifier().fit(X, y)
    assert_array_equal(model.estimator_weights_, [np.inf])
    assert_array_equal(model.estimator_errors_, [0.0])
    gramian.save(model, tmp_path / "model.gramian")
    for each in (model, gramian.load(tmp_path / "model.gramian")):
        assert_array_equal(each.predict(X), y)
        assert_array_equal(each.predict_proba(X), np.eye(2)[y])
        assert_array_equal(each.decision_function(X), 2 * (2 * y - 1))
        assert_array_equal(each.feature_importances_, [1.0])
    assert list(model.staged_exponential_loss(X, y)) == [0.0]
    assert list(model.staged_exponential_loss(X, 1 - y)) == [np.inf]
    line = AdaBoostRegressor(LinearRegression()).fit(X, np.zeros(8))
    assert_array_equal(line.estimator_weights_, [np.inf])
    assert_array_equal(line.predict(X), np.zeros(8))
    assert_array_equal(list(line.staged_predict(X)), [np.zeros(8)])


def test_weighted_error_as_the_criterion(rng):
    X, y = sphere(300, 6)
    by_error = DecisionStump(criterion="error").fit(X, y)
    gini = DecisionStump().fit(X, y)
    assert by_error.score(X, y) >= gini.score(X, y)
    assert AdaBoostClassifier(by_error, n_estimators=30).fit(X, y).score(X, y) > 0.8


def test_outliers_move_the_logistic_loss_less(rng):
    """Wrong labels: boosting the logistic loss keeps its head better than AdaBoost's."""
    X, y = sphere(1500, 7)
    Q, truth = sphere(4000, 8)
    noisy = np.where(rng.random(len(y)) < 0.2, -y, y)
    tree = {"max_depth": 2, "n_estimators": 60, "learning_rate": 0.3}
    errors = {
        loss: np.mean(
            GradientBoostingClassifier(loss=loss, **tree).fit(X, noisy).predict(Q) != truth
        )
        for loss in ("log_loss", "exponential")
    }
    assert errors["log_loss"] <= errors["exponential"] + 0.005
