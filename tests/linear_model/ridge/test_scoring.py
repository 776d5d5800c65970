"""Scorers applied to predictions that are already computed."""

import numpy as np
import pytest
from sklearn.metrics import r2_score

from gramian import RidgeCV
from gramian.linear_model.ridge.scoring import IsScorer, score_regression
from tests.linear_model.data import table
from tests.linear_model.ridge.ridge_data import ALPHAS


def test_fixed_predictions_are_returned_unchanged():
    X, y, _ = table(30, 3)
    model = RidgeCV(ALPHAS, scoring="neg_max_error", store_cv_results=True).fit(X, y)
    worst = np.abs(model.cv_results_ - y[:, None]).max(axis=0)
    assert model.best_score_ == pytest.approx(-worst.min())
    assert model.alpha_ == ALPHAS[worst.argmin()]


def test_the_score_matches_scikit_learns_metric(rng):
    y, predicted, w = rng.normal(size=(3, 20))
    w = np.abs(w)
    assert score_regression(None, predicted, y, w, "r2") == pytest.approx(
        r2_score(y, predicted, sample_weight=w)
    )
    found = score_regression("neg_mean_absolute_error", predicted, y, None, "r2")
    assert found == pytest.approx(-np.abs(y - predicted).mean())


def test_a_scorer_may_be_a_function_of_the_model():
    found = score_regression(
        lambda model, X, y: model.predict(X)[0], np.array([7.0]), None, None, ""
    )
    assert found == 7.0


def test_names_of_scorers_are_known():
    assert IsScorer().accepts("r2")
    assert not IsScorer().accepts("r3")
    assert not IsScorer().accepts(2)
