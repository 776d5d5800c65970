"""``gramian compare`` end to end."""

import json

import pytest

from gramian.study import comparing
from tests.cli.command import call, last
from tests.study.tables import mixed


@pytest.mark.slow
def test_compare_says_which_models_differ(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "compare", "shop.csv", "-t", "bought", "--out", "found.json")
    assert done.code == 0
    assert "significantly" in done.out
    assert "shop: 120 rows" in done.err
    assert "lower is better" in done.out
    assert last(done.out) == "found.json"
    found = json.loads((here / "found.json").read_text())
    assert {m["model"] for m in found["models"]} >= {"LogisticRegression", "baseline"}
    done = call(capsys, "compare", "shop.csv", "-t", "bought", "--json", "--metric", "log_loss")
    found = json.loads(done.out)
    assert (found["metric"], found["greater_is_better"]) == ("log_loss", False)
    assert all(m["score"] > 0 and m["low"] <= m["score"] <= m["high"] for m in found["models"])
    assert found["models"][0]["status"] == "best"


def test_compare_says_how_the_data_were_read_and_what_leaks(here, capsys):
    rows = "".join(
        f"${1 + i % 7},{13 * i % 60:03d}.50;{i % 2};{'yes' if i % 2 else 'no'}\n" for i in range(60)
    )
    (here / "t.csv").write_text("price;after;sold\n" + rows)
    done = call(capsys, "compare", "t.csv", "-t", "sold", "--models", "LogisticRegression")
    assert done.code == 0
    assert "columns are separated by semicolons" in done.err
    assert "'price' is read as numbers" in done.err
    assert "serious: 'after' equals the target in every row and was dropped." in done.err
    assert "neg_" not in done.out + done.err


def test_compare_without_a_target_names_candidates(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "compare", "shop.csv")
    assert done.code == 2
    assert "--target must name the column to predict, such as 'bought'" in done.err


def test_an_interval_that_cannot_be_computed_is_left_out(here, capsys, monkeypatch):
    """Scores of one fold, or of a fold without an answer, have no interval."""
    mixed().write_csv("shop.csv")
    original = comparing.compare_chosen

    def without_intervals(*arguments):
        found = original(*arguments)
        for comparison in found.comparisons.values():
            for interval in comparison.intervals:
                object.__setattr__(interval, "low", float("nan"))
                object.__setattr__(interval, "high", float("nan"))
        return found

    monkeypatch.setattr(comparing, "compare_chosen", without_intervals)
    options = ["-t", "bought", "--models", "Perceptron"]
    done = call(capsys, "compare", "shop.csv", *options)
    assert done.code == 0
    assert "nan" not in done.out
    done = call(capsys, "compare", "shop.csv", *options, "--json", "--out", "found.json")
    assert [m["low"] for m in json.loads((here / "found.json").read_text())["models"]] == [None] * 2
