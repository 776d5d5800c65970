"""Targets of extreme size in boosting."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from gramian import (
    DecisionTreeRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    Ridge,
)
from tests.ensemble.problems import curved


def test_losses_with_a_link_refuse_targets_beyond_single_precision():
    X, y = curved()
    with pytest.raises(ValueError, match=r"^GradientBoostingRegressor: y must .* Divide y"):
        GradientBoostingRegressor(loss="gamma", n_estimators=2).fit(X, np.exp(y) * 1e160)


@pytest.mark.parametrize("exponent", [-900, -530, -30, 530, 1000])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile", "poisson"])
@pytest.mark.parametrize("learner", [DecisionTreeRegressor(max_depth=3), Ridge()])
def test_boosting_of_a_learner_does_not_depend_on_the_units_of_y(loss, exponent, learner):
    X, y = curved()
    y = np.exp(y) if loss == "poisson" else y
    model = GradientBoostingRegressor(loss=loss, estimator=learner, n_estimators=6, subsample=0.5)
    if loss == "poisson" and exponent > 0:
        with pytest.raises(ValueError, match="Divide y"):
            model.fit(X, np.ldexp(y, exponent))
        return
    model.set_params(random_state=0, n_iter_no_change=2, tol=0.0)
    fits = [
        clone(model).fit(X[:150], np.ldexp(y[:150], k), X_val=X[150:], y_val=np.ldexp(y[150:], k))
        for k in (0, exponent)
    ]
    plain, scaled = (fit.predict(X) for fit in fits)
    np.testing.assert_allclose(np.ldexp(scaled, -exponent), plain, rtol=1e-4, atol=1e-5)
    staged = list(fits[1].staged_predict(X))[-1]
    np.testing.assert_array_equal(staged, scaled)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fits[1])).predict(X), scaled)


@pytest.mark.parametrize("factor", [2.0**-40, 2.0**-66, 2.0**-530, 2.0**-990])
def test_poisson_trees_do_not_depend_on_the_scale_of_small_rates(factor):
    X, y = curved()
    y = np.exp(y)
    model = HistGradientBoostingRegressor("poisson", max_iter=20, random_state=0)
    plain, small = clone(model).fit(X, y), clone(model).fit(X, y * factor)
    np.testing.assert_allclose(small.predict(X) / factor, plain.predict(X), rtol=1e-4)
    np.testing.assert_allclose(
        list(small.staged_predict(X))[3] / factor, list(plain.staged_predict(X))[3], rtol=1e-4
    )
    np.testing.assert_allclose(
        small.predictors_[0][0].value, plain.predictors_[0][0].value, rtol=1e-4, atol=1e-6
    )


def test_tiny_rates_with_a_penalty_are_rejected():
    X, y = curved()
    model = HistGradientBoostingRegressor("poisson", max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match="multiply y by a constant"):
        model.fit(X, np.exp(y) * 1e-160)


@pytest.mark.parametrize("exponent", [-900, -300, 100, 1000])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile"])
def test_the_units_of_y_have_no_effect(loss, exponent):
    X, y = curved()
    model = HistGradientBoostingRegressor(
        loss, quantile=0.3 if loss == "quantile" else None, max_iter=8, random_state=0
    )
    plain, scaled = clone(model).fit(X, y), clone(model).fit(X, np.ldexp(y, exponent))
    expected = np.ldexp(plain.predict(X), exponent)
    np.testing.assert_array_equal(scaled.predict(X), expected)
    np.testing.assert_array_equal(list(scaled.staged_predict(X))[-1], expected)
    np.testing.assert_array_equal(scaled.feature_importances_, plain.feature_importances_)
    a, b = (m.predictors_[3][0].value for m in (plain, scaled))
    np.testing.assert_array_equal(b, np.ldexp(a, exponent))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(scaled)).predict(X), expected)


@pytest.mark.parametrize("scoring", ["loss", None])
def test_early_stopping_and_warm_start_use_the_units_of_y(scoring):
    X, y = curved()
    model = HistGradientBoostingRegressor(
        max_iter=10, random_state=0, warm_start=True, scoring=scoring, n_iter_no_change=2
    )
    fits = []
    for k in (0, 500):
        one = clone(model).fit(
            X[:150], np.ldexp(y[:150], k), X_val=X[150:], y_val=np.ldexp(y[150:], k)
        )
        one.set_params(max_iter=one.n_iter_ + 3, early_stopping=False)
        one.fit(X[:150], np.ldexp(y[:150], k))
        fits.append(np.ldexp(one.predict(X), -k))
    np.testing.assert_array_equal(*fits)


def test_float32_rows_have_float64_predictions_for_large_targets():
    X, y = curved()
    model = HistGradientBoostingRegressor(max_iter=3).fit(X.astype(np.float32), y * 1e200)
    assert np.corrcoef(model.predict(X.astype(np.float32)) / 1e200, y)[0, 1] > 0.5
    assert np.isfinite(model.predict(X.astype(np.float32))).all()


def test_losses_with_a_link_reject_targets_beyond_single_precision():
    X, y = curved()
    with pytest.raises(ValueError, match=r"Regressor: y must .* Divide y"):
        HistGradientBoostingRegressor("gamma", max_iter=3).fit(X, (1 + y**2) * 1e60)
