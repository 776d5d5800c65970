"""The examples of decisions and of bias and variance run, and what their texts claim holds."""

import numpy as np
import pytest

from tests.docs.test_examples import run


def test_minding_costs_errs_more_and_costs_less():
    found = run("plot_costs_and_rejection")
    y, costs = found["y_new"], found["costs"]
    likeliest, cheapest = found["rules"].values()
    assert np.mean(cheapest != y) > np.mean(likeliest != y)
    assert costs[cheapest, y].mean() < costs[likeliest, y].mean()
    assert found["cheapest"].threshold == pytest.approx(1 / 11, abs=0.06)
    assert found["careful"].false_alarm_rate <= 0.05


def test_an_expert_for_the_unsure_cases_lowers_cost_and_errors():
    found = run("plot_costs_and_rejection")
    X, y = found["X_new"], found["y_new"]
    assert found["with_expert"].mean_cost(X, y) < found["decision"].mean_cost(X, y)
    errors, rejected = found["curve"].errors, found["curve"].rejected
    half = np.searchsorted(rejected, 0.5)
    assert errors[half] < errors[0]
    assert found["calibration"].expected_calibration_error < 0.05


@pytest.mark.slow
def test_simple_fits_are_biased_and_flexible_ones_vary():
    found = run("plot_bias_and_variance")
    curve, degrees = found["curve"], found["degrees"]
    assert curve.bias_squared[0] > curve.variance[0]
    assert curve.variance[-1] > curve.bias_squared[-1]
    assert degrees[curve.risk.argmin()] == 3
    fits = {}
    for degree in (1, 3):
        at = int(np.flatnonzero(degrees == degree)[0])
        pair = found["errors"].train[at], found["errors"].validation[at]
        fits[degree] = found["diagnose_fit"](*pair, acceptable=found["noise"]).fit
    assert fits[1].startswith("underfit")
    assert fits[3] == "good"
