"""Models at their defaults, compared on all rows."""

import numpy as np
import pytest

from gramian.study.comparing import compare_table
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices

TWO = ("LogisticRegression", "KNeighborsClassifier")


def test_models_and_the_baseline_are_compared_on_every_split():
    steps = []
    settings = Settings(target="bought", models=TWO, metric="accuracy")
    problem, comparison = compare_table(mixed(), settings, steps.append)
    assert problem.task == "classification"
    assert set(comparison.names) == {*TWO, "baseline"}
    assert comparison.names[0] == "LogisticRegression"
    assert comparison.pair("LogisticRegression", "baseline").p_adjusted < 0.05
    splits = comparison.scores.shape[1]
    assert steps[-1].done == steps[-1].total == 3 * splits
    means = comparison.scores.mean(axis=1)
    assert means.tolist() == sorted(means, reverse=True)


def test_the_baseline_has_the_proportion_of_the_larger_class():
    """On every fold of 24 rows, but for one row."""
    settings = Settings(target="bought", models=TWO, metric="accuracy")
    problem, comparison = compare_table(mixed(), settings)
    largest = np.bincount(problem.y).max() / len(problem.y)
    baseline = comparison.scores[comparison.names.index("baseline")]
    np.testing.assert_allclose(baseline, largest, atol=1 / 24)


def test_regression_is_compared_by_its_own_metric():
    settings = Settings(target="price", models=("Ridge",), metric="rmse")
    _, comparison = compare_table(prices(), settings)
    assert comparison.names == ("Ridge", "baseline")
    assert comparison.scores[0].mean() == pytest.approx(-10.0, abs=2.0)  # noise of deviation 10
