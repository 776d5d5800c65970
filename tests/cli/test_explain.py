"""``gramian explain`` end to end."""

import json

import pytest

from tests.cli.command import call


def test_explain_says_what_moves_a_row(finished, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "explain", model, table, "--row", "5", "--json")
    found = json.loads(done.out)
    assert {e["column"] for e in found["effects"]} == {"age", "income", "town"}
    assert sum(found["probabilities"].values()) == pytest.approx(1)
    done = call(capsys, "explain", model, table, "--row", "5")
    assert done.out.startswith(f"row 5: {found['prediction']}\n")
    assert done.out.splitlines()[3].startswith(found["effects"][0]["column"])
    assert call(capsys, "explain", model, table, "--row", "120").code == 2
