"""Learning and validation curves, the diagnosis, bias and variance."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from gramian.base.errors import ParameterError
from gramian.evaluate import (
    diagnose_fit,
    learning_errors,
    validation_errors,
)
from gramian.evaluate.curves.error_curves import ErrorCurve


@pytest.fixture(scope="module")
def rings():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 2))
    return X, ((X**2).sum(axis=1) > 1.4) ^ (rng.random(240) < 0.15)


def test_validation_errors_agree_with_cross_validation(rings):
    curve = validation_errors(
        KNeighborsClassifier(), *rings, name="n_neighbors", values=[1, 15, 150], cv=4
    )
    expected = [1 - cross_val_score(KNeighborsClassifier(k), *rings, cv=4) for k in (1, 15, 150)]
    assert_allclose(curve.validation, expected)
    assert curve.train[0].max() == 0
    assert curve.values[curve.best] == 15
    errors = (curve.train, curve.validation)
    fits = [diagnose_fit(*pair, acceptable=0.15).fit for pair in zip(*errors, strict=True)]
    assert (fits[0], fits[2]) == ("overfit", "underfit")


def test_more_rows_close_the_gap(rings):
    curve = learning_errors(
        LogisticRegression(), *rings, sizes=[12, 60, 190], cv=KFold(5, shuffle=True, random_state=0)
    )
    gap = (curve.validation - curve.train).mean(axis=1)
    assert curve.values.tolist() == [12, 60, 190]
    assert gap[0] > gap[-1]
    assert curve.name == "rows"


def test_a_regressor_is_judged_by_squared_error_and_scorers_become_errors(rng):
    X = rng.normal(size=(60, 2))
    y = X[:, 0] + rng.normal(size=60)
    same = {"name": "n_neighbors", "values": [3, 30], "cv": 3}
    squares = validation_errors(KNeighborsRegressor(), X, y, **same)
    roots = validation_errors(
        KNeighborsRegressor(), X, y, scoring="neg_root_mean_squared_error", **same
    )
    assert_allclose(roots.validation, np.sqrt(squares.validation))
    shares = validation_errors(KNeighborsRegressor(), X, y, scoring="r2", **same)
    assert (shares.validation > 0).all()


def test_the_simplest_good_value_is_within_one_standard_error():
    curve = ErrorCurve(
        "degree",
        np.arange(4),
        np.zeros((4, 2)),
        np.array([[0.5, 0.5], [0.25, 0.25], [0.18, 0.22], [0.1, 0.3]]),
    )
    assert curve.best == 2
    assert curve.standard_error[2] == pytest.approx(0.02)
    assert curve.simplest_good == 2
    large_errors = ErrorCurve("degree", curve.values, curve.train, curve.validation[[0, 1, 3, 3]])
    assert large_errors.simplest_good == 1
    single = ErrorCurve("degree", curve.values, curve.train[:, :1], curve.validation[:, :1])
    assert single.standard_error.tolist() == [0, 0, 0, 0]


def test_one_class_in_a_fold_is_refused_with_advice():
    X, y = np.zeros((20, 1)), np.repeat([0, 1], [10, 10])
    with pytest.raises(ValueError, match=r"fold 0 has only one class; use.*StratifiedKFold"):
        validation_errors(
            LogisticRegression(), X, y, name="C", values=[1.0], cv=KFold(2, shuffle=False)
        )
    with pytest.raises(ValueError, match="start with a larger size"):
        learning_errors(LogisticRegression(), X, y, sizes=[1], cv=2)


@pytest.mark.parametrize("curve", [validation_errors, learning_errors])
def test_a_scorer_without_a_name_is_refused(curve, rings):
    arguments = {"name": "n_neighbors", "values": [1]} if curve is validation_errors else {}
    with pytest.raises(ParameterError, match=f"{curve.__name__}: scoring must be the name"):
        curve(KNeighborsClassifier(), *rings, scoring=make_scorer(f1_score), **arguments)
