"""``gramian explain`` end to end."""

import json

import numpy as np
import polars as pl
import pytest

import gramian
from gramian.cli.explain import _shown
from gramian.study.contents.explanation import RowEffect
from tests.cli.command import call
from tests.study.tables import prices


def test_explain_says_what_moves_a_row(finished, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "explain", model, table, "--row", "5", "--json")
    found = json.loads(done.out)
    assert sum(found["base"]) == pytest.approx(1)
    assert {e["column"] for e in found["effects"]} == {"age", "income", "town"}
    assert sum(found["probabilities"].values()) == pytest.approx(1)
    done = call(capsys, "explain", model, table, "--row", "5")
    assert done.out.startswith(f"row 5: {found['prediction']}\n")
    lines = done.out.splitlines()
    assert lines[2].startswith("mean over the table: 0.")
    assert lines[4].startswith(found["effects"][0]["column"])
    assert call(capsys, "explain", model, table, "--row", "120").code == 2


def test_an_effect_that_is_only_rounding_is_zero(finished, here, capsys, monkeypatch):
    effects = (RowEffect("age", 3, (-3e-16, 3e-16)),)
    monkeypatch.setattr("gramian.study.using.explain_row", lambda *_: effects)
    model, table = str(finished / "run"), str(finished / "shop.csv")
    done = call(capsys, "explain", model, table, "--row", "5")
    assert done.out.splitlines()[-1].split() == ["age", "3", "0"]
    assert "Effect: how much the value raises or lowers the probability of" in done.err


def test_commas_are_left_out_of_numbers_only():
    assert [_shown(v) for v in (20260, 1234.5, "Bonn, Rhein", None)] == [
        "20260", "1234.5", "Bonn, Rhein", "–",
    ]  # fmt: skip


def test_numbers_are_rounded_and_the_base_is_the_mean(here, capsys):
    frame = prices().with_columns(pl.col("price") * 1234.56789)
    frame.write_csv("prices.csv")
    fit = ["fit", "prices.csv", "-t", "price", "--evals", "1", "--models", "Ridge", "--out", "run"]
    assert call(capsys, *fit).code == 0
    done = call(capsys, "explain", "run/model.gram", "prices.csv", "--row", "3")
    words = done.out.replace(",", "").replace("−", "-").split()
    numbers = [word for word in words if word.lstrip("+-").replace(".", "", 1).isdigit()]
    assert len(numbers) > 4
    assert all(len(number.lstrip("+-").replace(".", "").lstrip("0")) <= 8 for number in numbers)
    assert "e+" not in done.out
    found = json.loads(
        call(capsys, "explain", "run/model.gram", "prices.csv", "--row", "3", "--json").out
    )
    model = gramian.load("run/model.gram")
    assert found["base"] == pytest.approx(float(np.mean(model.predict(frame))), rel=1e-6)
    assert isinstance(found["effects"][0]["value"], float | int)


def test_values_of_a_row_reach_no_terminal_raw(finished, here, capsys):
    rows = pl.read_csv(finished / "shop.csv", infer_schema_length=0).head(5)
    texts = [c for c in rows.columns if rows[c].cast(pl.Float64, strict=False).null_count() == 5]
    bad = pl.lit("\x1b]0;owned\x07\u202e")
    rows.with_columns(bad.alias(name) for name in texts).write_csv(here / "new.csv")
    done = call(capsys, "explain", str(finished / "run"), "new.csv", "--row", "0", "--most", "99")
    assert done.code == 0
    assert "\\x1b]0;owned\\x07\\u202e" in done.out
    assert not {"\x1b", "\x07", "\u202e"} & set(done.out + done.err)
