"""Probabilities of categories."""

import numpy as np
import pytest

from gramian.base.errors import ParameterError
from gramian.distributions.common.simplex import check_probabilities, is_on_simplex


def test_probabilities_sum_to_1_up_to_rounding():
    p = check_probabilities("C", "p", np.array([0.1] * 10) + 1e-12)
    assert p.sum() == pytest.approx(1, abs=1e-15)
    with pytest.raises(ParameterError, match=r"whose sum is 0.9. Divide them by their sum"):
        check_probabilities("C", "p", np.array([0.4, 0.5]))
    with pytest.raises(ParameterError, match=">= 0"):
        check_probabilities("C", "p", np.array([1.4, -0.4]))
    with pytest.raises(ParameterError, match="one probability per category"):
        check_probabilities("C", "p", np.eye(2))


def test_events_on_the_simplex_are_positive():
    x = np.array([[0.5, 0.5], [1.0, 0.0], [0.6, 0.6]])
    assert is_on_simplex(x).tolist() == [True, False, False]
