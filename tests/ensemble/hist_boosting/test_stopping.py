"""Early stopping by the scores of the iterations."""

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

import gramian
from gramian import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from gramian.base.errors import ParameterError
from tests.ensemble.problems import wave


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_training_scores_match_predict(rng, dtype):
    """Codes in fit and values in predict lead to the same leaf."""
    X, y = wave(rng, 3000, dtype=dtype)
    model = HistGradientBoostingRegressor(
        max_iter=10, early_stopping=True, validation_fraction=None
    ).fit(X, y)
    missed = 0.5 * np.mean((y - model._scores(X)[0]) ** 2)
    assert -model.train_score_[-1] == pytest.approx(missed, rel=1e-10)


def test_early_stopping_uses_x_val(rng):
    X, y = wave(rng, 3000)
    y += rng.normal(size=3000)
    Xt, Xv, yt, yv = train_test_split(X, y, random_state=0)
    model = HistGradientBoostingRegressor(max_iter=500, n_iter_no_change=5)
    model.fit(Xt, yt, X_val=Xv, y_val=yv)
    assert model.do_early_stopping_
    assert model.n_iter_ < 500
    assert len(model.validation_score_) == model.n_iter_ + 1
    expected = -0.5 * np.mean((yv - model.predict(Xv)) ** 2)
    assert model.validation_score_[-1] == pytest.approx(expected, rel=1e-9)


def test_early_stopping_with_a_scorer(rng):
    X, y = wave(rng, 1200)
    model = HistGradientBoostingClassifier(
        max_iter=200, early_stopping=True, scoring="accuracy", n_iter_no_change=3, random_state=0
    ).fit(X, y > 0)
    assert model.n_iter_ < 200
    assert 0.5 < model.validation_score_[-1] <= 1


def test_a_scoring_function_must_return_a_number():
    X, y = np.arange(40.0)[:, None], np.arange(40) % 2
    model = gramian.HistGradientBoostingClassifier(
        max_iter=2, early_stopping=True, scoring=lambda *arguments, **more: None
    )
    with pytest.raises(ParameterError, match="HistGradientBoostingClassifier: scoring must be a"):
        model.fit(X, y)
