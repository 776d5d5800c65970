"""Bagging: the samples of its members."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer, load_diabetes

import gramian
from gramian import BaggingClassifier, BaggingRegressor, Ridge
from gramian.textbook.ensembles import distinct_fraction


def test_a_bootstrap_sample_contains_63_percent_of_the_rows(rng):
    """1 - 1/e = 63.2%; for n = 10 it is 65.1%."""
    assert distinct_fraction(10) == pytest.approx(0.651, abs=5e-4)
    assert distinct_fraction(10**7) == pytest.approx(1 - 1 / np.e, abs=1e-6)
    X = rng.normal(size=(1000, 2))
    model = BaggingRegressor(Ridge(), n_estimators=30, random_state=0).fit(X, X[:, 0])
    shares = [len(np.unique(rows)) / 1000 for rows in model.estimators_samples_]
    assert np.mean(shares) == pytest.approx(distinct_fraction(1000), abs=0.005)
    assert all(len(rows) == 1000 for rows in model.estimators_samples_)
    with pytest.raises(ValueError, match="n must be"):
        distinct_fraction(0)


def test_draw_counts_act_as_weights(rng):
    """A member fitted to counts equals one fitted to the rows drawn."""
    X = rng.normal(size=(200, 3))
    y = X[:, 0] + rng.normal(size=200)
    model = BaggingRegressor(Ridge(), n_estimators=3, random_state=0).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        assert_allclose(member.coef_, Ridge().fit(X[rows], y[rows]).coef_, rtol=1e-8)


def test_out_of_bag_score_is_close_to_the_test_score():
    X, y = load_diabetes(return_X_y=True)
    model = BaggingRegressor(n_estimators=100, oob_score=True, random_state=0)
    model.fit(X[:300], y[:300])
    assert model.oob_score_ == pytest.approx(model.score(X[300:], y[300:]), abs=0.12)
    assert model.oob_score_ < model.score(X[:300], y[:300]) - 0.2
    X, y = load_breast_cancer(return_X_y=True)
    classifier = BaggingClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    assert 0.92 < classifier.oob_score_ < 0.99
    assert classifier.oob_decision_function_.shape == (len(X), 2)


def test_warm_start_adds_members_and_n_jobs_has_no_effect():
    X, y = load_breast_cancer(return_X_y=True)
    whole = BaggingClassifier(n_estimators=8, random_state=0).fit(X, y)
    parts = BaggingClassifier(n_estimators=3, random_state=0, warm_start=True).fit(X, y)
    parts.set_params(n_estimators=8).fit(X, y)
    side_by_side = BaggingClassifier(n_estimators=8, random_state=0, n_jobs=2).fit(X, y)
    assert_array_equal(whole.predict_proba(X), parts.predict_proba(X))
    assert_array_equal(whole.predict_proba(X), side_by_side.predict_proba(X))
    with pytest.raises(ValueError, match="n_estimators=2"):
        parts.set_params(n_estimators=2).fit(X, y)


# --- variance -----------------------------------------------------------------------------------


def test_max_samples_as_a_fraction_of_a_huge_weight_is_rejected():
    X, w = np.arange(6.0)[:, None], np.full(6, 1e150)
    model = gramian.BaggingRegressor(max_samples=0.5)
    with pytest.raises(ValueError, match=r"BaggingRegressor: max_samples=0.5 .* Divide"):
        model.fit(X, np.arange(6.0), sample_weight=w)


def test_more_jobs_than_members_are_fine(rng):
    """Joblib refuses numbers beyond a million."""
    X = rng.normal(size=(30, 2))
    many, one = (
        BaggingRegressor(Ridge(), n_estimators=3, random_state=0, n_jobs=jobs).fit(X, X[:, 0])
        for jobs in (2**31 - 1, None)
    )
    assert_array_equal(many.predict(X), one.predict(X))
