"""Costs of decisions: zero-one and loss matrices."""

import numpy as np
import pytest

from gramian.base.errors import DataError
from gramian.objectives import ZeroOne
from gramian.textbook.decisions import LossMatrix


def test_zero_one_counts_wrong_signs_and_loss_matrices_take_any_cost():
    assert ZeroOne().value([1, 1, -1, -1], [1.0, -1.0, 1.0, -1.0]).tolist() == [0, 1, 1, 0]
    truth, action = np.array([0, 1, 2, 0]), np.array([0, 2, 2, 1])
    assert LossMatrix.symmetric(3).value(truth, action).tolist() == [0, 1, 0, 1]
    assert LossMatrix.symmetric(3, cost=5).value(truth, action).tolist() == [0, 5, 0, 5]
    costs = LossMatrix([[0, 4], [1, 0], [0.5, 0.5]])  # two classes and a rejection
    assert costs.value([1], [2]) == [0.5]
    assert costs.risk([[0.5, 0.5]])[0].tolist() == [2.0, 0.5, 0.5]
    with pytest.raises(DataError, match="shape"):
        LossMatrix([1, 2])
