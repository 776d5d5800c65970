"""Ensembles accept missing values if and only if their members do."""

import numpy as np
import pytest
from sklearn.base import clone

import gramian
from gramian.base.errors import DataError

TREE, NUMBER = gramian.DecisionTreeClassifier(max_depth=3), gramian.DecisionTreeRegressor()
TAKING = [
    gramian.BaggingClassifier(random_state=0),
    gramian.BaggingRegressor(random_state=0),
    gramian.AdaBoostClassifier(TREE, n_estimators=5),
    gramian.AdaBoostRegressor(n_estimators=5, random_state=0),
    gramian.GradientBoostingClassifier(n_estimators=5),
    gramian.GradientBoostingRegressor(n_estimators=5),
    gramian.VotingClassifier([("a", TREE), ("b", gramian.HistGradientBoostingClassifier())]),
    gramian.VotingRegressor([("a", NUMBER), ("b", gramian.HistGradientBoostingRegressor())]),
    gramian.CascadeClassifier([("a", TREE), ("b", gramian.RandomForestClassifier(5))]),
]
REFUSING = [
    gramian.BaggingClassifier(gramian.LogisticRegression()),
    gramian.AdaBoostClassifier(),
    gramian.GradientBoostingRegressor(estimator=gramian.Ridge()),
    gramian.VotingClassifier([("a", TREE), ("b", gramian.LogisticRegression())]),
]


@pytest.fixture
def table(rng):
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] > 0).astype(float)
    X[rng.random(200) < 0.3, 1] = np.nan
    return X, y


@pytest.mark.parametrize("model", TAKING, ids=lambda m: type(m).__name__)
def test_members_that_support_missing_values_get_them(model, table):
    X, y = table
    assert clone(model).fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize("model", REFUSING, ids=lambda m: type(m).__name__)
def test_missing_values_are_rejected_if_a_member_does_not_support_them(model, table):
    X, y = table
    with pytest.raises(DataError, match=f"{type(model).__name__}: Input X contains NaN"):
        clone(model).fit(X, y)
