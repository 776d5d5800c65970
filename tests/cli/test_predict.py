"""``gramian predict`` end to end."""

import json
import shutil
from datetime import timedelta

import numpy as np
import polars as pl
import pytest

import gramian
from tests.cli.command import call, last
from tests.study.tables import mixed


@pytest.mark.slow
def test_predict_writes_a_line_for_each_row(finished, here, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "predict", model, table)
    assert (done.code, done.out) == (0, "shop-predictions.csv\n")
    frame = pl.read_csv(last(done.out))
    assert frame.columns == ["prediction", "p(no)", "p(yes)"]
    expected = gramian.load(model).predict(mixed())
    assert frame["prediction"].to_list() == expected.tolist()
    np.testing.assert_allclose(frame["p(no)"] + frame["p(yes)"], 1)
    assert call(capsys, "predict", model, table).out == "shop-predictions-2.csv\n"


def test_predict_writes_parquet_and_to_standard_output(finished, here, capsys):
    model, table = str(finished / "run" / "model.gram"), str(finished / "shop.csv")
    done = call(capsys, "predict", model, table, "--out", "said.parquet", "--no-probabilities")
    assert pl.read_parquet(last(done.out)).columns == ["prediction"]
    done = call(capsys, "predict", model, table, "--out", "-")
    assert done.out.startswith("prediction,p(no),p(yes)\n")
    assert done.out.count("\n") == 121


def test_predict_copes_with_other_columns_orders_and_levels(finished, here, capsys):
    frame = mixed().head(20).select("town", "age", "income").with_columns(
        pl.lit("Zwickau").alias("town"), pl.lit(1).alias("new")
    )  # fmt: skip
    frame.write_csv("new.csv")
    done = call(capsys, "predict", str(finished / "run" / "model.gram"), "new.csv")
    assert done.code == 0
    assert "ignored by the model: 'new'" in done.err
    assert "'town': 1 unseen value in 20 of 20 rows: 'Zwickau'." in done.err
    assert pl.read_csv(last(done.out)).height == 20


