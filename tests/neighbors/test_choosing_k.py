"""The errors for many k equal those of a model for each k."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import gramian.neighbors as ours


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_error_against_k_equals_one_model_per_k(weights):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    ks = [1, 2, 5, 20, 75]
    for model, target in (
        (ours.KNeighborsClassifier(weights=weights), y),
        (ours.KNeighborsRegressor(weights=weights), X[:, 3]),
    ):
        features = X if target is y else X[:, :3]
        found = ours.error_against_k(
            model, features[train], target[train], features[test], target[test], ks
        )
        for rows, errors in zip((train, test), found, strict=True):
            for k, error in zip(ks, errors, strict=True):
                one = model.set_params(n_neighbors=k).fit(features[train], target[train])
                guess = one.predict(features[rows])
                wrong = guess != target[rows] if target is y else (guess - target[rows]) ** 2
                assert error == pytest.approx(np.mean(wrong), abs=1e-12)
    with pytest.raises(ValueError, match="ks must contain integers >= 1"):
        ours.error_against_k(ours.KNeighborsClassifier(), X, y, X, y, [0, 1])


def test_errors_against_k_take_a_column_as_target(X):
    y = (X[:, 0] > 0.5).astype(int)
    column = pd.DataFrame(y)
    train, _ = ours.error_against_k(ours.KNeighborsClassifier(), X, column, X, column, ks=[1])
    assert train[0] == 0


def test_weights_that_sum_to_zero_name_the_model(X):
    model = ours.KNeighborsRegressor(weights=np.zeros_like)
    with pytest.raises(ValueError, match=r"KNeighborsRegressor: .*zero weights"):
        ours.error_against_k(model, X, X[:, 0], X, X[:, 0], [1, 2])
