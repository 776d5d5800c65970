"""``gramian compare`` end to end."""

import json

from gramian.study import comparing
from tests.cli.command import call, last
from tests.study.tables import mixed


def test_compare_says_which_models_differ(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "compare", "shop.csv", "-t", "bought", "--out", "found.json")
    assert done.code == 0
    assert "significantly" in done.out
    assert last(done.out) == "found.json"
    found = json.loads((here / "found.json").read_text())
    assert {m["model"] for m in found["models"]} >= {"LogisticRegression", "baseline"}
    done = call(capsys, "compare", "shop.csv", "-t", "bought", "--json", "--metric", "log_loss")
    assert json.loads(done.out)["scoring"] == "neg_log_loss"


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