@pytest.mark.slow
def test_predict_marks_what_is_rejected(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(
        capsys, "fit", "shop.csv", "-t", "bought", "--reject", "0.2", "--evals", "1", "--out", "run"
    )
    assert done.code == 0
    done = call(capsys, "predict", "run/model.gram", "shop.csv")
    frame = pl.read_csv(last(done.out))
    assert frame["rejected"].sum() > 0
    assert frame.filter(pl.col("rejected"))["prediction"].null_count() == frame["rejected"].sum()
    sure = frame.filter(~pl.col("rejected"))
    assert sure.select(pl.max_horizontal("p(no)", "p(yes)")).to_series().min() >= 0.8


def test_predict_takes_a_run_directory_a_threshold_and_columns_to_keep(finished, here, capsys):
    run, table = str(finished / "run"), str(finished / "shop.csv")
    done = call(capsys, "predict", run, table, "--threshold", "0.23", "--keep", "customer,age")
    assert done.code == 0
    frame = pl.read_csv(last(done.out))
    assert frame.columns == ["customer", "age", "prediction", "p(no)", "p(yes)"]
    assert frame["customer"].to_list() == mixed()["customer"].to_list()
    assert ((frame["prediction"] == "yes") == (frame["p(yes)"] >= 0.23)).all()
    assert "predicting 'yes' where its probability is at least 0.23" in done.err


def test_predict_appends_to_the_table_in_a_spreadsheet(finished, here, capsys):
    run, table = str(finished / "run"), str(finished / "shop.csv")
    done = call(capsys, "predict", run, table, "--append", "--out", "scored.xlsx")
    frame = pl.read_excel(last(done.out))
    assert frame.columns == [*mixed().columns, "prediction", "p(no)", "p(yes)"]
    assert frame["income"].to_list() == mixed()["income"].to_list()
    done = call(capsys, "predict", run, "scored.xlsx", "--append", "--out", "again.parquet")
    again = pl.read_parquet(last(done.out))
    assert again.columns[-3:] == ["prediction_2", "p(no)_2", "p(yes)_2"]
    assert again["prediction_2"].to_list() == frame["prediction"].to_list()


def test_cells_are_appended_as_they_are_written(finished, here, capsys):
    """Plain numbers are numbers in a spreadsheet; amounts, dates and codes are not rewritten."""
    written = {
        "price": ["$1,308.70", "$2"],
        "day": ["31.01.2023", "1.2.2023"],
        "zip": ["02139", "1"],
    }
    frame = mixed().head(2).cast(pl.String).with_columns(pl.DataFrame(written))
    frame.write_csv("new.csv")
    run = str(finished / "run")
    done = call(capsys, "predict", run, "new.csv", "--append", "--out", "scored.xlsx")
    assert done.code == 0
    found = pl.read_excel("scored.xlsx")
    assert {name: found[name].to_list() for name in written} == written
    assert found["age"].to_list() == mixed()["age"].head(2).to_list()
    done = call(capsys, "predict", run, "scored.xlsx", "--append", "--out", "again.xlsx")
    again = pl.read_excel("again.xlsx")
    assert {name: again[name].to_list() for name in written} == written


def test_predict_decides_by_named_costs_and_shows_their_order(finished, here, capsys):
    run, table = str(finished / "run"), str(finished / "shop.csv")
    (here / "costs.csv").write_text("decision,yes,no\nyes,0,20\nno,1,0\n")
    done = call(capsys, "predict", run, table, "--costs", "costs.csv")
    frame = pl.read_csv(last(done.out))
    assert ((frame["prediction"] == "yes") == (frame["p(yes)"] > 20 / 21)).all()
    shown = [line.split() for line in done.err.splitlines() if line.startswith(("no ", "yes "))]
    assert shown == [["no", "0", "1"], ["yes", "20", "0"]]


def test_predict_compares_new_rows_with_the_training_table(finished, here, capsys):
    run = str(finished / "run")
    same = call(capsys, "predict", run, str(finished / "shop.csv"))
    assert "No notable differences from the training data in 3 columns." in same.err
    moved = mixed().with_columns(pl.col("age") + 30, pl.lit("Zwickau").alias("town"))
    moved.write_csv("new.csv")
    done = call(capsys, "predict", run, "new.csv")
    assert "'town': 1 unseen value in 120 of 120 rows: 'Zwickau'." in done.err
    assert "'age': distributed differently than in training" in done.err
    assert "outside the training range 18 to 79" in done.err
    found = json.loads(call(capsys, "predict", run, "new.csv", "--json").out)
    assert len(found["drift"]) == 4
    quiet = call(capsys, "predict", run, "new.csv", "--no-drift")
    assert "differently" not in quiet.err


def test_predict_goes_on_without_a_readable_summary_of_training(finished, here, capsys):
    shutil.copytree(finished / "run", here / "run")
    summary = here / "run" / "training.json"
    summary.write_text('{"format": 1, "rows": 0, "columns": {"age": {}}}')
    done = call(capsys, "predict", "run", str(finished / "shop.csv"))
    assert done.code == 0
    assert "cannot be compared with this file" in done.err
    summary.unlink()
    assert (
        "cannot be compared" not in call(capsys, "predict", "run", str(finished / "shop.csv")).err
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--keep", "nobody"], "--keep: there is no column 'nobody'; the columns are 'customer'"),
        (["--keep", "age", "--append"], "--keep and --append cannot both be used"),
        (["--out", "a.doc"], "--out must end in .csv, .tsv, .parquet or .xlsx; got 'a.doc'"),
        (["--threshold", "2"], "--threshold must be between 0 and 1; got 2"),
        (["--threshold", "0.2", "--positive", "si"], "--positive must be one of no, yes; got 'si'"),
    ],
)
def test_predict_refuses_what_it_cannot_do(finished, here, capsys, options, message):
    done = call(capsys, "predict", str(finished / "run"), str(finished / "shop.csv"), *options)
    assert done.code == 2
    assert message in done.err
    assert list(here.iterdir()) == []


