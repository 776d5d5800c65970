"""Targets and weights of extreme sizes in boosting."""

import pickle

import numpy as np
import pytest
from sklearn import ensemble as sk
from sklearn.base import clone
from sklearn.metrics import mean_pinball_loss

from gramian import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    Ridge,
)


def test_weights_too_large_beside_a_penalty_are_refused():
    X = np.arange(50.0)[:, None]
    model = HistGradientBoostingRegressor(max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match=r"sample_weight must .* Divide sample_weight"):
        model.fit(X, X[:, 0], sample_weight=np.full(50, 1e300))


@pytest.mark.parametrize("exponent", [-900, -300, -65, 70, 140, 300, 900])
@pytest.mark.parametrize(
    "model",
    [
        HistGradientBoostingClassifier(max_iter=5, early_stopping=False, random_state=0),
        HistGradientBoostingRegressor(max_iter=5, early_stopping=False, random_state=0),
        GradientBoostingClassifier(n_estimators=5, random_state=0),
        GradientBoostingRegressor(n_estimators=5, random_state=0),
        GradientBoostingRegressor(n_estimators=5, loss="quantile", alpha=0.3, random_state=0),
    ],
)
def test_the_scale_of_all_weights_does_not_matter(model, exponent):
    """Slopes times weights are single precision, whose range ends at 2^-149 and 2^128."""
    X, y = numbers()
    if "Classifier" in type(model).__name__:
        y = y > 1
    weights = np.arange(1.0, 1 + len(y)) / len(y)
    fits = [clone(model).fit(X, y, np.ldexp(weights, k)) for k in (0, exponent)]
    np.testing.assert_allclose(fits[1].predict(X), fits[0].predict(X), rtol=1e-5, atol=1e-6)


def test_losses_with_a_link_refuse_targets_beyond_single_precision():
    X, y = numbers()
    with pytest.raises(ValueError, match=r"^GradientBoostingRegressor: y must .* Divide y"):
        GradientBoostingRegressor(loss="gamma", n_estimators=2).fit(X, np.exp(y) * 1e160)


@pytest.mark.parametrize("exponent", [-900, -530, -30, 530, 1000])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile", "poisson"])
@pytest.mark.parametrize("learner", [None, Ridge()])
def test_function_boosting_has_no_unit_of_y(loss, exponent, learner):
    X, y = numbers()
    y = np.exp(y) if loss == "poisson" else y
    if loss == "poisson" and exponent > 0:
        return  # refused
    model = GradientBoostingRegressor(loss=loss, estimator=learner, n_estimators=6, subsample=0.5)
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
def test_small_rates_have_the_poisson_trees_of_ordinary_ones(factor):
    X, y = numbers()
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


def test_tiny_rates_beside_a_penalty_are_refused():
    X, y = numbers()
    model = HistGradientBoostingRegressor("poisson", max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match="multiply y by a constant"):
        model.fit(X, np.exp(y) * 1e-160)


@pytest.mark.parametrize("kind", [GradientBoostingRegressor, HistGradientBoostingRegressor])
def test_a_custom_loss_without_slopes_in_single_precision_is_refused(kind):
    X, y = numbers()
    model = kind(loss=lambda y, z: (z - y, np.ones_like(z)))
    with pytest.raises(ValueError, match="too small for single precision"):
        model.fit(X, y * 1e-160)


def numbers(n=200):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] + X[:, 1] ** 2 + rng.normal(size=n)


@pytest.mark.parametrize("exponent", [-900, -300, 100, 1000])
@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "quantile"])
def test_the_unit_of_y_does_not_matter(loss, exponent):
    X, y = numbers()
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
def test_fits_that_stop_or_go_on_know_the_unit_of_y(scoring):
    X, y = numbers()
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


def test_float32_rows_get_predictions_that_hold_large_targets():
    X, y = numbers()
    model = HistGradientBoostingRegressor(max_iter=3).fit(X.astype(np.float32), y * 1e200)
    assert np.corrcoef(model.predict(X.astype(np.float32)) / 1e200, y)[0, 1] > 0.5
    assert np.isfinite(model.predict(X.astype(np.float32))).all()


def test_losses_with_a_link_still_refuse_what_single_precision_does_not_hold():
    X, y = numbers()
    with pytest.raises(ValueError, match=r"Regressor: y must .* Divide y"):
        HistGradientBoostingRegressor("gamma", max_iter=3).fit(X, (1 + y**2) * 1e60)


@pytest.mark.parametrize("loss", ["squared_error", "quantile"])
def test_a_row_of_weight_zero_is_as_if_it_were_not_there(loss):
    X, y = numbers()
    weights = np.arange(len(y)) % 4.0
    X[weights == 0] *= 100  # would move bins, and fill leaves of 20 rows
    y[weights == 0] = 1e9
    model = HistGradientBoostingRegressor(
        loss, quantile=0.9 if loss == "quantile" else None, max_iter=10, random_state=0
    )
    kept = weights > 0
    with_them = clone(model).fit(X, y, weights)
    without = clone(model).fit(X[kept], y[kept], weights[kept])
    np.testing.assert_array_equal(with_them.predict(X), without.predict(X))
    leaves = with_them.apply(X[kept])[:, :, 0]
    assert all(np.unique(tree, return_counts=True)[1].min() >= 20 for tree in leaves.T)


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
def test_quantiles_with_rows_of_weight_zero_are_those_of_scikit_learn_without_them(quantile):
    """With them scikit-learn's leaves hold fewer rows that count than min_samples_leaf."""
    X, y = numbers(400)
    weights = np.arange(len(y)) % 4.0
    kept = weights > 0
    settings = {"loss": "quantile", "quantile": quantile, "max_iter": 30}
    ours = HistGradientBoostingRegressor(**settings).fit(X, y, weights)
    theirs = sk.HistGradientBoostingRegressor(**settings).fit(X[kept], y[kept], weights[kept])
    a, b = (
        mean_pinball_loss(y[kept], m.predict(X[kept]), sample_weight=weights[kept], alpha=quantile)
        for m in (ours, theirs)
    )
    assert a == pytest.approx(b, rel=0.05)
