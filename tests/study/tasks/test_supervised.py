"""A target: models are searched, compared and tested."""

import json

import numpy as np
import polars as pl
import pytest

from gramian import study
from gramian.report import render
from tests.study.tables import QUICK, mixed, prices


def test_a_study_finds_a_model_that_beats_nothing_and_says_how_good_it_is(classified):
    result = classified.result
    assert result["task"] == "classification"
    assert result["complete"]
    assert result["winner"] == result["leaderboard"][0]["name"]
    assert {row["name"] for row in result["leaderboard"]} == {*QUICK["models"], "baseline"}
    found = result["test"]["scores"]["accuracy"]
    assert found["low"] <= found["value"] <= found["high"]
    assert found["value"] > result["test"]["baseline"]["accuracy"]
    assert "significantly better than the baseline" in result["verdict"][2]
    codes = {check["code"] for check in result["checks"]}
    assert {"constant-columns", "identifier-columns"} <= codes


def test_regression():
    found = study.run(prices(), "price", evals=6, models=("Ridge", "KNeighborsRegressor"))
    assert found.result["winner"] == "Ridge"
    assert found.result["test"]["scores"]["r2"]["value"] > 0.95
    assert found.contents.coefficients.columns[0] == "area"
    assert found.contents.importances[0].column == "area"
    area = next(e for e in found.contents.effects if e.column == "area")
    assert np.polyfit(area.values, area.means, 1)[0] == pytest.approx(2.5, rel=0.1)


def test_a_budget_stops_the_search_and_says_so():
    found = study.run(mixed(), "bought", budget=1e-6)
    assert not found.result["complete"]
    assert found.result["evaluations"]["made"] == 1
    assert len(found.result["leaderboard"]) == 2


def test_weights_count_rows():
    """A weight of zero takes a row's class out of the baseline's mean."""
    frame = prices().with_columns(pl.when(pl.col("rooms") == 1).then(0.0).otherwise(1.0).alias("w"))
    found = study.run(frame, "price", weights="w", evals=2)
    assert "w" not in found.model[0].kinds_
    plain = study.run(frame.drop("w"), "price", evals=2)
    assert found.result["test"]["baseline"] != plain.result["test"]["baseline"]
    assert found.model[-1].coef_.tolist() != plain.model[-1].coef_.tolist()


def test_a_copy_of_the_target_is_left_out():
    frame = mixed().with_columns(pl.col("bought").alias("copy"))
    found = study.run(frame, "bought", **QUICK)
    assert "copy" not in found.model[0].kinds_
    assert any(check["code"] == "target-copy" for check in found.result["checks"])


def test_a_model_without_probabilities_is_judged_by_its_classes():
    models = ("RidgeClassifier", "LogisticRegression")
    found = study.run(mixed(), "bought", evals=2, models=models)
    assert found.result["metric"] == "accuracy"
    assert {row["name"] for row in found.result["leaderboard"]} == {*models, "baseline"}


def test_a_metric_that_no_model_can_be_judged_by_is_said():
    with pytest.raises(
        ValueError, match="can be scored by metric 'log_loss', which needs probabilities"
    ):
        study.run(mixed(), "bought", metric="log_loss", models=("RidgeClassifier",))


@pytest.mark.slow
@pytest.mark.parametrize("task", ["a class", "a number"])
def test_numbers_of_any_size(rng, task):
    x = rng.normal(size=60)
    y = np.where(x > 0, "high", "low") if task == "a class" else x + 0.1 * rng.normal(size=60)
    frame = pl.DataFrame({"big": 1e300 * x, "small": 1e-300 * rng.normal(size=60), "y": y})
    found = study.run(frame, "y", evals=8)
    scores = found.result["test"]["scores"]
    assert scores["accuracy" if task == "a class" else "r2"]["value"] > 0.7
    assert json.dumps(found.contents.to_json(), allow_nan=False)
    assert render(found.contents)


@pytest.mark.slow
def test_a_class_with_one_row_or_two():
    for rows in (1, 2):
        labels = ["rare"] * rows + mixed()["bought"].to_list()[rows:]
        found = study.run(mixed().with_columns(bought=pl.Series(labels)), "bought", **QUICK)
        assert any(check["code"] == "rare-classes" for check in found.result["checks"])
        assert json.dumps(found.contents.to_json(), allow_nan=False)
        assert render(found.contents)
