"""The learning curve: means, ranges and the gap."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.learning import learning
from tests.report.parts import contents_of


@pytest.fixture
def contents():
    points = [
        {"rows": 10, "train": [1.0, 0.9], "validation": [0.5, 0.7]},
        {"rows": 100, "train": [0.9, 0.9], "validation": [0.7, 0.9]},
    ]
    metrics = [{"name": "accuracy", "greater_is_better": True},
               {"name": "rmse", "greater_is_better": False}]  # fmt: skip
    curve = {"metric": "accuracy", "points": points}
    return {"learning_curve": curve, "metrics": metrics, "run": {"winner": "Ridge"}}


def test_means_gap_and_gain(contents):
    found = learning(contents_of(contents), Limits())
    assert (found["train"], found["validation"]) == ("0.9000", "0.8000")
    assert (found["gap"], found["gain"]) == ("0.1000", "0.2000")
    assert (found["before"], found["rows"], found["splits"]) == (10, 100, 2)
    assert found["grows"]  # 0.2 is more than a quarter of the range 0.2
    assert [p["gap"] for p in found["points"]] == ["0.3500", "0.1000"]


def test_the_curve_is_the_mean_and_the_band_the_range(contents):
    found = learning(contents_of(contents), Limits())
    train, validation = found["curves"]
    chart = found["plane"]
    assert train["part"] == "train"
    assert validation["line"] == chart.line([10, 100], [0.6, 0.8])
    assert validation["band"] == chart.band([10, 100], [0.5, 0.7], [0.7, 0.9])


def test_of_an_error_the_gap_and_the_gain_change_sign(contents):
    contents["learning_curve"]["metric"] = "rmse"
    found = learning(contents_of(contents), Limits())
    assert (found["gap"], found["gain"]) == ("−0.1000", "−0.2000")
    assert not found["grows"]


def test_one_point_is_no_curve(contents):
    contents["learning_curve"]["points"].pop()
    assert learning(contents_of(contents), Limits()) is None
