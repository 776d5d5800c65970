"""The splits of a comparison: the defaults, and which splits a test can use."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold

from gramian.base.errors import DataError
from gramian.evaluate.comparison.comparison_splits import shared_splits

Y = np.repeat([0, 1], [40, 20])


def splits(cv=None, y=Y, classify=True, test="corrected_t", random_state=0):
    return shared_splits(cv, np.zeros((len(y), 1)), y, classify, test, random_state)


@pytest.mark.parametrize(
    ("test", "classify", "count", "tested"),
    [
        ("corrected_t", True, 10, 12),
        ("corrected_t", False, 10, 12),
        ("mcnemar", True, 10, 6),
        ("five_by_two_t", True, 10, 30),
        ("five_by_two_f", False, 10, 30),
    ],
)
def test_the_default_splits_of_each_test(test, classify, count, tested):
    found = splits(test=test, classify=classify)
    assert len(found) == count
    for train, held_out in found:
        assert len(held_out) == tested
        assert sorted([*train, *held_out]) == list(range(60))
        if classify:
            assert 3 * Y[held_out].sum() == tested  # stratified
    again = splits(test=test, classify=classify)
    assert all(np.array_equal(a[1], b[1]) for a, b in zip(found, again, strict=True))


def test_five_halvings_may_be_given():
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=1)
    assert len(splits(cv, test="five_by_two_t")) == 10


@pytest.mark.parametrize(
    ("changed", "phrase"),
    [
        ({"y": np.linspace(0, 1, 60)}, "y is 'continuous'"),
        ({"y": np.zeros(60, int)}, "only one class, 0"),
        ({"y": np.r_[1, 1, np.zeros(58, int)]}, "class 1 has 2 rows, fewer than the 5 folds"),
        ({"y": np.arange(9.0), "classify": False}, "9 rows are too few for 5 folds"),
        ({"cv": KFold(2), "y": np.repeat([0, 1], 30)}, "split 0 has no training rows of class 0"),
        ({"cv": [(np.arange(50), np.arange(50, 60))]}, "at least two splits; got 1"),
        ({"cv": StratifiedKFold(10), "test": "five_by_two_t"}, "needs five halvings"),
        ({"cv": RepeatedStratifiedKFold(n_splits=5), "test": "mcnemar"}, "tested at most once"),
    ],
)
def test_unsuitable_splits_raise(changed, phrase):
    with pytest.raises(DataError, match=phrase):
        splits(**changed)


@pytest.mark.parametrize(("test", "tested"), [("corrected_t", 12), ("five_by_two_f", 30)])
def test_label_sets_are_stratified_iteratively(test, tested):
    labels = np.random.default_rng(0).random((60, 3)) < 0.3
    found = splits(y=labels.astype(int), test=test)
    assert len(found) == 10
    for train, held_out in found:
        assert abs(len(held_out) - tested) <= 2
        assert not set(train) & set(held_out)
        gap = labels[held_out].mean(axis=0) - labels.mean(axis=0)
        assert np.abs(gap).max() < 0.1
    with pytest.raises(DataError, match="mcnemar"):
        splits(y=labels.astype(int), test="mcnemar")
