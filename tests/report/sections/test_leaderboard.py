"""The leaderboard by every metric, and the scores on the test rows."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.leaderboard import leaderboard
from tests.report.parts import contents_of


def row(name, accuracy, loss=None):
    def found(mean):
        return {"mean": mean, "low": mean - 0.02, "high": mean + 0.02, "folds": [mean] * 3,
                "rank": 1.5, "status": {"A": "best", "B": "undecided"}.get(name, "worse"),
                "p_best": 0.02}  # fmt: skip

    metrics = {"accuracy": found(accuracy)}
    if loss is not None:
        metrics["log_loss"] = found(loss)
    return {
        "name": name, "is_winner": name == "A", "is_baseline": name == "baseline",
        "metrics": metrics, "fit_seconds": 0.25, "predict_seconds": 1e-5, "tried": 4,
    }  # fmt: skip


@pytest.fixture
def contents():
    return {
        "leaderboard": [row("A", 0.9, 0.4), row("B", 0.88), row("baseline", 0.5, 0.7)],
        "metrics": [
            {"name": "accuracy", "greater_is_better": True},
            {"name": "log_loss", "greater_is_better": False},
            {"name": "never", "greater_is_better": True},
        ],
        "comparison": {"rope": 0.01},
        "run": {"alpha": 0.1, "winner": "A", "target": "bought"},
        "test": {
            "rows": 40,
            "scores": {"accuracy": {"value": 0.875, "low": 0.7, "high": 0.95, "method": "Wilson"},
                       "log_loss": {"value": 0.5, "low": None, "high": None, "method": "none"}},
            "baseline": {"accuracy": 0.5},
            "duplicates": 2,
            "without_duplicates": {"accuracy": {"value": 0.85}},
        },
    }  # fmt: skip


def test_metrics_that_no_model_has_are_left_out(contents):
    found = leaderboard(contents_of(contents), Limits())
    assert [m.name for m in found["metrics"]] == ["accuracy", "log_loss"]
    assert found["rows"][1]["cells"][1] is None
    assert found["confidence"] == "90"


def test_a_row_says_how_it_stands_against_the_best(contents):
    rows = leaderboard(contents_of(contents), Limits())["rows"]
    assert [r["cells"][0]["p_text"] for r in rows] == ["", "0.02", "0.02"]
    assert [r["cells"][0]["status"] for r in rows] == ["best", "no reliable difference", "worse"]
    assert rows[0]["fit_text"] == "250 ms"


def test_a_baseline_far_away_does_not_press_the_models_together(contents):
    rows = leaderboard(contents_of(contents), Limits())["rows"]
    assert [r["cells"][0]["drawn"] for r in rows] == [True, True, False]
    assert rows[0]["cells"][0]["at"] - rows[1]["cells"][0]["at"] > 20
    assert rows[2]["cells"][0]["folds"] == []


def test_the_scores_of_the_test(contents):
    test = leaderboard(contents_of(contents), Limits())["test"]
    accuracy, loss = test["lines"]
    assert (accuracy["value"], accuracy["interval"], accuracy["method"]) == (
        "0.8750", "0.7000 to 0.9500", "Wilson",
    )  # fmt: skip
    assert (accuracy["baseline"], accuracy["without_duplicates"]) == ("0.5000", "0.8500")
    assert (loss["interval"], loss["method"], loss["baseline"]) == ("", "", "–")
    assert loss["without_duplicates"] is None
    assert test["has_rest"]


def test_a_model_far_away_does_not_press_the_others_together(contents):
    contents["leaderboard"] = [
        row(n, a) for n, a in zip("ABCD", (0.9, 0.88, 0.87, -7.0), strict=True)
    ]
    for rank, one in enumerate(contents["leaderboard"]):
        one["metrics"]["accuracy"]["rank"] = rank
    cells = [r["cells"][0] for r in leaderboard(contents_of(contents), Limits())["rows"]]
    assert [c["drawn"] for c in cells] == [True, True, True, False]
    assert cells[0]["at"] - cells[2]["at"] > 20
