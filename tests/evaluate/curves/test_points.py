"""Confusion, calibration, refusals, residuals, empirical risk, error counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom
from sklearn.calibration import calibration_curve
from sklearn.metrics import max_error, mean_absolute_error, mean_squared_error, r2_score

from gramian.decision import conditional_risk, least_risk
from gramian.evaluate import (
    calibration_points,
    confusion,
    empirical_risk,
    error_reject_points,
    least_empirical_risk,
    misclassified,
    residual_report,
)


@given(seed=st.integers(0, 2**31), n=st.integers(1, 50))
def test_counts_and_rates_are_what_they_count(seed, n):
    """FPR counts {y = -1, f = +1}; TNR = 1 - FPR is the specificity; FNR = 1 - TPR."""
    rng = np.random.default_rng(seed)
    y, f = rng.choice([-1, 1], size=n), rng.choice([-1, 1], size=n)
    found = confusion(y, f, classes=[-1, 1])
    c = found.of(1)
    assert (c.tp, c.fp) == (((y == 1) & (f == 1)).sum(), ((y == -1) & (f == 1)).sum())
    assert (c.fn, c.tn) == (((y == 1) & (f == -1)).sum(), ((y == -1) & (f == -1)).sum())
    assert c.n == n
    assert c.error_rate == found.error_rate == pytest.approx((y != f).mean())
    assert c.accuracy == pytest.approx(1 - c.error_rate)
    if (y == -1).any():
        assert c.fpr == pytest.approx((f[y == -1] == 1).mean())
        assert c.tnr == pytest.approx(1 - c.fpr)
    if (y == 1).any():
        assert c.tpr == pytest.approx((f[y == 1] == 1).mean())
        assert c.fnr == pytest.approx(1 - c.tpr)
    else:
        assert np.isnan(c.tpr)
    if (f == 1).any():
        assert c.precision == pytest.approx((y[f == 1] == 1).mean())


def test_many_classes():
    found = confusion(["a", "b", "c", "c"], ["a", "c", "c", "a"])
    assert_array_equal(found.counts, [[1, 0, 0], [0, 0, 1], [1, 0, 1]])
    assert (found.errors, found.error_rate) == (2, 0.5)
    assert found.of("c").tpr == 0.5
    with pytest.raises(ValueError, match="got 'd'"):
        found.of("d")
    with pytest.raises(ValueError, match=r"classes must contain every label; \['b'\] are missing"):
        confusion(["a", "b"], ["a", "a"], classes=["a"])
    with pytest.raises(ValueError, match=r"y_true \(2,\), y_pred \(3,\)"):
        confusion([0, 1], [0, 1, 1])


@pytest.mark.parametrize(("n", "mean"), [(20, 5), (500, 125)])
def test_worked_number_t12_errors_follow_the_binomial_distribution(n, mean):
    """A rule with risk 1/4 makes n/4 errors on n rows, on average, with binomial spread."""
    rng = np.random.default_rng(0)
    distribution, runs = binom(n, 0.25), 300
    errors = np.array(
        [
            confusion(y, np.where(rng.random(n) < 0.25, 1 - y, y), classes=[0, 1]).errors
            for y in rng.integers(2, size=(runs, n))
        ]
    )
    assert distribution.mean() == mean
    limit = 3.29 * distribution.std() / np.sqrt(runs)  # 99.9 %
    assert errors.mean() == pytest.approx(mean, abs=limit)
    inside = np.mean((errors >= distribution.ppf(0.05)) & (errors <= distribution.ppf(0.95)))
    expected = distribution.cdf(distribution.ppf(0.95)) - distribution.cdf(
        distribution.ppf(0.05) - 1
    )
    assert inside == pytest.approx(expected, abs=3.29 * np.sqrt(0.1 * 0.9 / runs))


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_calibration_is_scikit_learns_with_counts(strategy):
    rng = np.random.default_rng(1)
    p = rng.random(400)
    y = rng.random(400) < p**2
    found = calibration_points(y, p, n_bins=7, strategy=strategy)
    prob_true, prob_pred = calibration_curve(y, p, n_bins=7, strategy=strategy)
    assert_allclose(found.prob_true, prob_true)
    assert_allclose(found.prob_pred, prob_pred)
    assert found.counts.sum() == 400
    assert found.brier == pytest.approx(np.mean((p - y) ** 2))
    assert found.expected_calibration_error > 0.1


def test_calibrated_probabilities_have_small_calibration_error():
    rng = np.random.default_rng(2)
    p = rng.random(20_000)
    assert calibration_points(rng.random(20_000) < p, p).expected_calibration_error < 0.02


def test_what_is_no_probability_has_no_calibration():
    with pytest.raises(ValueError, match=r"values from -1 to 2. Calibrate"):
        calibration_points([0, 1], [-1, 2])
    with pytest.raises(ValueError, match="n_bins must be at least 1"):
        calibration_points([0, 1], [0.1, 0.9], n_bins=0)


@given(seed=st.integers(0, 2**31))
def test_each_point_of_the_error_reject_curve_is_a_rule(seed):
    rng = np.random.default_rng(seed)
    P = np.round(rng.dirichlet([1, 1, 1], size=25), 1)
    P /= P.sum(axis=1, keepdims=True)
    y = np.r_[0, 1, 2, rng.integers(3, size=22)]
    found = error_reject_points(y, P)
    assert found.rejected[0] == 0
    assert (np.diff(found.rejected) > 0).all()
    for cost, rejected, error in zip(*found, strict=True):
        answered = least_risk(conditional_risk(P), cost) >= 0
        assert rejected == pytest.approx(1 - answered.mean())
        assert error == pytest.approx((P.argmax(axis=1) != y)[answered].mean())


def test_a_class_that_is_missing_must_be_named():
    P = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]
    with pytest.raises(ValueError, match="Pass classes if y_true lacks one"):
        error_reject_points([0, 2], P)
    assert error_reject_points([0, 2], P, classes=[0, 1, 2]).errors[0] == 1.0


def test_residuals_and_their_summaries(rng):
    y, f = rng.normal(size=40), rng.normal(size=40)
    report = residual_report(y, f)
    assert_allclose(report.residuals, y - f)
    assert report.mse == pytest.approx(mean_squared_error(y, f))
    assert report.rss == pytest.approx(40 * report.mse)
    assert report.rmse == pytest.approx(np.sqrt(report.mse))
    assert report.mean_absolute == pytest.approx(mean_absolute_error(y, f))
    assert report.max_absolute == pytest.approx(max_error(y, f))
    assert report.r2 == pytest.approx(r2_score(y, f))
    assert np.abs(y - f)[report.worst[0]] == report.max_absolute
    assert report.bias == pytest.approx((y - f).mean())


def test_noise_that_grows_with_the_prediction_is_seen(rng):
    f = np.linspace(1, 10, 300)
    assert residual_report(f + f * rng.normal(size=300), f).spread_trend > 0.3
    assert abs(residual_report(f + rng.normal(size=300), f).spread_trend) < 0.2
    assert np.isnan(residual_report([1.0, 1.0], [1.0, 1.0]).r2)
    with pytest.raises(ValueError, match="finite"):
        residual_report([np.nan], [1.0])


def test_surest_mistakes_come_first():
    proba = [[0.9, 0.1], [0.6, 0.4], [0.3, 0.7], [0.05, 0.95]]
    found = misclassified([1, 1, 1, 0], [0, 0, 1, 1], proba)
    assert found.rows.tolist() == [3, 0, 1]
    assert found.truth.tolist() == [0, 1, 1]
    assert found.error_rate == 0.75
    assert misclassified([1, 1, 1, 0], [0, 0, 1, 1]).rows.tolist() == [0, 1, 3]
    with pytest.raises(ValueError, match="a row for each of the 4 labels"):
        misclassified([1, 1, 1, 0], [0, 0, 1, 1], proba[:2])


def test_the_least_empirical_risk_of_a_list_is_found(rng):
    x = rng.random(200)
    y = x > 0.35
    thresholds = np.linspace(0, 1, 21)
    rules = [lambda x, t=t: x > t for t in thresholds]
    found = least_empirical_risk(rules, x, y)
    assert thresholds[found.best] == pytest.approx(0.35)
    assert found.risks[found.best] == found.risks.min() == 0
    assert_allclose(found.risks, [np.mean((x > t) != y) for t in thresholds])
    with pytest.raises(ValueError, match="at least one hypothesis"):
        least_empirical_risk([], x, y)
    with pytest.raises(ValueError, match="one entry per row"):
        empirical_risk([[1, 2]], [1, 2])
