"""``gramian compare`` end to end."""

import json

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
