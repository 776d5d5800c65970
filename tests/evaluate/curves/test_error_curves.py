"""Learning and validation curves, the diagnosis, bias and variance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from gramian.base.errors import ParameterError
from gramian.evaluate import (
    bias_variance,
    bias_variance_curve,
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


def test_validation_errors_are_those_of_cross_validation(rings):
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


def test_a_regressor_is_judged_by_squares_and_scorers_become_errors(rng):
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
    wide = ErrorCurve("degree", curve.values, curve.train, curve.validation[[0, 1, 3, 3]])
    assert wide.simplest_good == 1
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


def test_the_diagnosis_says_what_to_do():
    text = str(diagnose_fit([0.0, 0.02], [0.3, 0.34]))
    assert text.startswith("overfit: training error 0.01")
    assert "use more rows" in text
    assert diagnose_fit(0.4, 0.8).fit == "underfit and overfit"
    noisy = diagnose_fit([0.1] * 4, [0.0, 0.4, 0.0, 0.4], acceptable=0.1)
    assert noisy.fit == "good"  # a gap of 0.1 with a standard error of 0.115
    assert diagnose_fit(0.1, 0.2, acceptable=0.1, tolerance=0.05).fit == "overfit"
    small = diagnose_fit(0.1, 0.17, acceptable=0.16)
    assert small.fit == "good"  # a gap, but near the acceptable error
    shared = diagnose_fit(0.26, 0.34, acceptable=0.16, tolerance=0.11)
    assert shared.fit == "underfit"  # neither part is great alone; the bias is the greater
    with pytest.raises(ValueError, match="finite"):
        diagnose_fit(np.nan, 0.1)


def test_small_errors_are_a_good_fit():
    assert diagnose_fit(0.001, 0.0011).fit == "good"
    assert diagnose_fit(0.001, 0.02).fit == "overfit"  # twenty times as many wrong on new rows
    assert diagnose_fit(0.02, 0.021).fit == "underfit"
    assert diagnose_fit(0.001, 0.0011, tolerance=0.0005).fit == "underfit"


@given(st.floats(1e-6, 1e6))
@settings(max_examples=30, deadline=None)
def test_with_a_baseline_the_verdict_does_not_depend_on_the_units(unit):
    cases = [((0.001, 0.0011), "good"), ((0.001, 0.3), "overfit"), ((0.8, 0.85), "underfit")]
    for (train, validation), fit in cases:
        assert diagnose_fit(train * unit, validation * unit, baseline=unit).fit == fit


def test_a_baseline_is_an_error_above_zero():
    with pytest.raises(ValueError, match="baseline must be an error above 0"):
        diagnose_fit(0.1, 0.2, baseline=0.0)


def sine(z):
    return np.sin(3 * np.asarray(z)[:, 0])


def draw(rng):
    x = rng.uniform(-1, 1, size=(30, 1))
    return x, sine(x) + 0.3 * rng.normal(size=30)


Z = np.linspace(-0.9, 0.9, 13)[:, None]


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**31), k=st.integers(1, 20))
def test_bias_and_variance_add_up_to_the_mean_square(seed, k):
    found = bias_variance(KNeighborsRegressor(k), draw, Z, sine, n_sets=5, random_state=seed)
    squares = ((found.predictions - sine(Z)) ** 2).mean(axis=0)
    assert_allclose(found.bias_squared + found.variance, squares, atol=1e-12)
    assert_allclose(found.risk, squares, atol=1e-12)  # no noise was given


def test_variance_is_around_the_mean_fit_and_not_around_the_truth():
    """A constant 0 has bias^2 = g^2 and no variance, although E (g - h)^2 is not 0."""
    found = bias_variance(
        DummyRegressor(strategy="constant", constant=0.0), draw, Z, sine, noise=0.09, n_sets=4
    )
    assert_allclose(found.variance, 0)
    assert_allclose(found.bias_squared, sine(Z) ** 2)
    assert_allclose(found.risk, sine(Z) ** 2 + 0.09)


def test_least_squares_has_no_bias_and_the_variance_of_the_book():
    """Fixed design: var h(z) = sigma^2 z' (X'X)^-1 z."""
    X = np.c_[np.ones(20), np.linspace(0, 1, 20)]
    found = bias_variance(
        LinearRegression(fit_intercept=False),
        lambda rng: (X, X @ [1.0, 2.0] + 0.5 * rng.normal(size=20)),
        X[[0, 10, 19]],
        X[[0, 10, 19]] @ [1.0, 2.0],
        noise=0.25,
        n_sets=600,
    )
    expected = 0.25 * np.diag(X[[0, 10, 19]] @ np.linalg.inv(X.T @ X) @ X[[0, 10, 19]].T)
    assert_allclose(found.variance, expected, rtol=0.2)
    assert_allclose(found.bias_squared, 0, atol=3.29**2 * expected.max() / 600)


def test_the_risk_is_the_error_on_fresh_targets():
    found = bias_variance(KNeighborsRegressor(4), draw, Z, sine, noise=0.09, n_sets=400)
    rng = np.random.default_rng(5)
    fresh = sine(Z) + 0.3 * rng.normal(size=found.predictions.shape)
    assert np.mean((found.predictions - fresh) ** 2) == pytest.approx(found.means().risk, rel=0.06)


def test_flexibility_trades_bias_for_variance():
    """At the points of a fixed design the mean variance of degree p is sigma^2 (p + 1) / n."""
    x = np.linspace(-1, 1, 30)[:, None]
    degrees = [make_pipeline(PolynomialFeatures(p), LinearRegression()) for p in (1, 3, 9)]
    curve = bias_variance_curve(
        degrees,
        lambda rng: (x, sine(x) + 0.3 * rng.normal(size=30)),
        x,
        sine,
        noise=0.09,
        n_sets=200,
    )
    assert_allclose(curve.variance, 0.09 * np.array([2, 4, 10]) / 30, rtol=0.25)
    assert curve.bias_squared[0] > 10 * curve.bias_squared[1]
    assert curve.risk.argmin() == 1
    assert_allclose(curve.risk, curve.bias_squared + curve.variance + curve.noise)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="one number per point; got shape"):
        bias_variance(DummyRegressor(), draw, Z, [1.0], n_sets=2)
    with pytest.raises(ValueError, match="n_sets must be at least 2"):
        bias_variance(DummyRegressor(), draw, Z, sine, n_sets=1)
    with pytest.raises(ValueError, match="must not be negative"):
        bias_variance(DummyRegressor(), draw, Z, sine, noise=-1, n_sets=2)
    with pytest.raises(ValueError, match="at least one estimator"):
        bias_variance_curve([], draw, Z, sine)


@pytest.mark.parametrize("curve", [validation_errors, learning_errors])
def test_a_scorer_without_a_name_is_refused(curve, rings):
    given = {"name": "n_neighbors", "values": [1]} if curve is validation_errors else {}
    with pytest.raises(ParameterError, match=f"{curve.__name__}: scoring must be the name"):
        curve(KNeighborsClassifier(), *rings, scoring=make_scorer(f1_score), **given)
