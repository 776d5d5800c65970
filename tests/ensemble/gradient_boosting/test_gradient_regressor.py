"""Losses of regression: what a leaf predicts."""

import numpy as np
import pytest

from gramian import GradientBoostingRegressor

X = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
Y = np.array([1.0, 2.0, 9.0, 20.0, 21.0, 40.0])


@pytest.mark.parametrize(
    ("settings", "values"),
    [
        ({"loss": "squared_error"}, [4.0, 27.0]),
        ({"loss": "absolute_error"}, [2.0, 21.0]),
        ({"loss": "quantile", "alpha": 0.4}, [2.0, 21.0]),
    ],
)
def test_a_leaf_predicts_the_best_constant(settings, values):
    model = GradientBoostingRegressor(n_estimators=1, learning_rate=1.0, max_depth=1, **settings)
    np.testing.assert_allclose(model.fit(X, Y).predict([[0.0], [1.0]]), values)


def test_an_outlier_moves_huber_less_than_squares():
    noisy = Y.copy()
    noisy[2] = 1000.0
    moved = {}
    for loss in ("squared_error", "huber"):
        model = GradientBoostingRegressor(
            n_estimators=1, learning_rate=1.0, max_depth=1, loss=loss, alpha=0.7
        )
        moved[loss] = abs(model.fit(X, noisy).predict([[0.0]])[0] - 2.0)
    assert moved["huber"] < moved["squared_error"] / 5
