"""Checks of the penalty and of probabilities as targets."""

import numpy as np
import pytest

from gramian import LogisticRegression
from gramian.base.errors import DataError, ParameterError
from gramian.linear_model.glm.logistic_checks import check_no_l1, check_probabilities


@pytest.mark.parametrize(
    ("P", "phrase"),
    [
        ([0.5, 1.2, 0.1], "must be in .0, 1.; got 1.2 at row 1"),
        ([0.5, -0.1, 0.1], "got -0.1 at row 1"),
        ([[0.5, 0.2], [0.5, 0.5], [1, 0]], "must sum to 1; got 0.7 at row 0"),
        ([0.0, 0.0, 0.0], "at least 2 classes"),
        ([0.5, np.nan, 0.1], "NaN"),
    ],
)
def test_soft_targets_must_be_probabilities(P, phrase):
    with pytest.raises(ValueError, match=phrase):
        LogisticRegression().fit_probabilities([[0.0], [1.0], [2.0]], P)
    with pytest.raises(ValueError, match="need labels"):
        LogisticRegression(class_weight="balanced").fit_probabilities([[0.0]], [0.5])


def test_an_l1_penalty_needs_a_finite_c_to_matter():
    check_no_l1(np.inf, 0.5)
    check_no_l1(1.0, 0.0)
    with pytest.raises(ParameterError, match=r"needs l1_ratio=0; got 0\.5"):
        check_no_l1(1.0, 0.5)


def test_rows_of_probabilities_sum_to_1_up_to_rounding():
    check_probabilities(np.array([[0.3, 0.7 + 1e-8], [1.0, 0.0]]))
    with pytest.raises(DataError, match=r"sum to 1; got 0\.9 at row 1"):
        check_probabilities(np.array([[0.3, 0.7], [0.9, 0.0]]))
