"""Results of tests and intervals print as one sentence."""

import numpy as np
import pytest

from gramian.evaluate.results import HypothesisTestResult, Interval, between

TEST = HypothesisTestResult("t test", "equal means", 2.5, 0.02, 0.05, "normal differences")


def test_an_interval_contains_its_limits_and_what_is_between():
    interval = Interval(0.2, 0.1, 0.3, 0.95, "Wilson", "independent rows")
    assert str(interval) == "Wilson: 0.2, with 95% confidence between 0.1 and 0.3."
    assert 0.1 in interval
    assert 0.3 in interval
    assert 0.31 not in interval


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ((0.1, 0.25), "between 0.1 and 0.25"),
        ((-np.inf, 0.25), "at most 0.25"),
        ((0.1, np.inf), "at least 0.1"),
        ((np.nan, np.nan), "with unknown limits"),
    ],
)
def test_limits_in_words(limits, words):
    assert between(*limits) == words


def test_a_test_rejects_at_its_level_and_says_so():
    assert TEST.rejected
    assert str(TEST) == (
        't test: "equal means" is rejected at level 0.05 (statistic 2.5, p = 0.02).'
    )
    at_the_level = HypothesisTestResult("t test", "equal means", 2.5, 0.05, 0.05, "")
    assert at_the_level.rejected
    weak = HypothesisTestResult(
        "F test", "equal means", 1.5, 0.3, 0.05, "", df=(10, 5), estimate=0.1, interval=(-0.1, 0.3)
    )
    assert str(weak) == (
        'F test: "equal means" cannot be rejected at level 0.05 (statistic 1.5, p = 0.3, 10 and 5 '
        "degrees of freedom); estimate 0.1, between -0.1 and 0.3."
    )
