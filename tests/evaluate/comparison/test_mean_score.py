"""Mean scores with their intervals."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from gramian.evaluate import (
    compare,
    wilson_interval,
)
from tests.evaluate.comparison.conftest import NOISY, X, Y


def test_constant_scores_have_wilsons_interval():
    found = compare({"a": DummyClassifier(), "b": DummyClassifier()}, X, Y, baseline=None)
    assert found.pairs[0].p_adjusted == 1
    right = wilson_interval(50, 150)  # one in three rows is right in every split
    assert (found.intervals[0].low, found.intervals[0].high) == (right.low, right.high)
    found = compare({"a": DummyClassifier()}, X, Y)
    assert str(found).endswith("a is not significantly better than the baseline (0.3333).")


def test_perfect_scores_do_not_promise_perfection():
    table, y = np.arange(30.0)[:, None], np.repeat([0, 1], 15)
    gap = np.where(y == 1, 1000.0, 0.0)[:, None] + table
    for scoring in (None, "accuracy"):
        found = compare({"stump": DecisionTreeClassifier()}, gap, y, scoring=scoring)
        assert (found.intervals[0].estimate, found.intervals[0].high) == (1, 1)
        assert found.intervals[0].low == pytest.approx(wilson_interval(30, 30).low)
        assert "(95% interval 0.8865 to 1)" in str(found)
    found = compare({"stump": DecisionTreeClassifier()}, gap, y, scoring="f1")
    assert np.isnan([found.intervals[0].low, found.intervals[0].high]).all()
    assert "no interval, since all splits have the same score" in str(found)


def test_errors_as_scores_end_at_zero():
    table, target = load_diabetes(return_X_y=True)
    found = compare([Ridge()], table, target, scoring="neg_mean_squared_error", rope=100.0)
    assert found.intervals[0].high <= 0
    assert found.scoring == "neg_mean_squared_error"


def test_a_custom_score_is_not_clipped_by_its_name():
    def accuracy_gain(model, X, y):
        return 1000 * model.score(X, y)

    found = compare({"bayes": GaussianNB()}, NOISY, Y, scoring=accuracy_gain)
    plain = compare({"bayes": GaussianNB()}, NOISY, Y)
    assert found.scoring == "accuracy_gain"
    assert found.intervals[0].high == pytest.approx(1000 * plain.intervals[0].high)
