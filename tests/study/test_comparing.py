"""Models at their defaults, compared on all rows."""

import numpy as np
import polars as pl
import pytest

from gramian.base.errors import ParameterError
from gramian.study.comparing import compare_table
from gramian.study.settings import Settings
from tests.study.tables import mixed, prices

TWO = ("LogisticRegression", "KNeighborsClassifier")


def test_models_and_the_baseline_are_compared_on_every_split():
    steps = []
    settings = Settings(target="bought", models=TWO, metric="accuracy")
    found = compare_table(mixed(), settings, steps.append)
    comparison = found.comparison
    assert found.problem.task == "classification"
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
    found = compare_table(mixed(), settings)
    comparison, y = found.comparison, found.problem.y
    largest = np.bincount(y).max() / len(y)
    baseline = comparison.scores[comparison.names.index("baseline")]
    np.testing.assert_allclose(baseline, largest, atol=1 / 24)


def test_regression_is_compared_by_its_own_metric():
    settings = Settings(target="price", models=("Ridge",), metric="rmse")
    comparison = compare_table(prices(), settings).comparison
    assert comparison.names == ("Ridge", "baseline")
    assert comparison.scores[0].mean() == pytest.approx(-10.0, abs=2.0)  # noise of deviation 10


def test_the_data_are_checked_before_the_models_are_fitted():
    lines, steps = [], []
    row = pl.int_range(pl.len())
    frame = mixed().with_columns(
        copy=pl.col("bought").replace("yes", "sold"),
        near=pl.when(row == 3).then(pl.lit("?")).otherwise(pl.col("bought")),
    )

    def announce(some):
        assert not steps
        lines.extend(some)

    settings = Settings(target="bought", models=TWO)
    found = compare_table(frame, settings, steps.append, announce)
    codes = {issue.code for issue in found.problem.issues if issue.severity == "serious"}
    assert codes == {"target-copy", "target-leak"}
    assert any("'copy' equals the target" in line for line in lines)
    assert any("'near' alone nearly determines the target" in line for line in lines)
    assert "copy" not in found.problem.kinds


def test_what_it_says_is_in_the_direction_of_the_metric():
    found = compare_table(mixed(), Settings(target="bought", models=TWO))
    assert found.metric.name == "log_loss"
    assert found.sentences[0].startswith("LogisticRegression has the best mean log_loss: 0.")
    assert found.sentences[0].endswith("; lower is better.")
    assert " -" not in "".join(found.sentences)
    assert found.standings["LogisticRegression"].status == "best"


def test_clusters_are_not_compared():
    with pytest.raises(ParameterError, match="task must be auto, classification or regression"):
        compare_table(mixed(), Settings(task="clustering"))
