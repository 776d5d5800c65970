"""Scores on the test rows are those of the model, with intervals."""

import numpy as np
import pytest

from gramian import study
from gramian.evaluate import auc_interval, wilson_interval
from gramian.study.findings import held_out_scores as module
from gramian.study.problem.metrics import CLASSIFICATION, REGRESSION, Predicted
from gramian.study.problem.problem import pose_problem
from gramian.study.problem.splits import split_rows
from gramian.study.settings import Settings
from tests.study.tables import QUICK, mixed


def test_the_test_score_matches_the_model_on_rows_it_never_saw(classified):
    """The score can be made again from the model and the row numbers alone."""
    settings = Settings(target="bought", evals=4, models=QUICK["models"])
    problem = pose_problem(mixed(), settings)
    rows = split_rows(problem, settings).test
    predicted = classified.model.predict(mixed()[rows])
    assert (
        np.mean(predicted == problem.labels[rows])
        == classified.result["test"]["scores"]["accuracy"]["value"]
    )


@pytest.mark.slow
def test_confusion_is_of_the_decisions_that_the_saved_model_makes():
    """A miss that costs fifty makes nearly every row a "yes"; cheap rejection makes it none."""
    settings = {"costs": ((0.0, 50.0), (1.0, 0.0)), **QUICK}
    problem = pose_problem(mixed(), Settings(target="bought", **settings))
    rows = split_rows(problem, Settings(target="bought", **settings)).test
    for reject in (None, 0.5):
        found = study.run(mixed(), "bought", reject=reject, **settings)
        predicted, truth = found.model.predict(mixed()[rows]), problem.labels[rows]
        expected = [
            [int(((truth == a) & (predicted == b)).sum()) for b in ("no", "yes")]
            for a in ("no", "yes")
        ]
        assert found.result["test"]["confusion"] == expected
        if reject is None:
            assert expected[1][0] == 0 < expected[0][1]  # no miss, some false alarms
        else:
            lost = [int(((truth == a) & (predicted == "reject")).sum()) for a in ("no", "yes")]
            assert found.result["test"]["rejected"] == lost
            assert sum(lost) > 0
    parts = found.contents.models["LogisticRegression"]
    assert np.sum(parts.confusion) + np.sum(parts.rejected) == len(problem.y) - len(rows)


@pytest.fixture
def predicted(rng):
    y = rng.integers(0, 2, 150)
    p = np.clip(0.4 * y + rng.uniform(0.0, 0.7, 150), 0, 1)
    return y, Predicted((p > 0.5).astype(int), np.column_stack([1 - p, p]))


def test_each_metric_has_its_interval(predicted):
    y, predicted = predicted
    found = module.held_out_scores(CLASSIFICATION, y, predicted, None, alpha=0.1, seed=0)
    assert found.keys() == {m.name for m in CLASSIFICATION}
    right = int((predicted.values == y).sum())
    interval = wilson_interval(right, 150, confidence=0.9)
    accuracy = found["accuracy"]
    assert (accuracy.value, accuracy.method) == (right / 150, "Wilson")
    assert (accuracy.low, accuracy.high) == (
        pytest.approx(interval.low),
        pytest.approx(interval.high),
    )
    area = auc_interval(y, predicted.proba[:, 1], confidence=0.9)
    assert found["roc_auc"].method == "DeLong"
    assert (found["roc_auc"].low, found["roc_auc"].high) == (area.low, area.high)
    assert found["log_loss"].method == "bootstrap"
    for scores in found.values():
        assert scores.low <= scores.value <= scores.high


def test_a_bootstrap_interval_covers_what_the_errors_allow(rng):
    """The mean absolute error of n rows has a deviation of about s / sqrt(n)."""
    y = rng.normal(size=400)
    errors = rng.exponential(size=400)
    metric = tuple(m for m in REGRESSION if m.name == "mae")
    found = module.held_out_scores(metric, y, Predicted(y + errors, None), None, alpha=0.05, seed=0)
    half = 1.96 * errors.std() / 20
    assert found["mae"].value == pytest.approx(errors.mean())
    assert found["mae"].low == pytest.approx(errors.mean() - half, abs=0.2 * half)
    assert found["mae"].high == pytest.approx(errors.mean() + half, abs=0.2 * half)


def test_weights_take_the_bootstrap_and_no_probabilities_leave_metrics_out(predicted):
    y, predicted = predicted
    plain = Predicted(predicted.values, None)
    found = module.held_out_scores(CLASSIFICATION, y, plain, np.ones(150), alpha=0.05, seed=0)
    assert found["accuracy"].method == "bootstrap"
    assert "log_loss" not in found


def test_where_all_samples_agree_there_is_no_interval():
    y = np.arange(30.0)
    found = module.held_out_scores(REGRESSION, y, Predicted(y, None), None, alpha=0.05, seed=0)
    assert found["mae"].method == "none"
    assert found["mae"].low is None
