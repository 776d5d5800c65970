"""Combined predictions of different regressors."""

import numpy as np
from numpy.testing import assert_allclose

from gramian import (
    DecisionTreeRegressor,
    KNeighborsRegressor,
    LinearRegression,
    VotingRegressor,
)


def test_regression_by_mean_median_and_evidence(rng):
    X = rng.normal(size=(200, 1))
    y = 2 * X[:, 0] + 0.1 * rng.normal(size=200)
    members = [
        ("line", LinearRegression()),
        ("tree", DecisionTreeRegressor(max_depth=2)),
        ("near", KNeighborsRegressor(150)),
    ]
    answers = np.column_stack([m.fit(X, y).predict(X) for _, m in members])
    mean = VotingRegressor(members, weights=[1, 1, 2]).fit(X, y)
    assert_allclose(mean.predict(X), answers @ [0.25, 0.25, 0.5])
    median = VotingRegressor(members, combine="median").fit(X, y)
    assert_allclose(median.predict(X), np.median(answers, axis=1))
    bayes = VotingRegressor(members, combine="bayes").fit(X, y)
    assert bayes.weights_[0] > 0.999
