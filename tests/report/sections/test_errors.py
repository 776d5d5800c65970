"""The worst rows and the subgroups of higher error."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.errors import errors
from tests.report.parts import contents_of


@pytest.fixture
def contents():
    rows = [
        {"row": 7, "truth": "yes", "predicted": "no", "loss": 0.95,
         "values": {"age": 33, "town": "Bonn", "income": None}},
        {"row": 2, "truth": "no", "predicted": "yes", "loss": 0.8,
         "values": {"age": 61, "town": "Celle", "income": 12.5}},
    ]  # fmt: skip
    part = {"column": "town", "part": "Bonn", "rows": 30, "overall": 0.1}
    return {
        "run": {"task": "classification", "alpha": 0.05},
        "test": {"rows": 90},
        "worst_rows": rows,
        "slices": [
            {**part, "error": 0.3, "low": 0.2, "high": 0.4, "p_adjusted": 0.01},
            {**part, "part": "Aachen", "error": 0.2, "low": None, "high": None, "p_adjusted": 0.6},
        ],
    }


def test_rows_show_the_probability_of_the_truth(contents):
    found = errors(contents_of(contents), Limits())
    assert found["columns"] == [("age", "number"), ("town", ""), ("income", "number")]
    assert [row["loss_text"] for row in found["rows"]] == ["5.0%", "20%"]
    assert found["rows"][0]["values"] == ["33", "Bonn", "–"]
    assert found["test_rows"] == 90


def test_rows_of_a_regression_show_the_error(contents):
    contents["run"]["task"] = "regression"
    found = errors(contents_of(contents), Limits())
    assert [row["loss_text"] for row in found["rows"]] == ["0.95", "0.8"]
    assert found["overall"] == "0.1"


def test_subgroups_are_drawn_on_one_scale(contents):
    found = errors(contents_of(contents), Limits())
    bonn, aachen = found["parts"]["rows"]
    assert (bonn["error_text"], bonn["differs"], aachen["differs"]) == ("30%", True, False)
    assert found["parts"]["overall"] < aachen["at"] < bonn["at"]
    assert bonn["ends"][0] == aachen["at"]  # 0.2 both
    assert aachen["ends"] is None
    assert found["shown"] == 1
    assert found["overall"] == "10%"


def test_without_errors_there_are_no_tables(contents):
    found = errors(contents_of({**contents, "worst_rows": [], "slices": []}), Limits())
    assert (found["columns"], found["rows"], found["parts"], found["overall"]) == (
        [], [], None, None,
    )  # fmt: skip
