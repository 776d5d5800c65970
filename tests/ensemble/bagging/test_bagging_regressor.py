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


def test_several_outputs_are_averaged_one_by_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    Y = np.column_stack([X[:, 0], -X[:, 1]])
    model = BaggingRegressor(n_estimators=30, oob_score=True, random_state=0).fit(X, Y)
    assert model.predict(X).shape == model.oob_prediction_.shape == (80, 2)
    np.testing.assert_allclose(model.predict(X), np.mean([m.predict(X) for m in model], axis=0))
    assert 0.5 < model.oob_score_ < 1
