"""Rows and features drawn for each member."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from gramian import (
    BaggingClassifier,
)


def test_features_are_drawn_for_each_member(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(max_features=0.3, n_estimators=20, random_state=0).fit(X, y)
    assert {len(c) for c in model.estimators_features_} == {9}
    assert model.score(X, y) > 0.95
    with pytest.raises(ValueError, match="max_features must be at most 30"):
        BaggingClassifier(max_features=31).fit(X, y)


def test_drawing_without_replacement_and_its_limits(rng):
    X, y = load_breast_cancer(return_X_y=True)
    model = BaggingClassifier(bootstrap=False, max_samples=0.5, random_state=0).fit(X, y)
    assert all(len(np.unique(rows)) == len(X) // 2 for rows in model.estimators_samples_)
    with pytest.raises(ValueError, match="must be <= n_samples"):
        BaggingClassifier(bootstrap=False, max_samples=600).fit(X, y)
    with pytest.raises(ValueError, match="bootstrap=True"):
        BaggingClassifier(bootstrap=False, oob_score=True).fit(X, y)


def test_max_samples_is_a_fraction_of_the_total_weight():
    X, y = load_breast_cancer(return_X_y=True)
    weights = np.zeros(len(y))
    weights[:30] = weights[-30:] = 2
    model = BaggingClassifier(max_samples=0.5, random_state=0).fit(X, y, sample_weight=weights)
    assert {len(rows) for rows in model.estimators_samples_} == {60}
    with pytest.warns(UserWarning, match=r"results in a low number \(1\) of bootstrap samples"):
        BaggingClassifier(max_samples=1.0).fit(X, y, sample_weight=weights / 240)
