"""Training, validation and test rows."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV

from gramian.evaluate import (
    choose_on_validation,
    three_way_split,
)


def test_three_parts_share_no_row_and_keep_the_classes():
    y = np.repeat([0, 1], [80, 20])
    split = three_way_split(y, y, validation=0.25, test=0.15, stratify=True, random_state=4)
    parts = (split.train, split.validation, split.test)
    assert [len(part) for part in parts] == [60, 25, 15]
    assert sorted(np.concatenate(parts)) == list(range(100))
    assert [y[part].mean() for part in parts] == pytest.approx([0.2, 0.2, 0.2])
    assert_array_equal(split.development, np.r_[split.train, split.validation])


def test_the_chosen_model_is_fitted_again_on_training_and_validation_rows(rng):
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 0.0] + 0.1 * rng.normal(size=60)
    split = three_way_split(X, random_state=0)
    candidates = {"weak": Ridge(1e-3), "strong": Ridge(1e3)}
    choice = choose_on_validation(candidates, X, y, split)
    again = Ridge(1e-3).fit(X[split.development], y[split.development])
    assert choice.best == "weak"
    assert_array_equal(choice.model.coef_, again.coef_)
    assert choice.test_score == again.score(X[split.test], y[split.test])
    first = Ridge(1e-3).fit(X[split.train], y[split.train])
    assert choice.train_scores["weak"] == first.score(X[split.train], y[split.train])
    assert choice.validation_scores["weak"] > choice.validation_scores["strong"]


def test_scikit_learns_search_over_two_parameters_does_the_same(rng):
    X = rng.normal(size=(60, 3))
    y = X @ [1.0, 2.0, 0.0] + 0.1 * rng.normal(size=60)
    split = three_way_split(X, random_state=0)
    grid = {"alpha": [1e-3, 1e3], "fit_intercept": [True, False]}
    search = GridSearchCV(Ridge(), grid, cv=split.cv())
    search.fit(X[split.development], y[split.development])
    assert len(search.cv_results_["params"]) == 4
    assert search.n_splits_ == 1
    best = Ridge(**search.best_params_).fit(X[split.train], y[split.train])
    assert search.best_score_ == best.score(X[split.validation], y[split.validation])
    again = Ridge(**search.best_params_).fit(X[split.development], y[split.development])
    assert_array_equal(search.best_estimator_.coef_, again.coef_)


@pytest.mark.parametrize(
    ("arguments", "phrase"),
    [
        ({"X": range(10), "test": 0.8, "validation": 0.3}, "sum below 1"),
        ({"X": range(3), "test": 0.1}, "3 rows are too few"),
        ({"X": range(10), "stratify": True}, "needs class labels"),
        ({"X": range(10), "y": [0] * 9 + [1], "stratify": True}, "stratify=False, or pass more"),
    ],
)
def test_impossible_splits_raise(arguments, phrase):
    with pytest.raises(ValueError, match=phrase):
        three_way_split(**arguments)
    with pytest.raises(ValueError, match="at least one candidate"):
        choose_on_validation({}, [[0]], [0], three_way_split(range(10)))