@pytest.mark.slow
def test_fit_takes_named_costs_and_shows_the_order_of_the_classes(here, capsys):
    mixed().write_csv("shop.csv")
    (here / "costs.csv").write_text(",yes,no\nyes,0,20\nno,1,0\n")
    done = call(
        capsys, "fit", "shop.csv", "-t", "bought", "--costs", "costs.csv", "--evals", "1",
        "--out", "run",
    )  # fmt: skip
    assert done.code == 0
    shown = [line.split() for line in done.err.splitlines() if line.startswith(("no ", "yes "))]
    assert shown == [["no", "0", "1"], ["yes", "20", "0"]]
    frame = pl.read_csv(last(call(capsys, "predict", "run", "shop.csv").out))
    assert ((frame["prediction"] == "yes") == (frame["p(yes)"] > 20 / 21)).all()


def test_text_is_safe_for_spreadsheets_in_files_and_exact_in_pipes(finished, here, capsys):
    """A note that is a formula, and one with control characters."""
    rows = pl.read_csv(finished / "shop.csv", infer_schema_length=0).head(2)
    notes = ["=HYPERLINK(1)", "\x1b[31mred\x07"]
    rows.with_columns(pl.Series("note", notes)).write_csv(here / "new.csv")
    command = ["predict", str(finished / "run"), "new.csv", "--keep", "note", "--no-drift"]
    assert call(capsys, *command, "--out", "safe.csv").code == 0
    assert pl.read_csv("safe.csv")["note"].to_list() == ["'=HYPERLINK(1)", notes[1]]
    assert call(capsys, *command, "--out", "exact.csv", "--no-safe-csv").code == 0
    assert pl.read_csv("exact.csv")["note"].to_list() == notes
    piped = call(capsys, *command, "--out", "-").out
    assert pl.read_csv(piped.encode())["note"].to_list() == notes
    assert "'=HYPERLINK(1)" in call(capsys, *command, "--out", "-", "--safe-csv").out


@pytest.mark.parametrize("cell", [["=1"], {"a": 1}, b"=1", timedelta(days=1)])
def test_columns_that_csv_cannot_hold_are_refused_before_any_work(finished, here, capsys, cell):
    rows = pl.read_csv(finished / "shop.csv").head(2)
    rows.with_columns(pl.Series("tags", [cell] * 2)).write_parquet(here / "new.parquet")
    command = ["predict", str(finished / "run"), "new.parquet", "--no-drift", "--out"]
    for out in ("made.csv", "made.tsv", "-", *(["made.xlsx"] if cell == b"=1" else [])):
        done = call(capsys, *command, out, "--append")
        assert done.code == 2
        assert "--append: column 'tags' has the type" in done.err
    assert "--keep: column 'tags'" in call(capsys, *command, "made.csv", "--keep", "tags").err
    assert call(capsys, *command, "made.csv").code == 0
    assert call(capsys, *command, "made.parquet", "--append").code == 0
    assert pl.read_parquet("made.parquet")["tags"].to_list() == [cell] * 2
    assert sorted(p.name for p in here.iterdir()) == ["made.csv", "made.parquet", "new.parquet"]


def test_a_terminal_gets_no_control_characters(finished, here, capsys, monkeypatch):
    rows = pl.read_csv(finished / "shop.csv", infer_schema_length=0).head(1)
    rows.with_columns(pl.lit("\x1b[31mred\x9b\u202e").alias("note")).write_csv(here / "new.csv")
    monkeypatch.setattr("gramian.cli.predict.is_terminal", lambda: True)
    command = ["predict", str(finished / "run"), "new.csv", "--append", "--out", "-"]
    out = call(capsys, *command).out
    assert "\\x1b[31mred\\x9b\\u202e" in out
    assert "\x1b" not in out
