"""A panel for each model: curves and counts of classes, or residuals."""

import numpy as np
import pytest

from gramian.report.limits import Limits
from gramian.report.sections.models import models
from gramian.study.findings.curves import describe_classes, describe_regression
from gramian.study.problem.metrics import Predicted
from tests.report.parts import contents_of


def row(name):
    return {
        "name": name, "is_winner": name == "A", "is_baseline": False, "params": {"C": 0.5},
        "tried": 3, "fit_seconds": 0.5, "predict_seconds": 0.1,
    }  # fmt: skip


@pytest.fixture
def contents(rng):
    y = rng.integers(0, 3, 90)
    proba = rng.dirichlet(np.ones(3), 90)
    found = describe_classes(y, Predicted(proba.argmax(axis=1), proba), [90], ["x", "y", "z"])
    return {
        "leaderboard": [row("A"), row("B"), row("absent")],
        "models": {"A": found, "B": found},
        "target": {"classes": [{"label": label} for label in "xyz"]},
        "test": {"confusion": [[3, 0, 0], [0, 3, 0], [0, 1, 2]]},
        "costs": None,
        "run": {"target": "kind"},
    }


@pytest.fixture
def numeric(rng):
    y = rng.normal(size=100)
    found = describe_regression(y, Predicted(y + rng.normal(size=100), None), 0)
    return {
        "leaderboard": [row("A")], "models": {"A": found}, "target": {}, "test": {},
        "costs": None, "run": {"target": "price"},
    }  # fmt: skip


def test_each_model_with_predictions_has_a_panel(contents):
    found = models(contents_of(contents), Limits())
    assert [(p["id"], p["name"]) for p in found["panels"]] == [("m0", "A"), ("m1", "B")]
    assert found["panels"][0]["settings"] == [("C", "0.5")]
    assert {c["class"] for c in found["panels"][0]["curves"]} == {"x", "y", "z"}
    assert "tested" in found["panels"][0]
    assert "tested" not in found["panels"][1]
    assert found["left_out"] == 0
    assert not found["is_regression"]


def test_curves_and_models_beyond_the_limits_are_left_out(contents):
    found = models(contents_of(contents), Limits(models=1, panels=2))
    (panel,) = found["panels"]
    assert len(panel["curves"]) == 2
    assert (found["left_out"], found["many"]) == (1, 1)
    assert len(found["classes"]) == 2


def test_the_sliders_get_the_counts_of_the_curves_shown(contents):
    found = models(contents_of(contents), Limits())
    keys = {c["key"] for p in found["panels"] for c in p["curves"]}
    assert found["thresholds"].keys() == keys
    curve = contents["models"]["A"].curves[0]
    shown = found["thresholds"][f"m0c{curve.class_}"]
    assert shown["hits"] == curve.thresholds.true_positives
    assert shown["alarms"] == curve.thresholds.false_positives


@pytest.mark.parametrize(
    ("table", "threshold", "value"),
    [
        (None, 0.5, False),
        ([[0, 4], [1, 0]], 0.2, True),  # false alarm 1, miss 4: from 1/5 on
        ([[-1, 2], [1, 0]], 0.5, True),  # less what a right answer costs: 2 and 2
        ([[0, 0], [1, 0]], 0.5, True),  # a miss that costs nothing has no threshold
    ],
)
def test_costs_of_two_classes_set_the_threshold(contents, table, threshold, value):
    two = {**contents, "target": {"classes": [{"label": "x"}, {"label": "y"}]}, "models": {}}
    costs = models(contents_of({**two, "costs": {"table": table}}), Limits())["costs"]
    assert (costs["threshold"], costs["given"]) == (threshold, value)


def test_costs_of_three_classes_set_no_threshold(contents):
    found = models(contents_of({**contents, "costs": {"table": [[0, 1, 2]] * 3}}), Limits())
    assert not found["costs"]["given"]
    assert found["by_costs"]
    assert found["command"] is None  # a threshold decides between two classes alone


def test_regression_has_residuals_and_deciles(numeric):
    found = models(contents_of(numeric), Limits())
    (panel,) = found["panels"]
    assert found["is_regression"]
    assert found["thresholds"] == {}
    assert found["cost_plane"] is None
    assert panel["against"]["dots"].count("M") == panel["shown"] == 100
    assert len(panel["deciles"]) == 10
    assert max(d["width"] for d in panel["deciles"]) == 60.0
    assert panel["shape"]["zero"] == panel["shape"]["plane"].x(0.0)
