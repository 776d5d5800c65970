"""Comparison of scores that were computed before."""

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate import compare_scores
from tests.evaluate.comparison.conftest import MODELS, NOISY, Y

SCORES = {"low": [0.5, 0.6, 0.5], "high": [0.9, 0.8, 0.9]}


def test_it_agrees_with_compare_on_the_same_splits(found):
    scores = dict(zip(found.names, found.scores, strict=True))
    again = compare_scores(scores, test_over_train=1 / 4, tested_rows=150, baseline="baseline")
    assert str(again) == str(found)
    assert again.pairs == found.pairs
    assert again.intervals == found.intervals
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    bayes = cross_val_score(MODELS["bayes"], NOISY, Y, cv=cv)
    np.testing.assert_allclose(again.scores[again.names.index("bayes")], bayes)


def test_values_of_the_models_follow_their_order():
    found = compare_scores(
        SCORES, test_over_train=0.5, tested_rows=30, fit_seconds={"low": 1.0, "high": 2.0}
    )
    assert found.names == ("high", "low")
    assert found.fit_seconds.tolist() == [2.0, 1.0]
    assert np.isnan(found.sizes).all()


def test_scores_that_cannot_be_compared_are_refused():
    with pytest.raises(DataError, match="each of the same splits; got 3 for 'low', 2 for 'high'"):
        compare_scores({**SCORES, "high": [0.9, 0.8]}, test_over_train=0.5, tested_rows=30)
    with pytest.raises(ParameterError, match="alpha must be between 0 and 1"):
        compare_scores(SCORES, test_over_train=0.5, tested_rows=30, alpha=1)
