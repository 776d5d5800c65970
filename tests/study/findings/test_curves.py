"""Curves and counts of out-of-fold predictions, against scikit-learn and by hand."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, confusion_matrix, roc_auc_score, roc_curve

from gramian.study.findings.curves import confusion_counts, describe_classes, describe_regression
from gramian.study.problem.metrics import Predicted


@pytest.fixture
def two(rng):
    y = rng.integers(0, 2, 300)
    p = np.clip(0.5 * y + rng.normal(0.25, 0.2, 300), 0.01, 0.99)
    return y, Predicted((p > 0.5).astype(int), np.column_stack([1 - p, p]))


def test_the_confusion_matrix_has_the_truth_in_its_rows(two):
    y, predicted = two
    confusion, rejected = confusion_counts(y, predicted, 2, None)
    np.testing.assert_array_equal(confusion, confusion_matrix(y, predicted.values))
    assert rejected is None


def test_rejected_rows_are_counted_apart():
    predicted = Predicted(np.array([0, 1, 2, 2]), None)
    rejected = np.array([False, True, False, True])
    found = confusion_counts(np.array([0, 0, 1, 2]), predicted, 3, rejected)
    assert found == (((1, 0, 0), (0, 0, 1), (0, 0, 0)), (1, 0, 1))


def test_two_classes_have_one_curve(two):
    y, predicted = two
    found = describe_classes(y, predicted, [100, 100, 100], ["no", "yes"])
    (curve,) = found.curves
    p = predicted.proba[:, 1]
    assert curve.class_ == 1
    assert curve.auc == pytest.approx(roc_auc_score(y, p))
    assert curve.auc_low < curve.auc < curve.auc_high
    assert curve.average_precision == pytest.approx(average_precision_score(y, p))
    x, hits = curve.roc.x, curve.roc.y
    assert (x[0], hits[0], x[-1], hits[-1]) == (0, 0, 1, 1)
    alarms, true, _ = roc_curve(y, p, drop_intermediate=False)
    away = np.abs(np.array(x)[:, None] - alarms) + np.abs(np.array(hits)[:, None] - true)
    assert away.min(axis=1).max() < 1e-5  # every point shown is one of the curve
    assert len(curve.roc_band.low) == 51
    assert np.all(np.array(curve.roc_band.low) <= curve.roc_band.high)


def test_thresholds_count_true_and_false_positives(two):
    y, predicted = two
    (curve,) = describe_classes(y, predicted, [300], ["no", "yes"]).curves
    at = curve.thresholds.at.index(0.4)
    above = predicted.proba[:, 1] >= 0.4
    assert curve.thresholds.true_positives[at] == (above & (y == 1)).sum()
    assert curve.thresholds.false_positives[at] == (above & (y == 0)).sum()
    assert curve.thresholds.positives + curve.thresholds.negatives == 300


def test_the_confidence_of_right_and_wrong_rows(two):
    y, predicted = two
    histogram = describe_classes(y, predicted, [300], ["no", "yes"]).histogram
    assert sum(histogram.right) == (predicted.values == y).sum()
    assert sum(histogram.wrong) == (predicted.values != y).sum()


def test_of_many_classes_the_most_frequent_have_curves(rng):
    y = np.repeat(np.arange(15), np.arange(20, 5, -1))
    predicted = Predicted(y, rng.dirichlet(np.ones(15), len(y)))
    found = describe_classes(y, predicted, [len(y)], list("abcdefghijklmno"))
    assert [curve.class_ for curve in found.curves] == list(range(12))


def test_without_probabilities_there_are_no_curves(two):
    y, predicted = two
    found = describe_classes(y, Predicted(predicted.values, None), [300], ["no", "yes"])
    assert found.histogram is None
    assert found.curves == ()


def test_regression_has_residuals_and_deciles(rng):
    y = rng.normal(size=500)
    predicted = Predicted(y + rng.normal(0.5, 0.1, 500), None)
    found = describe_regression(y, predicted, 0)
    assert len(found.dots.true) == len(found.dots.predicted) == 400
    assert sum(found.residuals.counts) == 500
    assert [part.rows for part in found.deciles] == [50] * 10
    order = np.argsort(predicted.values)[:50]
    assert found.deciles[0].mean_error == pytest.approx((y - predicted.values)[order].mean())
    assert found.deciles[0].to <= found.deciles[1].from_
