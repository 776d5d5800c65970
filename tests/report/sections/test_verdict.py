"""The verdict, and the test score on a line beside the baseline."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.verdict import verdict
from tests.report.parts import contents_of


@pytest.fixture
def contents():
    severities = ("serious", "warning", "note", "warning")
    return {
        "headline": ["'x' alone determines the target."],
        "verdict": ["One.", "Two.", "Three."],
        "checks": [{"severity": severity} for severity in severities],
        "run": {"complete": True, "alpha": 0.05},
        "metrics": [{"name": "accuracy", "is_main": True}],
        "test": {
            "rows": 40,
            "scores": {"accuracy": {"value": 0.9, "low": 0.8, "high": 0.95}},
            "baseline": {"accuracy": 0.5},
        },
    }


def test_issues_are_counted_by_severity(contents):
    found = verdict(contents_of(contents), Limits())
    assert found["headline"] == ["'x' alone determines the target."]
    assert found["sentences"] == ["One.", "Two.", "Three."]
    assert (found["serious"], found["warnings"]) == (1, 2)


def test_the_score_and_the_baseline_are_on_one_line(contents):
    gauge = verdict(contents_of(contents), Limits())["gauge"]
    assert (gauge["value"], gauge["low"], gauge["high"]) == ("0.9000", "0.8000", "0.9500")
    assert gauge["confidence"] == "95"
    assert gauge["base"] < gauge["ends"][0] < gauge["at"] < gauge["ends"][1]
    assert gauge["base_anchor"] == "start"
    contents["test"]["baseline"]["accuracy"] = 1.3
    assert verdict(contents_of(contents), Limits())["gauge"]["base_anchor"] == "end"


def test_without_interval_or_baseline_the_score_is_alone(contents):
    contents["test"] = {
        "rows": 40,
        "scores": {"accuracy": {"value": 0.9, "low": None, "high": None}},
        "baseline": {},
    }
    gauge = verdict(contents_of(contents), Limits())["gauge"]
    assert (gauge["ends"], gauge["base"], gauge["base_text"]) == (None, None, "–")


def test_without_a_score_there_is_no_line(contents):
    contents["test"]["scores"] = {}
    assert verdict(contents_of(contents), Limits())["gauge"] is None
    del contents["test"]
    assert verdict(contents_of(contents), Limits())["gauge"] is None
