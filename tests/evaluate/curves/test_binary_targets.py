"""Which rows are positive, and scores and arrays of the right length."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.evaluate.curves.binary_targets import check_same_length, check_scores, positives


def test_the_larger_of_two_labels_is_positive_unless_named():
    assert positives("roc", ["ill", "well", "ill"]).tolist() == [False, True, False]
    assert positives("roc", ["ill", "well", "ill"], "ill").tolist() == [True, False, True]
    assert positives("roc", [0, 1, 2], 1).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("y", "positive", "phrase"),
    [
        ([1, 1], None, "with both classes"),
        ([[0, 1]], None, r"got shape \(1, 2\)"),
        ([0, 1, 2], None, "3 classes.*set positive"),
        ([0, 1], 7, "no row of the positive class 7"),
    ],
)
def test_targets_without_two_classes_are_refused(y, positive, phrase):
    with pytest.raises(DataError, match=f"roc: .*{phrase}"):
        positives("roc", y, positive)


def test_scores_are_one_finite_number_for_each_row():
    assert check_scores("roc", [1, 2], 2).tolist() == [1.0, 2.0]
    with pytest.raises(DataError, match="score must have one number for each of the 3 rows"):
        check_scores("roc", [1, 2], 3)
    with pytest.raises(DataError, match="weight contains inf at row 1"):
        check_scores("roc", [1, np.inf], 2, name="weight")


def test_arrays_of_one_length():
    a, b = check_same_length("confusion", truth=[0, 1], predicted=["x", "y"])
    assert (a.tolist(), b.tolist()) == ([0, 1], ["x", "y"])
    for truth, predicted in (([0, 1], [0]), ([], []), ([[0]], [[0]])):
        with pytest.raises(DataError, match=r"one entry per row; got shapes truth \("):
            check_same_length("confusion", truth=truth, predicted=predicted)
