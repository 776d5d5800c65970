"""ROC, its area and interval, thresholds, precision and recall."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, roc_auc_score

from gramian.evaluate import (
    auc_interval,
    confusion,
    precision_recall_points,
    roc_points,
    threshold_for_costs,
    threshold_for_limit,
)
from tests.evaluate.curves.conftest import scored

TRUTH = [1, 1, 1, 0, 0]
SCORE = [0.9, 0.8, 0.6, 0.7, 0.5]


def test_worked_number_t41():
    assert auc_interval(TRUTH, SCORE).auc == pytest.approx(5 / 6)
    assert roc_points(TRUTH, SCORE).area.auc == pytest.approx(5 / 6)


@pytest.mark.slow
@given(data=scored())
def test_the_area_is_the_proportion_of_ordered_pairs_and_that_of_the_trapezoids(data):
    y, score = data
    pairs = np.sign(score[y == 1][:, None] - score[y == 0]) / 2 + 0.5
    roc = roc_points(y, score)
    assert roc.area.auc == pytest.approx(pairs.mean())
    assert roc.area.auc == pytest.approx(np.trapezoid(roc.hits, roc.false_alarms))
    assert roc.area.auc == pytest.approx(roc_auc_score(y, score))
    if min(pairs.shape) > 1 and 0 < pairs.mean() < 1:
        V, W = pairs.mean(axis=1), pairs.mean(axis=0)
        variance = V.var(ddof=1) / len(V) + W.var(ddof=1) / len(W)
        assert roc.area.standard_error == pytest.approx(np.sqrt(variance), abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(data=scored())
def test_every_threshold_is_a_point_with_the_rates_of_its_confusion(data):
    y, score = data
    roc = roc_points(y, score)
    assert_array_equal(roc.thresholds[1:], np.unique(score)[::-1])
    assert (roc.false_alarms[0], roc.hits[0]) == (0, 0)
    assert (roc.false_alarms[-1], roc.hits[-1]) == (1, 1)
    for t, fpr, tpr in zip(roc.thresholds, roc.false_alarms, roc.hits, strict=True):
        counts = confusion(y, (score >= t).astype(int), classes=[0, 1]).of(1)
        assert (counts.fpr, counts.tpr) == pytest.approx((fpr, tpr))


@pytest.mark.slow
@given(data=scored())
def test_average_precision_is_scikit_learns(data):
    y, score = data
    found = precision_recall_points(y, score)
    assert found.average_precision == pytest.approx(average_precision_score(y, score))
    assert len(found.thresholds) + 1 == len(found.recall)
    assert_allclose([found.precision[-1], found.recall[-1]], [1, 0])


def test_labels_of_any_kind_and_the_positive_one_named():
    roc = roc_points(["ill", "ill", "ill", "well", "well"], SCORE, positive="ill")
    assert roc.area.auc == pytest.approx(5 / 6)
    assert roc.prevalence == 0.6
    assert roc_points([0, 1, 2, 1], [1, 2, 3, 4], positive=1).area.auc == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("y", "score", "phrase"),
    [
        ([1, 1], [0.1, 0.2], r"both classes; got shape \(2,\) with \[1\].*StratifiedKFold"),
        ([0, 1, 2], [0.1, 0.2, 0.3], "3 classes.*set positive to one of them"),
        ([0, 1], [[0.1, 0.9], [0.2, 0.8]], "pass the column of the positive class"),
        ([0, 1], [0.1, np.nan], "contains nan at row 1"),
    ],
)
def test_input_without_a_roc_curve_raises(y, score, phrase):
    with pytest.raises(ValueError, match=phrase):
        roc_points(y, score)


def test_limits_costs_and_priors_outside_their_range_are_refused():
    roc = roc_points(TRUTH, SCORE)
    with pytest.raises(ValueError, match="limit must be a rate"):
        threshold_for_limit(roc, 1.5)
    with pytest.raises(ValueError, match="finite costs >= 0"):
        threshold_for_costs(roc, miss=-1)
    with pytest.raises(ValueError, match="prior must be between"):
        threshold_for_costs(roc, prior=1.0)
    with pytest.raises(ValueError, match="no row of the positive class 7"):
        roc_points(TRUTH, SCORE, positive=7)
    with pytest.raises(ValueError, match="confidence must be"):
        auc_interval(TRUTH, SCORE, confidence=95)
    with pytest.raises(ValueError, match="scale must be one of 'logit', 'area'; got 'probit'"):
        auc_interval(TRUTH, SCORE, scale="probit")
