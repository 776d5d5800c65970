"""The pairs of models and the diagram of their ranks."""

import pytest

from gramian.report.limits import Limits
from gramian.report.sections.comparison import comparison
from tests.report.parts import contents_of

PAIR = {
    "difference": 0.1, "low": 0.05, "high": 0.15, "p": 0.001, "p_adjusted": 0.002,
    "better": 0.7, "same": 0.2, "worse": 0.1,
}  # fmt: skip


def board(*names):
    return [
        {"name": name, "rank": 1.0 + i, "is_winner": i == 0, "is_baseline": name == "baseline"}
        for i, name in enumerate(names)
    ]


@pytest.fixture
def contents():
    return {
        "comparison": {
            "test": "t", "adjust": "holm", "alpha": 0.05, "splits": 10, "rope": 0.01,
            "test_over_train": 0.25, "critical_difference": 1.5,
            "groups": [["Ridge", "Lasso"], ["baseline"]],
            "pairs": [
                {**PAIR, "first": "Ridge", "second": "Lasso", "p_adjusted": 0.3, "low": None},
                {**PAIR, "first": "Ridge", "second": "baseline"},
                {**PAIR, "first": "Lasso", "second": "baseline"},
            ],
        },
        "metrics": [{"name": "r2", "is_main": False}, {"name": "rmse", "is_main": True}],
        "leaderboard": board("Ridge", "Lasso", "baseline"),
    }  # fmt: skip


def test_a_pair_differs_where_its_adjusted_p_value_is_small(contents):
    pairs = comparison(contents_of(contents), Limits())["pairs"]
    assert [pair["differs"] for pair in pairs] == [False, True, True]
    assert [pair["with_best"] for pair in pairs] == [True, True, False]
    assert pairs[1]["interval"] == "0.05000 to 0.15000"
    assert pairs[0]["interval"] == ""
    assert pairs[1]["words"] == "better 70%, same 20%, worse 10%"
    assert pairs[1]["parts"] == [(0, 84), (84, 24), (108, 12)]


def test_pairs_beyond_the_limit_are_counted(contents):
    found = comparison(contents_of(contents), Limits(pairs=2))
    assert (len(found["pairs"]), found["left_out"], found["others"]) == (2, 1, 0)
    assert comparison(contents_of(contents), Limits())["others"] == 1
    assert found["metric"].name == "rmse"
    assert [g["letter"] for g in found["groups"]] == ["a", "b"]


def test_the_diagram_joins_models_that_do_not_differ(contents):
    diagram = comparison(contents_of(contents), Limits())["diagram"]
    assert [m["full"] for m in diagram["models"]] == ["Ridge", "Lasso", "baseline"]
    places = [m["x"] for m in diagram["models"]]
    assert places == sorted(places)
    assert [t.text for t in diagram["ticks"]] == ["1", "2", "3"]
    (bar,) = diagram["bars"]  # one model alone is not joined
    assert bar["ends"] == (places[0] - 4, places[1] + 4)
    assert diagram["critical"] == pytest.approx((places[0] + 3 * places[2]) / 4, abs=0.1)


def test_a_critical_difference_beyond_the_axis_is_not_drawn(contents):
    contents["comparison"]["critical_difference"] = 2.5
    assert comparison(contents_of(contents), Limits())["diagram"]["critical"] is None
    contents["leaderboard"] = board("Ridge")
    assert comparison(contents_of(contents), Limits())["diagram"] is None
