"""``gramian fit`` end to end."""

import json
import shutil
import tomllib

import numpy as np
import polars as pl
import pytest

from tests.cli.command import call
from tests.data.workbook import workbook
from tests.study import made_tables
from tests.study.tables import mixed, prices


@pytest.mark.slow
def test_fit_writes_a_run_directory_and_prints_its_report_last(here, capsys):
    done = call(capsys, "fit", "--example", "wine", "--evals", "2")
    assert done.code == 0
    assert done.out == "wine-run/report.html\n"
    assert "The best model is" in done.err
    names = {path.name for path in (here / "wine-run").iterdir()}
    assert names == {
        "arrays", "journal.jsonl", "model.gram", "report.html", "report.json", "result.json",
        "run.toml", "training.json",
    }  # fmt: skip
    run = tomllib.loads((here / "wine-run" / "run.toml").read_text())
    assert run["settings"]["target"] == "cultivar"
    assert run["settings"]["seed"] == 0
    assert len(run["data"]["sha256"]) == 64
    assert "numpy" in run["versions"]


@pytest.mark.slow
def test_fit_never_overwrites(here, capsys):
    for expected in ("wine-run", "wine-run-2", "wine-run-3"):
        done = call(capsys, "fit", "--example", "wine", "--evals", "1")
        assert done.out == f"{expected}/report.html\n"
    done = call(capsys, "fit", "--example", "wine", "--out", "wine-run")
    assert done.code == 2
    assert "already exists" in done.err


@pytest.mark.slow
def test_fit_prints_json(here, capsys):
    done = call(capsys, "fit", "--example", "iris", "--evals", "2", "--json")
    assert json.loads(done.out) == json.loads((here / "iris-run" / "result.json").read_text())


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_fit_clusters_rows_where_that_is_asked_for(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "fit", "shop.csv", "--task", "clustering", "--json")
    assert json.loads(done.out)["task"] == "clustering"


