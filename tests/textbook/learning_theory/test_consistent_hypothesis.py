"""Learners over a list of hypotheses."""

import numpy as np
import pytest

from gramian.textbook.learning_theory import (
    consistent_hypothesis,
    empirical_error,
    least_error_hypothesis,
)

THRESHOLDS = [lambda x, t=t: x > t for t in np.arange(10)]


def test_the_first_consistent_hypothesis_is_returned():
    x = np.array([0.5, 3.5, 7.5])
    chosen = consistent_hypothesis(THRESHOLDS, x, [False, True, True])
    assert (chosen.position, chosen.error) == (1, 0.0)
    assert chosen.hypothesis(np.array([2.0])).tolist() == [True]


def test_without_a_consistent_hypothesis_none_is_returned():
    x = np.array([0.5, 3.5, 7.5, 8.5])
    labels = [True, False, True, True]
    assert consistent_hypothesis(THRESHOLDS, x, labels)[:2] == (None, None)
    least = least_error_hypothesis(THRESHOLDS, x, labels)
    assert least.error == 0.25
    assert least.error == min(empirical_error(h, x, labels) for h in THRESHOLDS)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="hypotheses must be a list of functions"):
        consistent_hypothesis([], np.array([1.0]), [True])
    with pytest.raises(ValueError, match="at least one row"):
        empirical_error(THRESHOLDS[0], np.empty(0), [])
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(3,\)"):
        empirical_error(THRESHOLDS[0], np.arange(3.0), [True, False])
