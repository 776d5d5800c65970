"""The chosen models on the same new splits, in the scores of every metric."""

import numpy as np
import pytest

import gramian
from gramian import study
from gramian.base.errors import DataError
from gramian.study.journal import Journal
from gramian.study.progress import Clock, Counter
from gramian.study.search.final_comparison import compare_chosen, out_of_fold
from gramian.study.search.search import Chosen
from gramian.study.search.trial import Candidate
from tests.study.tables import QUICK, mixed, prices
from tests.study.workbench import bench_of


def test_a_model_that_fails_in_the_comparison_is_named(monkeypatch):
    fit, calls = gramian.KNeighborsClassifier.fit, []

    def refuse(self, X, y):
        calls.append(1)
        if len(calls) > 25:  # two settings on ten splits each come first
            raise ValueError("tired")
        return fit(self, X, y)

    monkeypatch.setattr(gramian.KNeighborsClassifier, "fit", refuse)
    found = study.run(mixed(), "bought", **QUICK)
    (check,) = [c for c in found.result["checks"] if c["code"] == "failed-model"]
    assert (
        "failed on a split of the comparison and was left out: ValueError: tired" in check["text"]
    )


def compared(bench, splits, names, *, budget=None, journal=None):
    chosen = {name: Chosen(Candidate(name, {}), 0.0, 1) for name in names}
    steps = []
    clock = Clock(budget, before=1.0)
    counter = Counter(steps.append, 99)
    with journal or Journal(None) as journal:
        found = compare_chosen(bench, splits, chosen, 0.05, journal, clock, counter)
        return found, steps, {n: out_of_fold(journal, splits, n) for n in found.chosen}


def test_every_model_is_scored_on_every_split():
    bench, splits, _ = bench_of(prices(), target="price", metric="rmse")
    found, steps, predicted = compared(bench, splits, ["Ridge", "KNeighborsRegressor"])
    assert list(found.chosen) == ["baseline", "Ridge", "KNeighborsRegressor"]
    assert found.complete
    assert found.failures == {}
    assert len(steps) == 3 * len(splits.comparing)
    expected = [bench.run(Candidate("Ridge", {}), s)[0].scores["rmse"] for s in splits.comparing]
    assert found.scores["Ridge"]["rmse"] == pytest.approx(expected)
    comparison = found.comparisons["rmse"]
    assert comparison.names[0] == "Ridge"
    assert comparison.scores[0] == pytest.approx([-v for v in expected])  # higher is better
    predicted, rows = predicted["Ridge"]
    np.testing.assert_array_equal(np.sort(rows), splits.development)
    errors = bench.problem.y[rows] - predicted.values
    sizes = [len(rest) for _, rest in splits.comparing[: splits.once]]
    rmse = np.sqrt(np.average(np.square(expected[: splits.once]), weights=sizes))
    assert np.sqrt(np.mean(errors**2)) == pytest.approx(rmse)


def test_the_baseline_and_the_best_are_compared_however_late_it_is():
    bench, splits, _ = bench_of(prices(), target="price")
    found, _, _ = compared(bench, splits, ["Ridge", "Lasso"], budget=0.5)
    assert list(found.chosen) == ["baseline", "Ridge"]
    assert not found.complete


def test_metrics_that_need_probabilities_leave_out_models_without():
    bench, splits, _ = bench_of(mixed(), target="bought", metric="accuracy")
    found, _, _ = compared(bench, splits, ["LogisticRegression", "RidgeClassifier"])
    assert "RidgeClassifier" in found.comparisons["accuracy"].names
    assert "RidgeClassifier" not in found.comparisons["log_loss"].names


def test_where_no_model_can_be_fitted_the_errors_are_reported(monkeypatch):
    def refuse(self, X, y):
        raise ValueError("no luck")

    monkeypatch.setattr(gramian.KNeighborsRegressor, "fit", refuse)
    bench, splits, _ = bench_of(prices(), target="price")
    with pytest.raises(DataError, match="no model could be fitted: ValueError: no luck"):
        compared(bench, splits, ["KNeighborsRegressor"])
