"""Errors of leave-one-out."""

import numpy as np
import pytest

from gramian import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from gramian.base.errors import DataError

RNG = np.random.default_rng(0)


def test_a_class_of_one_row_cannot_be_left_out():
    X, y = RNG.normal(size=(9, 2)), np.array([0, 0, 0, 0, 1, 1, 1, 1, 2])
    with pytest.raises(DataError, match="at least two rows"):
        LinearDiscriminantAnalysis().fit(X, y).leave_one_out(X, y)


def test_a_row_that_alone_has_a_direction_cannot_be_left_out():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0], [5, 5], [6, 7], [7, 5], [8, 9]])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    with pytest.raises(DataError, match="without one of the rows the covariance is singular"):
        QuadraticDiscriminantAnalysis().fit(X, y).leave_one_out(X, y)
