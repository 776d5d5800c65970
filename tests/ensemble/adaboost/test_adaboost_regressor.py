"""AdaBoost.R2."""

import pytest
from numpy.testing import assert_array_equal
from sklearn import ensemble as sk
from sklearn.datasets import load_diabetes

from gramian import (
    AdaBoostRegressor,
)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
def test_r2_is_as_accurate_as_scikit_learn(loss):
    X, y = load_diabetes(return_X_y=True)
    ours = AdaBoostRegressor(n_estimators=30, loss=loss, random_state=0).fit(X[:300], y[:300])
    theirs = sk.AdaBoostRegressor(n_estimators=30, loss=loss, random_state=0).fit(X[:300], y[:300])
    assert ours.score(X[300:], y[300:]) == pytest.approx(theirs.score(X[300:], y[300:]), abs=0.06)
    *_, last = ours.staged_predict(X)
    assert_array_equal(last, ours.predict(X))
