"""The data profile: a line for each column, and the target."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.data import data
from tests.report.parts import contents_of

COLUMN = {
    "name": "x", "kind": "numeric", "reason": "numeric values", "used": True, "is_target": False,
    "missing": 0, "distinct": 9,
}  # fmt: skip
HISTOGRAM = {"edges": [0.0, 1.0, 2.0], "counts": [3, 7]}


@pytest.fixture
def contents():
    shown = [
        {**COLUMN, "name": "bought", "kind": "categorical", "is_target": True, "used": False,
         "levels": [{"label": "yes", "rows": 30}, {"label": "no", "rows": 20}]},
        {**COLUMN, "histogram": HISTOGRAM, "least": 0.0, "median": 1.25, "greatest": 2.0,
         "missing": 5},
        {**COLUMN, "name": "day", "kind": "date", "first": "2026-01-01", "last": "2026-02-01"},
        {**COLUMN, "name": "key", "kind": "identifier", "used": False},
    ]  # fmt: skip
    return {
        "run": {"data": {"rows_used": 50}, "target": "bought"},
        "columns": {"shown": shown, "left_out": 0},
        "target": {"classes": [{"label": "no", "rows": 20}, {"label": "yes", "rows": 30}]},
    }


def test_each_kind_has_its_line(contents):
    target, x, day, key = data(contents_of(contents), Limits())["columns"]
    assert (target["role"], target["kind"], target["text"]) == (
        "target", "categorical", "yes in 60%",
    )  # fmt: skip
    assert (x["role"], x["kind"], x["missing"]) == ("used", "numeric", "10%")
    assert x["text"] == "0 to 2, median 1.25"
    assert x["path"].count("Z") == 2
    assert day["text"] == "2026-01-01 to 2026-02-01"
    assert (key["role"], key["missing"], key["path"]) == ("left out", "0", "")


def test_what_is_not_shown_is_counted(contents):
    contents["columns"]["left_out"] = 10
    found = data(contents_of(contents), Limits(columns=1))
    assert (len(found["columns"]), found["left_out"], found["all_kinds"]) == (1, 13, False)
    assert dict(found["kinds"]) == {"categorical": 1, "numeric": 1, "date": 1, "identifier": 1}
    assert found["missing"] == 1


def test_the_target_is_bars_of_classes_or_a_histogram(contents):
    classes = data(contents_of(contents), Limits())["target"]["classes"]
    assert [(c["label"], c["share"], c["width"]) for c in classes] == [
        ("yes", "60%", 100.0),
        ("no", "40%", 66.7),
    ]
    drawn = data(contents_of({**contents, "target": {"histogram": HISTOGRAM}}), Limits())["target"]
    assert drawn["bars"].count("Z") == 2
    assert drawn["chart"].x_label == "bought"
    del contents["target"]
    assert data(contents_of(contents), Limits())["target"] is None


def test_many_classes_are_cut(contents):
    many = [{"label": str(i), "rows": i + 1} for i in range(30)]
    found = data(contents_of({**contents, "target": {"classes": many}}), Limits())["target"]
    assert (len(found["classes"]), found["left_out"]) == (20, 10)
    assert found["classes"][0]["label"] == "29"


def test_a_text_has_its_words(complaints):
    lines = {line["name"]: line for line in data(contents_of(complaints), Limits())["columns"]}
    assert "parcel" in lines["comment"]["text"]
    assert lines["comment"]["path"]
