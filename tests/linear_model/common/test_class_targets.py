"""Checks of the targets of linear classifiers."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model.common.class_targets import (
    check_classes,
    check_penalty,
    check_probabilities,
    class_outputs,
)


@pytest.mark.parametrize(
    ("P", "phrase"),
    [
        ([0.5, 1.2, 0.1], "must lie in .0, 1.; got 1.2 at row 1"),
        ([0.5, -0.1, 0.1], "got -0.1 at row 1"),
        ([[0.5, 0.2], [0.5, 0.5], [1, 0]], "must sum to 1; got 0.7 at row 0"),
        ([0.0, 0.0, 0.0], "at least 2 classes"),
        ([0.5, np.nan, 0.1], "NaN"),
    ],
)
def test_soft_targets_that_are_no_probabilities_are_refused(P, phrase):
    with pytest.raises(ValueError, match=phrase):
        LogisticRegression().fit_probabilities([[0.0], [1.0], [2.0]], P)
    with pytest.raises(ValueError, match="need labels"):
        LogisticRegression(class_weight="balanced").fit_probabilities([[0.0]], [0.5])


# Bad input


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes") as error:
        LogisticRegression().fit([[0.0], [1.0]], ["a", "a"])
    assert "'a'" in str(error.value)
    with pytest.raises(ValueError, match="at least 2 classes"):
        LogisticRegression().fit([[0.0], [1.0]], ["a", "b"], sample_weight=[1, 0])


def test_outputs_are_the_second_of_two_classes_or_each():
    assert class_outputs(np.array(["no", "yes"])) == [1]
    assert class_outputs(np.array(["a", "b", "c"])) == [0, 1, 2]


def test_classes_of_positive_weight_are_counted():
    classes = np.array(["a", "b", "c"])
    check_classes("Owner", classes, np.array([0.0, 1.0, 2.0]))
    with pytest.raises(DataError, match=r"Owner: y must hold at least 2 classes .* only: 'b'"):
        check_classes("Owner", classes, np.array([0.0, 1.0, 0.0]))


def test_an_l1_penalty_needs_a_finite_c_to_matter():
    check_penalty(np.inf, 0.5)
    check_penalty(1.0, 0.0)
    with pytest.raises(ParameterError, match=r"needs l1_ratio=0; got 0\.5"):
        check_penalty(1.0, 0.5)


def test_rows_of_probabilities_sum_to_1_up_to_rounding():
    check_probabilities(np.array([[0.3, 0.7 + 1e-8], [1.0, 0.0]]))
    with pytest.raises(DataError, match=r"sum to 1; got 0\.9 at row 1"):
        check_probabilities(np.array([[0.3, 0.7], [0.9, 0.0]]))
