"""The parameter cv: a number, a splitter or an iterable, for every estimator that has it."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold

from gramian.base.errors import DataError
from gramian.base.folds import IsSplitter, check_splits
from tests.contract.estimators import every, table

X, y = np.zeros((6, 1)), np.array([0, 0, 0, 1, 1, 1])


@pytest.mark.parametrize("value", [2, np.int64(5), KFold(3), [], iter([]), ((), ())])
def test_folds_are_numbers_splitters_and_iterables(value):
    assert IsSplitter().accepts(value)


@pytest.mark.parametrize("value", [1, 0, True, 2.5, "5", None, object()])
def test_other_things_are_no_folds(value):
    assert not IsSplitter().accepts(value)


def test_all_forms_of_the_same_folds_give_the_same_rows():
    rows = list(KFold(3).split(X))
    masks = [(np.isin(np.arange(6), a), np.isin(np.arange(6), b)) for a, b in rows]
    for cv in (3, KFold(3), rows, iter(rows), masks):
        found = check_splits("Who", cv, X, y, classifier=False)
        assert [(a.tolist(), b.tolist()) for a, b in found] == [
            (a.tolist(), b.tolist()) for a, b in rows
        ]
        assert all(part.dtype == np.intp for pair in found for part in pair)


def test_folds_of_a_classifier_keep_the_proportions_of_the_classes():
    for _, test in check_splits("Who", 3, X, y, classifier=True):
        assert sorted(y[test].tolist()) == [0, 1]


@pytest.mark.parametrize("cv", [7, GroupKFold(2)])
def test_impossible_folds_name_the_estimator(cv):
    with pytest.raises(DataError, match=r"^Who: cv=.* cannot split these rows"):
        check_splits("Who", cv, X, y, classifier=False)


WITH_FOLDS = [m for m in every() if m.values[0].get_params(deep=False).get("cv") is not None]


@pytest.mark.parametrize("model", WITH_FOLDS)
def test_an_estimator_takes_folds_that_can_be_read_once(model):
    rows, targets = table(model)
    splits = list(KFold(2, shuffle=True, random_state=0).split(rows))
    listed = clone(model).set_params(cv=splits).fit(rows, targets)
    once = clone(model)
    once.cv = iter(splits)  # a clone would copy what cannot be copied
    once.fit(rows, targets)
    method = "predict" if hasattr(model, "predict") else "transform"
    np.testing.assert_array_equal(getattr(listed, method)(rows), getattr(once, method)(rows))


def test_there_are_estimators_with_folds():
    assert len(WITH_FOLDS) >= 8


def test_folds_without_weight_are_refused():
    X, y, weights = np.zeros((6, 1)), np.arange(6.0), np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(DataError, match="Any: sample_weight is 0 for all training rows of fold 0"):
        check_splits("Any", 3, X, y, classifier=False, weights=weights)
    with pytest.raises(DataError, match="is 0 for all test rows of fold 1"):
        check_splits("Any", 3, X, y, classifier=False, weights=weights[[0, 2, 3, 4, 1, 5]])