def test_the_limit_is_said_before_the_search(here, capsys, monkeypatch):
    from gramian.study.tasks import supervised

    def search(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(supervised, "search", search)
    done = call(capsys, "fit", "--example", "iris")
    assert done.code == 1
    size = "150 rows, 5 columns"
    line = f"Time limit of the search: 5 minutes ({size}); --budget changes it."
    assert line in done.err
    assert tomllib.loads((here / "iris-run" / "run.toml").read_text())["settings"]["budget"] == 300
    for options in (["--evals", "2"], ["--budget", "none"]):
        assert line not in call(capsys, "fit", "--example", "iris", *options).err


@pytest.mark.slow
def test_fit_reads_the_sheet_that_is_asked_for(here, capsys):
    header, *rows = [list(mixed().columns), *(list(row) for row in mixed().rows())]
    book = workbook([["nothing"], ["here"]], shop=[header, *rows])
    (here / "shop.xlsx").write_bytes(book)
    options = ["-t", "bought", "--evals", "1", "--sheet", "shop", "--out", "run"]
    assert call(capsys, "fit", "shop.xlsx", *options).code == 0
    (here / "run" / "result.json").unlink()
    assert call(capsys, "fit", "--resume", "run").code == 0
    assert (here / "run" / "result.json").exists()
    model = str(here / "run" / "model.gram")
    for command in (
        ["predict", model, "shop.xlsx", "--sheet", "shop"],
        ["explain", model, "shop.xlsx", "--sheet", "shop", "--row", "3"],
        [
            "compare",
            "shop.xlsx",
            "--sheet",
            "shop",
            "-t",
            "bought",
            "--models",
            "Perceptron",
        ],
    ):
        done = call(capsys, *command)
        assert (done.code, "sheet" in done.err) == (0, False), done.err
    done = call(capsys, "fit", "shop.xlsx", "-t", "bought")
    assert "It is from sheet 'one', the first; the others are 'shop'." in done.err
    done = call(capsys, "fit", "shop.xlsx", "-t", "bought", "--sheet", "shops")
    assert (done.code, done.err.startswith("gramian: --sheet: ")) == (2, True)


@pytest.mark.slow
def test_the_report_is_opened_if_asked_for(here, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    done = call(capsys, "fit", "--example", "iris", "--evals", "1", "--open")
    assert opened == [(here / "iris-run" / "report.html").as_uri()]
    assert done.out == "iris-run/report.html\n"
    assert call(capsys, "report", "iris-run", "--open").code == 0
    assert opened[1:] == [(here / "iris-run" / "report-2.html").as_uri()]


def test_fit_without_target_asks_for_one(here, capsys):
    mixed().write_csv("shop.csv")
    done = call(capsys, "fit", "shop.csv")
    assert done.code == 2
    assert (
        "--target must name the column to predict, such as 'bought' or 'town' or 'age'; "
        "--task clustering finds clusters instead." in done.err
    )
    assert not (here / "shop-run").exists()


@pytest.mark.slow
def test_fit_says_what_it_found_in_the_data_first_and_what_is_serious_before_the_verdict(
    here, capsys
):
    made_tables.leak_by_value()[0].write_csv("loans.csv")
    done = call(capsys, "fit", "loans.csv", "-t", "late", "--evals", "1")
    lines = done.err.splitlines()
    first = lines.index("serious: 'fee' alone nearly determines the target. Will you know it at "
                        "prediction time? If not, drop it.")  # fmt: skip
    plan = lines.index("Trying 1 setting of 1 model, scored by log_loss.")
    headline = lines.index("Serious: 'fee' alone nearly determines the target.")
    assert first < plan < headline
    assert lines[headline + 1].startswith("The best model is ")
    assert sum("alone nearly determines" in line for line in lines) == 2


@pytest.mark.slow
def test_several_labels_are_compared_reported_and_predicted(here, capsys):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    frame = pl.DataFrame(X, schema=["x", "y", "z"]).with_columns(
        calm=pl.Series((X[:, 0] > 0).astype(int)), sad=pl.Series((X[:, 1] > 0).astype(int))
    )
    frame.write_csv(here / "songs.csv")
    flags = ("--models", "BinaryRelevance,MLkNN")
    done = call(capsys, "fit", "songs.csv", "--target", "calm,sad", *flags)
    assert done.code == 0
    assert done.out == "songs-run/report.html\n"
    assert "Task: multi-label, because 2 labels were given." in done.err
    assert "The best learner is BinaryRelevance" in done.err
    result = json.loads((here / "songs-run" / "result.json").read_text())
    assert [each["label"] for each in result["labels"]] == ["calm", "sad"]
    again = call(capsys, "fit", "--resume", "songs-run")
    assert again.code == 0
    frame.drop("calm", "sad").write_csv(here / "new.csv")
    assert call(capsys, "predict", "songs-run", "new.csv", "--out", "p.csv").code == 0
    predicted = pl.read_csv(here / "p.csv")
    assert predicted.columns == ["prediction", "p(calm)", "p(sad)"]
    assert set(predicted["prediction"]) <= {"calm", "sad", "calm, sad", "", None}


def test_resuming_writes_through_no_link(finished, here, capsys):
    """Somebody else put links into the folder of the run."""
    shutil.copytree(finished / "run", here / "run")
    names = ("model.gram", "report.html", "report.json", "result.json", "training.json")
    for name in names:
        (here / name).write_bytes(b"mine")
        (here / "run" / name).unlink()
        (here / "run" / name).symlink_to(here / name)
    assert call(capsys, "fit", "--resume", "run").code == 0
    for name in names:
        assert (here / name).read_bytes() == b"mine"
        assert not (here / "run" / name).is_symlink()
    (here / "run" / "journal.jsonl").unlink()
    (here / "run" / "journal.jsonl").symlink_to(here / "model.gram")
    done = call(capsys, "fit", "--resume", "run")
    assert done.code == 2
    assert "must be a regular file of its own" in done.err
    assert (here / "model.gram").read_bytes() == b"mine"


def test_a_damaged_run_is_said_in_one_line(finished, here, capsys):
    (here / "run").mkdir()
    for text in ("[data]\nsource = 3\n", "data = 1\n", "x = " + "[" * 100_000):
        (here / "run" / "run.toml").write_text(text)
        done = call(capsys, "fit", "--resume", "run")
        assert done.code == 2
        assert done.err.count("\n") == 1
