"""Pairs of models with adjusted p-values, and their groups."""

import pytest
from sklearn.naive_bayes import GaussianNB

from gramian.evaluate import (
    compare,
    corrected_t_interval,
    corrected_t_test,
)
from tests.evaluate.comparison.conftest import X, Y


def test_pairs_are_the_corrected_test_adjusted_by_holm(found):
    first, second = found.scores[0], found.scores[2]
    pair = found.pair(found.names[0], found.names[2])
    expected = corrected_t_test(first, second, test_over_train=1 / 4)
    assert pair.result == expected
    assert len(found.pairs) == 6
    assert pair.p_adjusted >= expected.p_value
    assert found.pair(found.names[2], found.names[0]) is pair
    interval = corrected_t_interval(first, test_over_train=1 / 4)
    assert found.intervals[0].low == pytest.approx(interval.low)
    with pytest.raises(KeyError, match="the models are"):
        found.pair("bayes", "forest")


def test_groups_hold_pairs_that_no_test_separates(found):
    for group in found.groups:
        for first in group:
            for second in group:
                if first != second:
                    assert found.pair(first, second).p_adjusted > 0.05
    assert {name for group in found.groups for name in group} == set(found.names)
    assert ("baseline",) in found.groups


def test_identical_models_do_not_differ():
    found = compare({"a": GaussianNB(), "b": GaussianNB()}, X, Y)
    pair = found.pair("a", "b")
    assert (pair.p_adjusted, pair.posterior.same) == (1, 1)
    assert ("a", "b") in found.groups
    assert "Practically the same, within 0.01: b." in str(found)
