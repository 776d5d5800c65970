"""Bagging of regressors."""

import numpy as np

from gramian import (
    BaggingRegressor,
    DecisionTreeRegressor,
)


def test_averaging_lowers_the_error_of_trees(rng):
    X = rng.uniform(size=(400, 1))
    y = np.sin(6 * X[:, 0]) + 0.5 * rng.normal(size=400)
    grid = np.linspace(0, 1, 200)[:, None]
    truth = np.sin(6 * grid[:, 0])
    one = DecisionTreeRegressor().fit(X, y).predict(grid)
    many = BaggingRegressor(n_estimators=50, random_state=0).fit(X, y).predict(grid)
    assert np.mean((many - truth) ** 2) < 0.7 * np.mean((one - truth) ** 2)
