"""One setting on one split: prepared, fitted and scored by every metric."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import accuracy_score, log_loss

import gramian
from gramian import study
from gramian.study.search.trial import BASELINE, Candidate
from tests.study.tables import mixed, prices
from tests.study.workbench import bench_of


def test_of_many_training_rows_some_are_judged(monkeypatch):
    """Every third of them: of 76 or 77, all but a fold of the 96 rows to learn from, 26."""
    monkeypatch.setattr("gramian.study.search.trial._MOST_SEEN", 26)
    predict, sizes = gramian.KNeighborsClassifier.predict, []

    def counted(self, X):
        sizes.append(len(X))
        return predict(self, X)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "predict", counted)
    asked = {"metric": "accuracy", "models": ("KNeighborsClassifier",)}
    found = study.run(mixed(), "bought", evals=1, **asked)
    assert 26 in sizes
    assert not {76, 77} & set(sizes)
    assert 0.5 < found.result["leaderboard"][0]["train"] <= 1


def test_scores_match_the_predictions():
    bench, splits, _ = bench_of(mixed(), target="bought")
    split = splits.tuning[0]
    trial, predicted = bench.run(Candidate("LogisticRegression", {"C": 0.5}), split)
    y = bench.problem.y[split[1]]
    assert trial.scores["accuracy"] == accuracy_score(y, predicted.values)
    assert trial.scores["log_loss"] == pytest.approx(log_loss(y, predicted.proba))
    assert min(trial.seconds) >= 0
    assert trial.warnings == ()


def test_nothing_of_the_held_out_rows_is_learned():
    """Medians, levels and scales are those of the training rows: the model is the pipeline's."""
    bench, splits, _ = bench_of(mixed(), target="bought")
    train, rest = splits.tuning[0]
    candidate = Candidate("LogisticRegression", {})
    _, predicted = bench.run(candidate, (train, rest))
    pipeline = bench.fitted_pipeline(candidate, train)
    again = bench.predicted_by(pipeline, bench.problem.frame[rest])
    np.testing.assert_array_equal(predicted.values, again.values)
    np.testing.assert_allclose(predicted.proba, again.proba, rtol=1e-9)


def test_the_training_score_is_asked_for():
    bench, splits, _ = bench_of(prices(), target="price", metric="rmse")
    on_train, _ = bench.run(Candidate("Ridge", {}), splits.tuning[0])
    without, _ = bench.run(Candidate("Ridge", {}), splits.tuning[0], on_train=False)
    assert on_train.train_score > 0
    assert np.isnan(without.train_score)
    assert on_train.scores == without.scores


def test_the_baseline_ignores_all_features():
    bench, splits, _ = bench_of(prices(), target="price")
    train, rest = splits.tuning[0]
    _, predicted = bench.run(Candidate(BASELINE, {}), (train, rest))
    np.testing.assert_allclose(predicted.values, bench.problem.y[train].mean())


def test_a_class_that_the_training_rows_lack_has_probability_zero():
    frame = pl.DataFrame({"x": np.arange(30.0) ** 2, "y": ["a", "b", "c"] * 10})
    bench, _, _ = bench_of(frame, target="y")
    without = np.flatnonzero(bench.problem.y != 1)
    _, predicted = bench.run(Candidate("LogisticRegression", {}), (without, np.arange(30)))
    assert predicted.proba.shape == (30, 3)
    assert not predicted.proba[:, 1].any()
    assert predicted.proba.sum(axis=1) == pytest.approx(1.0)


def test_weights_reach_the_model_and_the_scores():
    frame = prices().with_columns(w=pl.when(pl.col("rooms") > 3).then(0.0).otherwise(2.0))
    bench, _, _ = bench_of(frame, target="price", weights="w")
    w, y, rows = bench.problem.weights, bench.problem.y, np.arange(90)
    trial, predicted = bench.run(Candidate(BASELINE, {}), (rows, rows))
    np.testing.assert_allclose(predicted.values, np.average(y, weights=w))
    assert trial.scores["mae"] == pytest.approx(np.average(np.abs(y - predicted.values), weights=w))


def test_models_that_take_categories_get_codes():
    bench, _, _ = bench_of(mixed(), target="bought")
    tree, line = Candidate("DecisionTreeClassifier", {}), Candidate("LogisticRegression", {})
    assert bench.preparer(tree).categories == "codes"
    assert bench.model(tree).categorical_features == [0]
    assert bench.preparer(line).categories == "one-hot"
    assert bench.model(Candidate("LogisticRegression", {"C": 3.0, "other": 1})).C == 3.0
