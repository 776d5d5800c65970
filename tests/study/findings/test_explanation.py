"""Explanations are of rows that the model was not fitted to."""

import numpy as np
import polars as pl
import pytest

from gramian import study
from gramian.study.findings.explanation import explanation
from gramian.study.search.trial import Candidate
from tests.study.tables import prices
from tests.study.workbench import bench_of


def test_importances_are_of_rows_that_the_model_did_not_see(rng):
    """A tree learns noise by heart; shuffling its columns takes nothing from rows it never saw."""
    frame = pl.DataFrame(rng.normal(size=(150, 3)), schema=["a", "b", "c"])
    frame = frame.with_columns(y=pl.Series(rng.choice(["u", "v"], 150)))
    found = study.run(frame, "y", metric="accuracy", evals=1, models=("DecisionTreeClassifier",))
    assert found.result["leaderboard"][0]["metrics"]["accuracy"]["mean"] < 0.7
    assert max(abs(item.mean) for item in found.contents.importances) < 0.12


@pytest.mark.parametrize("rows", [90, 1200])
def test_a_linear_model_is_explained(rows):
    """With few test rows by refitting to folds, with many by the test rows themselves."""
    bench, splits, settings = bench_of(prices(rows), target="price", metric="rmse")
    candidate = Candidate("Ridge", {})
    pipeline = bench.fitted_pipeline(candidate, splits.development)
    predicted = bench.predicted_by(pipeline, prices(rows)[splits.test])
    found = explanation(bench, splits, settings, pipeline, candidate, predicted)
    assert [item.column for item in found.importances] == ["area", "rooms"]
    assert found.importances[1].low > 0
    (area, rooms) = found.effects
    slope = (area.means[-1] - area.means[0]) / (area.values[-1] - area.values[0])
    assert slope == pytest.approx(2.5, rel=0.05)
    assert rooms.column == "rooms"
    assert found.coefficients.columns[0] == "area"
    assert found.structure is None
    worst = found.worst_rows[0]
    assert worst.row in splits.test
    errors = np.abs(bench.problem.y[splits.test] - predicted.values)
    assert worst.loss == pytest.approx(errors.max())
