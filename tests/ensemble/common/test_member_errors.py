"""The error of an ensemble against the number of its members."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris

from gramian import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingRegressor,
    LogisticRegression,
    RandomForestClassifier,
    RandomForestRegressor,
)
from gramian.ensemble import error_against_members

CLASSES = load_iris(return_X_y=True)
NUMBERS = load_diabetes(return_X_y=True)
SMALL = {"n_estimators": 7, "random_state": 0}


@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(**SMALL),
        BaggingClassifier(max_features=2, **SMALL),
        RandomForestClassifier(**SMALL),
        ExtraTreesClassifier(max_depth=3, **SMALL),
        BaggingRegressor(**SMALL),
        RandomForestRegressor(**SMALL),
    ],
    ids=lambda model: type(model).__name__,
)
def test_staged_predictions_equal_smaller_ensembles(model):
    X, y = NUMBERS if "Regressor" in type(model).__name__ else CLASSES
    stages = list(model.fit(X[::2], y[::2]).staged_predict(X[1::2]))
    assert len(stages) == 7
    same = assert_array_equal if y is CLASSES[1] else assert_allclose
    same(stages[-1], model.predict(X[1::2]))
    few = model.set_params(n_estimators=3).fit(X[::2], y[::2])
    same(stages[2], few.predict(X[1::2]))


def test_staged_predictions_of_several_outputs():
    X, y = NUMBERS
    both = np.column_stack([y, -y])
    forest = RandomForestRegressor(**SMALL).fit(X, both)
    *_, last = forest.staged_predict(X[:9])
    assert_allclose(last, forest.predict(X[:9]), rtol=1e-12)


def test_errors_are_proportions_of_wrong_classes_and_mean_squares():
    X, y = CLASSES
    forest = RandomForestClassifier(**SMALL).fit(X[::2], y[::2])
    errors = error_against_members(forest, X[1::2], y[1::2])
    assert errors[-1] == pytest.approx(1 - forest.score(X[1::2], y[1::2]))
    assert errors[0] == np.mean(forest.estimators_[0].predict(X[1::2]) != y[1::2])
    X, y = NUMBERS
    bag = BaggingRegressor(**SMALL).fit(X[::2], y[::2])
    errors = error_against_members(bag, X[1::2], y[1::2])
    assert errors[-1] == pytest.approx(np.mean((bag.predict(X[1::2]) - y[1::2]) ** 2))
    assert errors[-1] < errors[0]


def test_errors_of_boosted_models():
    assert (
        len(error_against_members(AdaBoostClassifier(n_estimators=4).fit(*CLASSES), *CLASSES)) == 4
    )
    boosted = GradientBoostingRegressor(n_estimators=5).fit(*NUMBERS)
    assert (np.diff(error_against_members(boosted, *NUMBERS)) < 0).all()


def test_models_without_staged_predict_and_wrong_shapes_are_rejected():
    with pytest.raises(ValueError, match=r"with staged_predict .* got LogisticRegression"):
        error_against_members(LogisticRegression(), *CLASSES)
    bag = BaggingClassifier(**SMALL).fit(*CLASSES)
    with pytest.raises(ValueError, match=r"y must have the shape of the predictions, \(150,\)"):
        error_against_members(bag, CLASSES[0], CLASSES[1][:5])
