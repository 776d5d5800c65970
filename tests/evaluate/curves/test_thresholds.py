"""Thresholds for costs and for a limit of false alarms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gramian.decision import conditional_risk, least_risk
from gramian.evaluate import (
    expected_cost_points,
    roc_points,
    threshold_for_costs,
    threshold_for_limit,
)
from tests.evaluate.curves.conftest import scored


@given(data=scored(), miss=st.floats(0.2, 5), prior=st.floats(0.05, 0.95))
def test_the_threshold_for_costs_is_the_cheapest_of_all(data, miss, prior):
    y, score = data
    roc = roc_points(y, score)
    best = threshold_for_costs(roc, false_alarm=1, miss=miss, prior=prior)
    costs = expected_cost_points(roc, false_alarm=1, miss=miss, prior=prior).costs
    assert best.expected_cost == pytest.approx(costs.min())
    slope = (1 - prior) / (prior * miss)
    assert best.hit_rate - slope * best.false_alarm_rate == pytest.approx(
        (roc.hits - slope * roc.false_alarms).max()
    )


@given(data=scored(), limit=st.floats(0, 1))
def test_the_threshold_for_a_limit_keeps_it_and_hits_most(data, limit):
    y, score = data
    roc = roc_points(y, score)
    point = threshold_for_limit(roc, limit)
    assert point.false_alarm_rate <= limit
    assert point.hit_rate == roc.hits[roc.false_alarms <= limit].max()


def test_the_threshold_of_calibrated_probabilities_matches_the_bayes_decision():
    """Elkan 2001: a / (a + b), whatever the prior."""
    rng = np.random.default_rng(0)
    p = rng.beta(2, 3, size=40_000)
    y = rng.random(40_000) < p
    roc = roc_points(y, p)
    for prior in (None, y.mean()):
        point = threshold_for_costs(roc, false_alarm=1, miss=4, prior=prior)
        assert point.threshold == pytest.approx(0.2, abs=0.04)
    by_risk = least_risk(conditional_risk(np.column_stack([1 - p, p]), [[0, 4], [1, 0]]))
    at = np.searchsorted(-roc.thresholds, -0.2)
    assert by_risk.mean() == pytest.approx(np.mean(p >= roc.thresholds[at]), abs=1e-3)
