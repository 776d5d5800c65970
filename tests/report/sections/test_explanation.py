"""Importances, effects and coefficients as drawings."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.explanation import explanation
from tests.report.parts import contents_of


@pytest.fixture
def contents():
    return {
        "metrics": [{"name": "accuracy", "is_main": True}],
        "run": {"winner": "Ridge", "target": "bought"},
        "target": {"classes": [{"label": "no"}, {"label": "yes"}]},
        "columns": {"shown": [{"used": True}, {"used": True}, {"used": False}]},
        "importances": [
            {"column": "age", "mean": 0.2, "low": 0.1, "high": 0.3},
            {"column": "town", "mean": -0.1, "low": None, "high": None},
        ],
        "effects": [
            {"column": "age", "kind": "numeric", "values": [20, 40],
             "means": [[0.8, 0.2], [0.4, 0.6]]},
            {"column": "town", "kind": "categorical", "values": ["A", "B"],
             "means": [[0.7, 0.3], [0.5, 0.5]]},
        ],
        "coefficients": {"columns": ["age", "town=A"], "outputs": ["yes"],
                         "values": [[2.0, -1.0]], "intercept": [0.5], "left_out": 3},
        "structure": None,
    }  # fmt: skip


def test_bars_start_at_zero(contents):
    found = explanation(contents_of(contents), Limits())["importances"]
    age, town = found["bars"]
    assert age["x"] == found["zero"]
    assert town["x"] + town["length"] == pytest.approx(found["zero"], abs=0.11)
    assert age["length"] == pytest.approx(2 * town["length"], abs=0.3)
    assert age["ends"][0] < age["x"] + age["length"] < age["ends"][1]
    assert town["ends"] is None


def test_importances_beyond_the_limit_are_counted(contents):
    found = explanation(contents_of(contents), Limits(bars=1))
    assert (len(found["importances"]["bars"]), found["left_out"], found["measured"]) == (1, 1, 2)
    assert found["columns"] == 2
    assert (
        explanation(contents_of({**contents, "importances": []}), Limits())["importances"] is None
    )


def test_of_two_classes_the_second_is_drawn(contents):
    age, town = explanation(contents_of(contents), Limits())["effects"]
    assert age["label"] == "probability of yes"
    assert age["lines"] == [age["plane"].line([20, 40], [0.2, 0.6])]
    assert town["plane"] is None
    assert [level["text"] for level in town["levels"]] == ["0.3", "0.5"]
    assert town["levels"][0]["dots"][0] < town["levels"][1]["dots"][0]


def test_a_text_shows_its_words(complaints):
    found = explanation(contents_of(complaints), Limits())["effects"]
    (comment,) = [effect for effect in found if effect["column"] == "comment"]
    assert comment["heading"] == "word"
    words = {level["label"] for level in comment["levels"]}
    assert {"broken", "awful", "refund", "great", "lovely", "excellent"} <= words
    assert "comment" in [
        bar["name"] for bar in explanation(contents_of(complaints), Limits())["importances"]["bars"]
    ]


def test_all_panels_share_one_scale(contents):
    contents["effects"].append(
        {"column": "income", "kind": "numeric", "values": [1, 2], "means": [[0.9, 0.1], [0.1, 0.9]]}
    )
    age, town, income = explanation(contents_of(contents), Limits())["effects"]
    assert (age["plane"].y.low, age["plane"].y.high) == (
        income["plane"].y.low,
        income["plane"].y.high,
    )
    assert age["ends"] == town["ends"] == income["ends"]
    assert age["plane"].y.low < 0.1
    assert age["plane"].y.high > 0.9


def test_of_many_classes_as_many_as_there_are_colours(contents):
    contents["target"]["classes"] = [{"label": str(k)} for k in range(11)]
    contents["effects"][0]["means"] = [[0.1] * 11, [0.2] * 11]
    age = explanation(contents_of({**contents, "effects": contents["effects"][:1]}), Limits())[
        "effects"
    ][0]
    assert (len(age["lines"]), age["left_out"]) == (8, 3)
    assert age["named"][2] == (2, "2")


def test_a_numeric_target_has_one_line(contents):
    contents["target"] = {"histogram": {}}
    contents["effects"] = [
        {"column": "age", "kind": "numeric", "values": [1, 2], "means": [5.0, 7.0]}
    ]
    (age,) = explanation(contents_of(contents), Limits())["effects"]
    assert age["label"] == "mean bought"
    assert len(age["lines"]) == 1


def test_coefficients_have_bars_of_their_size(contents):
    found = explanation(contents_of(contents), Limits(bars=1))["coefficients"]
    assert [r["name"] for r in found["rows"]] == ["age"]
    assert found["left_out"] == 4
    rows = explanation(contents_of(contents), Limits())["coefficients"]["rows"]
    assert [(r["cells"][0]["text"], r["cells"][0]["width"]) for r in rows] == [
        ("2.000", 38.0),
        ("−1.000", 19.0),
    ]
    assert [r["cells"][0]["negative"] for r in rows] == [False, True]
    assert (
        explanation(contents_of({**contents, "coefficients": None}), Limits())["coefficients"]
        is None
    )
