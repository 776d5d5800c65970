"""Gradient boosting over histograms: textbook properties, options, and scikit-learn's quality."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import gramian
from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import ParameterError
from tests.ensemble.problems import curved, wave

# --- properties of boosting -----------------------------------------------------------------------


def test_the_last_stage_is_the_prediction(rng):
    X, y = wave(rng, 500)
    regressor = HistGradientBoostingRegressor(max_iter=7).fit(X, y)
    *_, last = regressor.staged_predict(X)
    assert_allclose(last, regressor.predict(X), rtol=1e-12)
    model = HistGradientBoostingClassifier(max_iter=7).fit(X, np.digitize(y, [-1, 1]))
    *_, labels = model.staged_predict(X)
    *_, p = model.staged_predict_proba(X)
    *_, z = model.staged_decision_function(X)
    assert_array_equal(labels, model.predict(X))
    assert_allclose(p, model.predict_proba(X), rtol=1e-10)
    assert_allclose(z, model.decision_function(X), rtol=1e-10)


@pytest.mark.parametrize("n", [300, 30_000])
def test_the_same_bits_for_any_threads(rng, n):
    X, y = wave(rng, n, dtype=np.float32)
    labels = np.digitize(y, [-0.5, 0.5])
    found = []
    for threads in (1, 2, 3):
        gramian.set_num_threads(threads)
        model = HistGradientBoostingClassifier(max_iter=4, early_stopping=False).fit(X, labels)
        found.append(model.decision_function(X))
    assert_array_equal(found[0], found[1])
    assert_array_equal(found[0], found[2])


# --- losses -------------------------------------------------------------------------------------


# --- custom losses ------------------------------------------------------------------------------


# --- missing values and categories --------------------------------------------------------------


def test_missing_values_go_to_the_side_of_greater_gain(rng):
    X = rng.normal(size=(2000, 2))
    y = np.where(X[:, 0] > 0, 1.0, 0.0)
    gone = rng.random(2000) < 0.3
    X[gone, 0] = np.nan
    y[gone] = 5.0
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=3)
    model.fit(X, y)
    expected = [0.0, 1.0, 5.0]
    assert_allclose(model.predict([[-1.0, 0], [1.0, 0], [np.nan, 0]]), expected, atol=0.01)


def test_values_missing_only_in_predict_go_to_the_larger_child(rng):
    X = rng.normal(size=(1000, 1))
    y = (X[:, 0] > 0.8).astype(float)
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=2)
    assert model.fit(X, y).predict([[np.nan]])[0] < 0.1


def test_categories_are_split_into_sets(rng):
    pd = pytest.importorskip("pandas")
    names = np.array([f"town {i}" for i in range(40)])
    town = rng.integers(40, size=4000)
    good = rng.permutation(40) < 20
    y = good[town] + 0.1 * rng.normal(size=4000)
    frame = pd.DataFrame({"town": pd.Categorical(names[town]), "noise": rng.normal(size=4000)})
    model = HistGradientBoostingRegressor(max_iter=1, learning_rate=1.0, max_leaf_nodes=2)
    model.fit(frame, y)
    assert model.is_categorical_.tolist() == [True, False]
    # Two leaves, so one split must separate the good towns from the others.
    assert_allclose(model.predict(frame), good[town], atol=0.05)
    unseen = pd.DataFrame({"town": ["nowhere"], "noise": [0.0]})
    assert np.isfinite(model.predict(unseen)).all()


# --- constraints --------------------------------------------------------------------------------


def test_max_features_limits_the_features_per_node(rng):
    X, y = wave(rng, 1000, 10)
    few = HistGradientBoostingRegressor(max_features=0.1, max_iter=30, random_state=0).fit(X, y)
    assert (few.feature_counts_ > 0).sum() >= 8
    again = HistGradientBoostingRegressor(max_features=0.1, max_iter=30, random_state=0).fit(X, y)
    assert_array_equal(few.predict(X), again.predict(X))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"monotonic_cst": [1]}, "one entry for each of the 3 columns"),
        ({"monotonic_cst": [2, 0, 0]}, "only -1, 0 and 1"),
        ({"monotonic_cst": {"a": 1}}, "no column names"),
        ({"interaction_cst": [[0, 9]]}, "columns 0 to 2"),
        ({"quantile": 0.3}, "None for any other loss"),
        ({"loss": "quantile"}, "quantile must be in"),
        ({"loss": "poisson"}, "requires y >= 0"),
        ({"loss": "gamma"}, "requires y > 0"),
        ({"monotonic_cst": [1, 0, 0], "leaf_steps": 2}, "leaf_steps must be 1"),
        ({"max_bins": 256}, "max_bins"),
    ],
)
def test_invalid_parameters_are_rejected(rng, settings, words):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match=words):
        HistGradientBoostingRegressor(**settings).fit(X, y)


# --- stopping, continuing, weights --------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"X_val": np.zeros((5, 2)), "y_val": np.zeros(5)}, "X_val does not match X.*2 features"),
        ({"X_val": np.zeros((5, 3))}, "y_val is missing"),
        ({"X_val": np.zeros((5, 3)), "y_val": np.zeros(4)}, "y_val does not match X_val"),
        ({"sample_weight_val": np.ones(5)}, "needs X_val"),
    ],
)
def test_bad_validation_rows_are_refused(rng, more, words):
    X, y = wave(rng, 100, 3)
    with pytest.raises(ValueError, match=words):
        HistGradientBoostingRegressor().fit(X, y, **more)


def test_a_warm_start_continues_the_fit(rng):
    X, y = wave(rng)
    whole = HistGradientBoostingRegressor(max_iter=12).fit(X, y)
    parts = HistGradientBoostingRegressor(max_iter=5, warm_start=True).fit(X, y)
    parts.set_params(max_iter=12).fit(X, y)
    assert parts.n_iter_ == 12
    assert_allclose(parts.predict(X), whole.predict(X), rtol=1e-9)
    with pytest.raises(ValueError, match="larger than or equal"):
        parts.set_params(max_iter=3).fit(X, y)
    with pytest.raises(ValueError, match="warm_start"):
        parts.set_params(max_iter=20).fit(X[:, :4], y)


def test_zero_iterations_predict_the_constant(rng):
    X, y = wave(rng, 50)
    model = HistGradientBoostingRegressor(max_iter=0).fit(X, y)
    assert model.n_iter_ == 0
    assert_allclose(model.predict(X), y.mean())
    assert model.apply(X).shape == (50, 0, 1)


# --- weights ------------------------------------------------------------------------------------


def test_huge_weights_with_a_penalty_are_rejected():
    X = np.arange(50.0)[:, None]
    model = HistGradientBoostingRegressor(max_iter=3, l2_regularization=1.0)
    with pytest.raises(ValueError, match=r"sample_weight must .* Divide sample_weight"):
        model.fit(X, X[:, 0], sample_weight=np.full(50, 1e300))


@pytest.mark.parametrize("exponent", [-900, -300, -65, 70, 140, 300, 900])
@pytest.mark.parametrize("kind", [HistGradientBoostingClassifier, HistGradientBoostingRegressor])
def test_scaling_all_sample_weights_has_no_effect(kind, exponent):
    """Slopes times weights are single precision, whose range ends at 2^-149 and 2^128."""
    X, y = curved()
    y = y > 1 if kind is HistGradientBoostingClassifier else y
    weights = np.arange(1.0, 1 + len(y)) / len(y)
    settings = {"max_iter": 5, "early_stopping": False, "random_state": 0}
    fits = [kind(**settings).fit(X, y, np.ldexp(weights, k)) for k in (0, exponent)]
    assert_allclose(fits[1].predict(X), fits[0].predict(X), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rate", [10.0, 1e20])
def test_boosting_that_diverges_is_refused(rng, rate):
    X, y = wave(rng, 200)
    with pytest.raises(ParameterError, match=r"boosting diverged.* got learning_rate=.* Lower it"):
        HistGradientBoostingRegressor(learning_rate=rate).fit(X, y)
