"""The votes of AdaBoost's learners."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import gramian
from gramian import AdaBoostClassifier, AdaBoostRegressor, LinearRegression
from gramian.ensemble import vote_weight


def test_votes_for_errors_of_zero_one_half_and_one():
    """err 0: infinite vote; 1/2: none; 1: minus infinity; 60% wrong is minus 40% wrong."""
    assert vote_weight(0.0) == math.inf
    assert vote_weight(0.5) == 0
    assert vote_weight(1.0) == -math.inf
    assert vote_weight(0.6) == pytest.approx(-vote_weight(0.4))
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        vote_weight(1.5)


@given(error=st.floats(0.01, 0.99))
def test_the_vote_minimises_the_exponential_loss(error):
    def loss(beta):
        return (1 - error) * math.exp(-beta) + error * math.exp(beta)

    beta = vote_weight(error)
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
