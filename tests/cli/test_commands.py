"""Every command end to end: what it writes, prints last, and returns."""

import json
import tomllib

import numpy as np
import polars as pl
import pytest

import gramian
from tests.cli.command import call
from tests.study.tables import mixed, prices


def last(text):
    return text.strip().splitlines()[-1]


def test_fit_writes_a_run_directory_and_prints_its_report_last(here, capsys):
    done = call(capsys, "fit", "--example", "wine", "--evals", "2")
    assert done.code == 0
    assert done.out == "wine-run/report.html\n"
    assert "The best model is" in done.err
    names = {path.name for path in (here / "wine-run").iterdir()}
    assert names == {
        "arrays", "journal.jsonl", "model.gram", "report.html", "report.json", "result.json",
        "run.toml",
    }  # fmt: skip
    run = tomllib.loads((here / "wine-run" / "run.toml").read_text())
    assert run["settings"]["target"] == "cultivar"
    assert run["settings"]["seed"] == 0
    assert len(run["data"]["sha256"]) == 64
    assert "numpy" in run["versions"]


def test_fit_never_overwrites(here, capsys):
    for expected in ("wine-run", "wine-run-2", "wine-run-3"):
        done = call(capsys, "fit", "--example", "wine", "--evals", "1")
        assert done.out == f"{expected}/report.html\n"
    done = call(capsys, "fit", "--example", "wine", "--out", "wine-run")
    assert done.code == 2
    assert "it exists already" in done.err


def test_fit_prints_json(here, capsys):
    done = call(capsys, "fit", "--example", "iris", "--evals", "2", "--json")
    assert json.loads(done.out) == json.loads((here / "iris-run" / "result.json").read_text())


def test_fit_takes_all_its_flags(here, capsys):
    frame = mixed().with_columns(
        pl.Series("family", np.arange(120) // 3), pl.Series("w", np.ones(120))
    )
    frame.write_parquet("shop.parquet")
    (here / "costs.csv").write_text("0,1\n5,0\n")
    done = call(
        capsys, "fit", "shop.parquet", "--target", "bought", "--costs", "costs.csv",
        "--reject", "0.3", "--groups", "family", "--weights", "w", "--alpha", "0.1",
        "--seed", "3", "--threads", "1", "--memory", "1GB", "--evals", "2", "--budget", "1h",
        "--drop", "customer", "--test", "0.25", "--models", "LogisticRegression", "--out", "run",
    )  # fmt: skip
    assert done.code == 0, done.err
    result = json.loads((here / "run" / "result.json").read_text())
    assert (result["metric"], result["seed"]) == ("cost", 3)
    assert result["comparison"]["alpha"] == 0.1
    assert result["test"]["rows"] == pytest.approx(30, abs=3)


def test_fit_reads_a_pipe_and_resumes_from_it(here, capsys, monkeypatch):
    import io
    import sys

    data = prices().write_csv().encode()

    class Pipe:
        buffer = io.BytesIO(data)

    monkeypatch.setattr(sys, "stdin", Pipe)
    done = call(capsys, "fit", "-", "-t", "price", "--evals", "2", "--out", "run")
    assert done.code == 0
    before = json.loads((here / "run" / "result.json").read_text())
    (here / "run" / "result.json").unlink()
    assert call(capsys, "fit", "--resume", "run").code == 0
    after = json.loads((here / "run" / "result.json").read_text())
    assert {**before, "times": 0} == {**after, "times": 0}


def test_fit_without_target_groups_rows(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "fit", "shop.csv", "--json")
    assert json.loads(done.out)["task"] == "clustering"


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
    assert "1 unseen values in 'town'" in done.err
    assert pl.read_csv(last(done.out)).height == 20


def test_predict_marks_what_is_refused(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(
        capsys, "fit", "shop.csv", "-t", "bought", "--reject", "0.2", "--evals", "1", "--out", "run"
    )
    assert done.code == 0
    done = call(capsys, "predict", "run/model.gram", "shop.csv")
    frame = pl.read_csv(last(done.out))
    assert frame["refused"].sum() > 0
    assert frame.filter(pl.col("refused"))["prediction"].null_count() == frame["refused"].sum()
    sure = frame.filter(~pl.col("refused"))
    assert sure.select(pl.max_horizontal("p(no)", "p(yes)")).to_series().min() >= 0.8


def test_report_is_made_again(finished, here, capsys):
    done = call(capsys, "report", str(finished / "run"), "--out", "again.html")
    assert done.out == "again.html\n"
    assert (here / "again.html").read_text() == (finished / "run" / "report.html").read_text()


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


def test_models_and_doctor(capsys):
    names = {row["model"] for row in json.loads(call(capsys, "models", "--json").out)}
    assert {"LogisticRegression", "Ridge"} <= names
    lines = call(capsys, "models").out.splitlines()  # a line each, for whoever reads by a pipe
    assert [line.split()[0] for line in lines[1:]] == [
        row["model"] for row in json.loads(call(capsys, "models", "--json").out)
    ]
    every = {row["model"] for row in json.loads(call(capsys, "models", "--all", "--json").out)}
    assert "RidgeClassifier" in every - names
    assert not every & {"BayesDecision", "VotingClassifier"}  # made of other models
    done = call(capsys, "doctor", "--json")
    assert done.code == 0
    assert set(json.loads(done.out)["checks"].values()) == {"works"}


def test_help_is_there(capsys):
    for command in ("fit", "compare", "predict", "report", "explain", "models", "doctor"):
        assert call(capsys, command, "--help").code == 0
